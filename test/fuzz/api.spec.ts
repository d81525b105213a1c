import { randomInt } from 'node:crypto';
import { inspect } from 'node:util';
import fc from 'fast-check';
import { Client, type Json, ok } from '../support/client.js';
import { type Document, openApi, type Operation, operationsOf } from '../support/openapi.js';
import { removeDataDir, type Server, startServer } from '../support/server.js';
import { until } from '../support/until.js';
import { verify } from '../support/verify.js';
import { faultsOf } from './invariants.js';
import { type FuzzedRequest, isSure, nameOf, requestsOf } from './requests.js';
import { FuzzedWorkspace } from './workspace.js';

/** `npm run test:fuzz` makes 100,000. */
const { PARLEY_FUZZ_REQUESTS: given, PARLEY_FUZZ_SEED: seed } = process.env;
const REQUESTS = Number(given ?? 5_000);
/** Fixed within all tests, so that only a change of the product fails them; another one finds other things. */
const SEED = Number(seed ?? (given === undefined ? 20_260_102 : randomInt(2 ** 31)));
/** Made at once, from a seed of their own. */
const BATCH = 500;
const AT_ONCE = 8;
/** With so many every operation succeeds at times. */
const ENOUGH = 5_000;
const MOST_EXAMPLES = 60;
const LARGEST_MEMORY = 1024 * 1024 * 1024;

let server: Server;
let document: Document;
let operations: Operation[];
let workspace: FuzzedWorkspace;
beforeAll(async () => {
  server = await startServer();
  document = await openApi(server.url);
  operations = operationsOf(document);
  workspace = await FuzzedWorkspace.on(server.url);
});
afterAll(async () => {
  await server?.stop();
  if (server) removeDataDir(server.dataDir);
});

describe('whatever is asked', () => {
  it(`is answered as the document says, with no failure (seed ${SEED}, ${REQUESTS} requests)`, async () => {
    const tally = new Map<string, number>();
    const faults = new Map<string, { times: number; example: string }>();
    const missed = new Set(operations.filter(isSure).map(nameOf));
    const arbitrary = requestsOf(document, operations);
    for (let from = 0; from < REQUESTS; from += BATCH) {
      const numRuns = Math.min(BATCH, REQUESTS - from);
      const requests = fc.sample(arbitrary, { seed: SEED + from, numRuns });
      await inParallel(requests, async (request) => {
        const found = await judged(request);
        if (/ [23]..$/.test(found.status)) missed.delete(nameOf(request.operation));
        tally.set(found.status, (tally.get(found.status) ?? 0) + 1);
        for (const fault of found.faults) {
          const kind = `${nameOf(request.operation)}: ${fault.replace(/"(request_id|instance)":"[^"]*"|[a-z]+_[0-9a-z]{26}|\d+/g, '…').slice(0, 160)}`;
          const times = (faults.get(kind)?.times ?? 0) + 1;
          faults.set(kind, { times, example: faults.get(kind)?.example ?? `${found.example}\n  ${fault}` });
        }
      });
      if (faults.size > MOST_EXAMPLES) break;
    }
    print(tally);
    const found = [...faults.values()].map(({ times, example }) => `${times} times, such as ${example}`);
    expect(found.slice(0, MOST_EXAMPLES)).toEqual([]);
    if (REQUESTS >= ENOUGH) expect([...missed]).toEqual([]);
  }, 3_600_000);

  it('leaves the server in health, with bounded memory and nothing on its error log', async () => {
    const open = new Client(server.url, '');
    expect((await open.get('/health/ready')).body).toEqual({ status: 'ok' });
    const memory = /^process_resident_memory_bytes (\d+)/m.exec((await open.get('/metrics')).text)?.[1];
    process.stdout.write(`Memory after it: ${Math.round(Number(memory) / 2 ** 20)} MiB\n`);
    expect(Number(memory)).toBeLessThan(LARGEST_MEMORY);
    expect(server.output().match(/^\{.*"level":"?(error|fatal|50|60).*$/gm) ?? []).toEqual([]);
  });

  it('leaves read models that catch up, and rows that are what the events say', async () => {
    const admin = new Client(server.url, '/admin/v1', { 'x-admin-key': server.adminKey });
    await until(async () => {
      const { data } = await ok(admin.get('projections'));
      return data.every(({ lag_events, status }: Json) => lag_events === 0 && status === 'live');
    });
    expect(await verify(server.dataDir)).not.toMatch(/differ/i);
  }, 600_000);
});

async function judged(
  request: FuzzedRequest,
): Promise<{ status: string; faults: string[]; example: string }> {
  const asked = request.body?.toString('latin1').slice(0, 400) ?? '';
  const shown =
    `${request.operation.method} ${request.path}?${request.query} ${JSON.stringify(request.headers)}\n  ${asked}`.slice(
      0,
      1_500,
    );
  try {
    const { sent, answer } = await workspace.send(request);
    const kind = request.isValid ? 'valid' : 'changed';
    return {
      status: `${kind} ${answer.status}`,
      faults: faultsOf(document, request, sent, answer),
      example: shown,
    };
  } catch (error) {
    const reason = inspect(error, { depth: 2, compact: true }).slice(0, 300);
    return { status: 'no answer', faults: [`no answer: ${reason}`], example: shown };
  }
}

async function inParallel<Item>(items: Item[], work: (item: Item) => Promise<void>): Promise<void> {
  const left = items.values();
  await Promise.all(
    Array.from({ length: AT_ONCE }, async () => {
      for (const item of left) await work(item);
    }),
  );
}

function print(tally: Map<string, number>): void {
  const counts = [...tally].sort().map(([status, count]) => `${status}: ${count}`);
  process.stdout.write(`\nFuzzed, seed ${SEED}: ${counts.join(', ')}\n`);
}
