import { randomInt } from 'node:crypto';
import { inspect } from 'node:util';
import fc from 'fast-check';
import { adminOf, Client, type Json, ok, openApi } from '../support/clients/client.js';
import { type Document, type Operation, operationsOf } from '../support/clients/openapi.js';
import { removeDataDir } from '../support/server/data-dir.js';
import { type Server, startServer } from '../support/server/server.js';
import { until } from '../support/until.js';
import { verify } from '../support/server/verify.js';
import { Findings, memoryOf } from './findings.js';
import { faultsOf } from './invariants.js';
import { type FuzzedRequest, isSure, nameOf, requestsOf } from './requests.js';
import { FuzzedWorkspace } from './workspace.js';

/** `npm run test:fuzz` makes 100,000, `.ci/run` 4,000. */
const { PARLEY_FUZZ_REQUESTS: given, PARLEY_FUZZ_SEED: seed } = process.env;
const REQUESTS = Number(given ?? 1_000);
/** Fixed within all tests, so that only a change of the product fails them; another one finds other things. */
const SEED = Number(seed ?? (given === undefined ? 20_260_102 : randomInt(2 ** 31)));
/** Made at once, from a seed of their own. */
const BATCH = 500;
const AT_ONCE = 8;
/** With so many, or twice as many, every operation succeeds at times. */
const ENOUGH = 5_000;
/** A long run tells how it goes. */
const REPORT_EVERY = 10_000;
const MOST_FAULTS = 60;
const LARGEST_MEMORY = 1024 * 1024 * 1024;

let server: Server;
let open: Client;
let document: Document;
let operations: Operation[];
let workspace: FuzzedWorkspace;
beforeAll(async () => {
  server = await startServer();
  open = new Client(server.url, '');
  document = await openApi(server.url);
  operations = operationsOf(document);
  workspace = await FuzzedWorkspace.on(server.url);
});
afterAll(async () => {
  await server?.stop();
  if (server) removeDataDir(server.dataDir);
});

describe('whatever is asked', () => {
  let mostMemory = 0;

  it(`is answered as the document says, with no failure (seed ${SEED}, ${REQUESTS} requests)`, async () => {
    const findings = new Findings();
    const arbitrary = requestsOf(document, operations);
    const missed = () =>
      operations
        .filter(isSure)
        .map(nameOf)
        .filter((name) => !findings.succeeded.has(name));
    // What had no luck until then gets as many requests again.
    const isMore = (asked: number) =>
      asked < REQUESTS || (asked >= ENOUGH && asked < 2 * ENOUGH && missed().length > 0);
    let asked = 0;
    while (isMore(asked) && findings.all().length < MOST_FAULTS) {
      const numRuns = asked < REQUESTS ? Math.min(BATCH, REQUESTS - asked) : BATCH;
      const requests = fc.sample(arbitrary, { seed: SEED + asked, numRuns });
      await inParallel(requests, (request) => ask(request, findings));
      asked += numRuns;
      mostMemory = Math.max(mostMemory, await memoryOf(open));
      if (asked % REPORT_EVERY === 0) report(findings, asked);
    }
    report(findings, asked);
    expect(findings.all()).toEqual([]);
    if (REQUESTS >= ENOUGH) expect(missed()).toEqual([]);
  }, 3_600_000);

  it('leaves the server in health, its memory bounded and nothing on its error log', async () => {
    expect((await open.get('/health/ready')).body).toMatchObject({ status: 'ok' });
    process.stdout.write(`Most memory: ${Math.round(mostMemory / 2 ** 20)} MiB\n`);
    expect(mostMemory).toBeGreaterThan(0);
    expect(mostMemory).toBeLessThan(LARGEST_MEMORY);
    expect(server.output().match(/^\{.*"level":.*$/gm) ?? []).toEqual([]);
  });

  it('leaves read models that catch up, and rows that are what the events say', async () => {
    await until(async () => {
      const { data } = await ok(adminOf(server.url).get('projections'));
      return data.every(({ lag_events, status }: Json) => lag_events === 0 && status === 'live');
    });
    await verify(server.dataDir);
  }, 600_000);
});

const report = (findings: Findings, count: number) =>
  process.stdout.write(
    `\nFuzzed, seed ${SEED}, ${count} requests, ${findings.all().length} faults: ${findings.tally()}\n${findings.all().join('\n')}\n`,
  );

async function ask(request: FuzzedRequest, findings: Findings): Promise<void> {
  try {
    const { sent, answer } = await workspace.send(request);
    findings.note(request, answer.status, faultsOf(document, request, sent, answer));
  } catch (error) {
    const reason = inspect(error, { depth: 2, compact: true }).slice(0, 300);
    findings.note(request, 'no answer', [`no answer: ${reason}`]);
  }
}

/** A few at once, in their order, so that requests meet in the middle of others. */
async function inParallel<Item>(items: Item[], work: (item: Item) => Promise<void>): Promise<void> {
  const left = items.values();
  await Promise.all(
    Array.from({ length: AT_ONCE }, async () => {
      for (const item of left) await work(item);
    }),
  );
}
