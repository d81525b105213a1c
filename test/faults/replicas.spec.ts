import { setTimeout as sleep } from 'node:timers/promises';
import { type EmbeddedPostgres, startEmbeddedPostgres } from '#embedded-postgres/postgres.js';
import {
  adminOf,
  apiOf,
  Client,
  type Json,
  newKey,
  newWorkspace,
  ok,
  openApi,
} from '../support/clients/client.js';
import { openStream } from '../support/clients/event-stream.js';
import { filled, operationsOf, requiredQuery } from '../support/clients/openapi.js';
import { furnishedWorkspace } from '../support/data/records.js';
import { missedBy } from '../support/data/write-and-read.js';
import { newDataDir, removeDataDir } from '../support/server/data-dir.js';
import { Replicated } from '../support/server/replicated.js';
import { freePort } from '../support/server/server.js';
import { until } from '../support/until.js';

const PAIRS = Number(process.env['PARLEY_FAULT_PAIRS'] ?? 600);

/** For what waits in vain, as of other tests, with more of them. */
const LONGEST_MS = 180_000 + PAIRS * 200;

const replicated = new Replicated();
const { apis, fallbacks, readFrom, untilInUse, untilLeftOut } = replicated;
const urls = () => apis.map(({ url }) => url);
const sum = (counts: number[]) => counts.reduce((all, count) => all + count, 0);

beforeAll(() => replicated.start());
afterAll(() => replicated.close());

describe('a caller of three processes with replicas', () => {
  it(
    'reads what it has written, from replicas',
    async () => {
      const { hosts } = replicated;
      const before = await Promise.all(hosts.map(readFrom));
      expect(await missedBy(urls(), PAIRS, 1)).toEqual([]);
      const read = (await Promise.all(hosts.map(readFrom))).map((count, nr) => count - before[nr]!);
      for (const count of read) expect(count).toBeGreaterThan(0);
      expect(sum(read)).toBeGreaterThan(PAIRS / 2);
    },
    LONGEST_MS,
  );

  it('reads what it has written while replicas stand still, from the primary', async () => {
    // On a machine that is busy they may be left out before they are asked.
    await until(async () => {
      await untilInUse(...replicated.hosts);
      const before = await fallbacks('behind');
      await replicated.standStill();
      expect(await missedBy(urls(), 30, 2)).toEqual([]);
      await replicated.moveOn();
      return (await fallbacks('behind')) > before;
    });
  });

  it('changes what is there now, and repeats a request once, wherever replicas are', async () => {
    const { api } = await newWorkspace({ url: apis[0]!.url });
    const at = (nr: number, headers: Record<string, string>) =>
      new Client(apis[nr]!.url, api.base, api.headers).with(headers);
    const { contact_id } = await ok(api.post('contacts', { name: 'Ada' }));
    const path = `contacts/${contact_id}`;
    const ifMatch = { 'if-match': (await at(1, {}).get(path)).headers.get('etag')! };
    await replicated.standStill();
    expect((await at(2, ifMatch).patch(path, { name: 'Augusta' })).status).toBe(200);
    expect((await at(0, ifMatch).patch(path, { name: 'Byron' })).status).toBe(412);
    const once = { 'idempotency-key': 'once' };
    const created = await ok(at(0, once).post('tasks', { title: 'Call' }));
    expect(await ok(at(1, once).post('tasks', { title: 'Call' }))).toEqual(created);
    await replicated.moveOn();
  });

  it('never sees what others write go back, whether replicas or the primary answer', async () => {
    const { url } = apis[0]!;
    const { api, admin, organizationId } = await newWorkspace({ url });
    const path = `contacts/${(await ok(api.post('contacts', { name: '0' }))).contact_id}`;
    await replicated.prompt.caughtUp();
    await replicated.late.caughtUp();
    let isOver = false;
    const write = async () => {
      for (let nr = 1; !isOver; nr++) await ok(api.patch(path, { name: String(nr) }));
    };
    const read = async (_: unknown, nr: number) => {
      const { api_key } = await ok(newKey(admin, organizationId));
      const reader = apiOf(organizationId, api_key, url);
      const seen: number[] = [];
      for (let round = 0; !isOver; round++) {
        // Half of them also write, and are answered by the primary while replicas stand still.
        if (nr % 2 === 0 && round % 10 === 0) await ok(reader.post('tasks', { title: 'Call' }));
        seen.push(Number((await ok(reader.get(path))).name));
      }
      return seen;
    };
    const writing = write();
    const reading = Promise.all(Array.from({ length: 8 }, read));
    for (let nr = 0; nr < 10; nr++) {
      await sleep(150);
      await replicated.standStill();
      await sleep(150);
      await replicated.moveOn();
    }
    isOver = true;
    await writing;
    for (const seen of await reading) {
      expect(seen.at(-1)).toBeGreaterThan(0);
      expect(seen).toEqual(seen.toSorted((one, other) => one - other));
    }
  });

  it('reads at every process what the stream of events has told of', async () => {
    const { api, admin, organizationId } = await newWorkspace({ url: apis[0]!.url });
    const keys = await Promise.all(Array.from({ length: 4 }, () => ok(newKey(admin, organizationId))));
    const readers = keys.flatMap(({ api_key }) => urls().map((url) => apiOf(organizationId, api_key, url)));
    const stream = await openStream(readers[0]!);
    const wasAnswered: number[] = [];
    for (let nr = 1; nr <= 5; nr++) {
      await replicated.standStill();
      const { contact_id } = await ok(api.post('contacts', { name: String(nr) }));
      const movedOn = sleep(500).then(() => replicated.moveOn());
      await stream.got(nr);
      const read = await Promise.all(readers.map((reader) => reader.get(`contacts/${contact_id}`)));
      wasAnswered.push(...read.map(({ status }) => status));
      await movedOn;
    }
    stream.close();
    expect(new Set(wasAnswered)).toEqual(new Set([200]));
  });

  it('is answered by a replica whatever it reads', async () => {
    const { url } = apis[0]!;
    const { api, admin, ids, organizationId } = await furnishedWorkspace({ url });
    await replicated.prompt.caughtUp();
    await replicated.late.caughtUp();
    const operations = operationsOf(await openApi(url)).filter(
      ({ method, path }) => method === 'GET' && /^\/api|audit-logs$/.test(path),
    );
    expect(operations.length).toBeGreaterThan(40);
    const readAll = async () => {
      for (const operation of operations) {
        const client = operation.path.startsWith('/api') ? api : admin;
        const path = filled(operation.path, { ...ids, organization_id: organizationId });
        const { status, text } = await client.get(path, requiredQuery(operation));
        if (status >= 400) throw new Error(`${path}: ${text}`);
      }
    };
    // On a machine that is busy a replica may be slow to answer, and left out for a moment.
    await until(async () => {
      const before = await readFrom('primary');
      await readAll();
      return (await readFrom('primary')) === before;
    });
  });
});

describe('a replica', () => {
  /** What the doctor finds of replicas. */
  const examined = async (): Promise<string[]> => {
    const { data } = await ok(adminOf(apis[0]!.url).get('doctor'));
    const found = data.filter(({ check }: Json) => check.startsWith('replica'));
    return found.map(({ check, verdict }: Json) => `${verdict} ${check}`);
  };

  it('that stands still is left out when it is five seconds behind, and used again by itself', async () => {
    const { hosts } = replicated;
    await replicated.standStill();
    await newWorkspace({ url: apis[0]!.url });
    await untilLeftOut(...hosts);
    for (const host of hosts) expect(await replicated.lag(host)).toBeGreaterThan(5);
    expect(await examined()).toEqual(hosts.map((host) => `warning replica ${host}`));
    await replicated.moveOn();
  });

  it.each([
    ['cannot be reached', 'isDown'],
    ['says nothing', 'isSilent'],
  ] as const)('that %s fails no request, is left out, and is used again by itself', async (_, isAway) => {
    const { line, primary } = replicated;
    const host = replicated.hosts[1]!;
    const said = apis.map((api) => api.output().length);
    const readers = await replicated.startReaders();
    line[isAway] = true;
    if (line.isDown) line.cut();
    await untilLeftOut(host);
    line[isAway] = false;
    await untilInUse(...replicated.hosts);
    expect(await readers.end()).toEqual([]);
    for (const [nr, api] of apis.entries()) {
      const lines = api.output().slice(said[nr]).split('\n');
      const told = lines.filter((one) => one.includes(`replica ${host}`));
      expect(told.length).toBeGreaterThanOrEqual(2);
      // Once for each change.
      expect(told.map((one) => one.includes('reads go there again'))).toEqual(
        told.map((_, nr) => nr % 2 === 1),
      );
      expect(api.output()).not.toContain(new URL(primary.url).password);
    }
  });

  it('that follows is well for the doctor', async () =>
    expect(await examined()).toEqual(replicated.hosts.map((host) => `ok replica ${host}`)));

  it('that is killed fails no request, nor does one that takes writes of its own', async () => {
    const readers = await replicated.startReaders();
    await replicated.prompt.kill();
    await untilLeftOut(replicated.hosts[0]!);
    await replicated.late.promote();
    await untilLeftOut(replicated.hosts[1]!);
    expect(await readers.end()).toEqual([]);
  });
});

describe('a start', () => {
  const dataDir = newDataDir();
  let other: EmbeddedPostgres;

  beforeAll(async () => (other = await startEmbeddedPostgres({ dataDir })));
  afterAll(async () => {
    await other.stop();
    removeDataDir(dataDir);
  });

  const ours = (changes: Partial<URL>) => Object.assign(new URL(replicated.primary.url), changes).href;

  it.each([
    ['the primary itself', () => ours({}), 'is no replica'],
    ['a server of another cluster', () => other.url, 'is of another cluster'],
    ['another database', () => ours({ pathname: '/postgres' }), 'has another database'],
    ['a wrong password', () => ours({ password: 'wrong-secret' }), 'refuses it'],
  ])('is refused with %s for a replica', async (_, url, reason) => {
    const refusal = await replicated.startApi(url()).catch((error: Error) => error.message);
    expect(refusal).toContain('DATABASE_REPLICA_URLS: the server at ');
    expect(refusal).toContain(reason);
    expect(refusal).not.toContain('wrong-secret');
  });

  it('goes on without a replica that is away', async () => {
    const api = await replicated.startApi(ours({ port: String(await freePort()) }));
    expect(api.output()).toContain('is away');
    await api.stop();
  });
});
