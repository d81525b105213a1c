import { AsyncLocalStorage } from 'node:async_hooks';
import { testDatabase, type TestDatabase } from '../../../test/support/database/postgres.js';
import { RowReader } from '../statements/row-reader.js';
import { SameReads } from '../statements/same-reads.js';
import type { Reader, Statement } from '../statements/statement.js';
import { Reading } from './reading.js';
import type { Replica } from './replica.js';
import type { Replicas } from './replicas.js';

/** Another database stands in for a replica: it says so in its rows. */
let primary: TestDatabase;
let other: TestDatabase;
let isBroken: boolean;
const readings = new AsyncLocalStorage<Reading | undefined>();

const replica = {
  server: 'replica',
  lagSeconds: 2,
  query: (statement: Statement) =>
    isBroken ? Promise.reject(new Error('away')) : other.database.query(statement),
  snapshot: <Result>(begin: string, read: (tx: Reader) => Promise<Result>) =>
    isBroken ? Promise.reject(new Error('away')) : other.database.snapshot(begin, read),
} as unknown as Replica;

const replicas = {
  get reading() {
    return readings.getStore();
  },
  onPrimary: <Result>(work: () => Result) => readings.run(undefined, work),
  count() {},
  fallBack() {
    readings.getStore()?.leave();
    return null;
  },
} as unknown as Replicas;

beforeAll(async () => {
  [primary, other] = [await testDatabase(), await testDatabase()];
  for (const [{ database }, server] of [
    [primary, 'primary'],
    [other, 'replica'],
  ] as const) {
    await database.query({
      text: 'CREATE TABLE note (organization_id text, note_id text, server text, PRIMARY KEY (organization_id, note_id))',
    });
    await database.query({ text: `INSERT INTO note VALUES ('org', 'note', '${server}')` });
  }
  primary.database.replicas = replicas;
});

beforeEach(() => (isBroken = false));

afterAll(async () => {
  await primary.close();
  await other.close();
});

const reading = <Result>(work: () => Promise<Result>) =>
  readings.run(new Reading(() => Promise.resolve(replica)), work);
const server = async () => (await primary.database.query<{ server: string }>(SERVER))[0]!.server;
const SERVER = { name: 'server', text: 'SELECT server FROM note' };

describe('a request that may read from a replica', () => {
  it('does so, and others do not', async () => {
    expect(await reading(server)).toBe('replica');
    expect(await server()).toBe('primary');
  });

  it('goes on on the primary when the replica fails it', async () => {
    const servers = await reading(async () => {
      const first = await server();
      isBroken = true;
      const second = await server();
      isBroken = false;
      return [first, second, await server()];
    });
    expect(servers).toEqual(['replica', 'primary', 'primary']);
  });

  it.each([
    ['a transaction', () => primary.database.transaction(() => Promise.resolve())],
    ['a unit of work', () => primary.database.unitOfWork(() => Promise.resolve())],
    ['statements that go together', () => primary.database.atomically([SERVER])],
  ])('reads from the primary after %s', async (_, write) =>
    expect(await reading(async () => [await server(), await write(), await server()])).toEqual([
      'replica',
      undefined,
      'primary',
    ]),
  );

  it('reads in a unit of work what is there', async () =>
    expect(await reading(() => primary.database.unitOfWork(server))).toBe('primary'));

  it('reads from the primary what outlives it', async () => {
    expect(await reading(() => primary.database.onPrimary(server))).toBe('primary');
    const later = await reading(async () => {
      readings.getStore()!.leave();
      return server();
    });
    expect(later).toBe('primary');
  });

  it('has a snapshot there, with how far it may be behind, or a whole one from the primary', async () => {
    const snapshot = () =>
      reading(() =>
        primary.database.snapshot('BEGIN READ ONLY', async (tx, source) => [
          (await tx.query<{ server: string }>(SERVER))[0]!.server,
          source.lagSeconds,
        ]),
      );
    expect(await snapshot()).toEqual(['replica', 2]);
    isBroken = true;
    expect(await snapshot()).toEqual(['primary', 0]);
  });
});

describe('reads that go together', () => {
  const source = { name: 'note', table: 'note', key: 'note_id', columns: 'note_id, server' };

  it('go with those of the same server alone', async () => {
    const rows = new RowReader<{ server: string }>(primary.database, source);
    const same = new SameReads(primary.database);
    const one = async () => (await rows.one('org', 'note'))!.server;
    const list = async () => (await same.query<{ server: string }>(SERVER))[0]!.server;
    const found = await Promise.all([one(), reading(one), one(), list(), reading(list), list()]);
    expect(found).toEqual(['primary', 'replica', 'primary', 'primary', 'replica', 'primary']);
  });

  it('are answered by the primary when the replica fails them', async () => {
    const rows = new RowReader<{ server: string }>(primary.database, source);
    isBroken = true;
    const found = await Promise.all([1, 2].map(() => reading(() => rows.one('org', 'note'))));
    expect(found.map((row) => row!.server)).toEqual(['primary', 'primary']);
  });
});
