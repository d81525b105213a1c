import { setImmediate as turn } from 'node:timers/promises';
import { testDatabase, type TestDatabase } from '../../test/support/database/postgres.js';
import { startingDatabase } from '../../test/support/database/starting-database.js';
import { until } from '../../test/support/until.js';
import { openDatabase } from './data-source.js';
import type { Database } from './database.js';
import type { Reader, Statement } from './statements/statement.js';

let test: TestDatabase;
let database: Database;

beforeAll(async () => {
  test = await testDatabase();
  database = test.database;
  await database.query({ text: 'CREATE TABLE note (line int PRIMARY KEY)' });
});

beforeEach(() => database.query({ text: 'TRUNCATE note' }));

afterAll(() => test.close());

const insert = (line: number) => ({ text: 'INSERT INTO note VALUES ($1)', values: [line] });
const lines = async () =>
  (await database.query<{ line: number }>({ text: 'TABLE note' })).map(({ line }) => line);
const openTransactions = () =>
  database.query({
    text: `SELECT query FROM pg_stat_activity WHERE datname = current_database() AND state LIKE 'idle in transaction%'`,
  });

it('reads instants in UTC and tables in public, whatever the URL, the database and its roles have', async () => {
  const name = new URL(test.url).pathname.slice(1);
  await database.query({ text: `ALTER DATABASE ${name} SET timezone = 'Europe/Berlin'` });
  await database.query({ text: `ALTER DATABASE ${name} SET search_path = elsewhere` });
  const url = `${test.url}?options=-c%20work_mem%3D7MB+-c%20timezone%3DAsia/Tokyo`;
  const other = await openDatabase({ url, poolSize: 1, entities: [], migrations: [] });
  const [row] = await other.query({
    text: `SELECT '2026-01-02 03:04:05.6+00'::timestamptz AS at, current_schema() AS schema, current_setting('work_mem') AS memory`,
  });
  await other.close();
  expect(row).toEqual({ at: '2026-01-02T03:04:05.600000Z', schema: 'public', memory: '7MB' });
});

it('has the server compile no statement', async () => {
  expect(await database.query({ text: 'SHOW jit' })).toEqual([{ jit: 'off' }]);
});

it('has the server end its sessions 15 seconds after a process is gone without a word', async () => {
  const settings = await database.query<{ name: string; setting: string }>({
    text: "SELECT name, setting FROM pg_settings WHERE name ~ '^tcp_(keepalives|user_timeout)' ORDER BY name",
  });
  expect(Object.fromEntries(settings.map(({ name, setting }) => [name, setting]))).toEqual({
    tcp_keepalives_count: '2',
    tcp_keepalives_idle: '5',
    tcp_keepalives_interval: '5',
    tcp_user_timeout: '15000',
  });
});

it('waits for a server that is starting', async () => {
  const starting = await startingDatabase(test.url, 2);
  const other = await openDatabase({ url: starting.url, poolSize: 1, entities: [], migrations: [] });
  expect(await other.query({ text: 'SELECT 1 AS one' })).toEqual([{ one: 1 }]);
  await other.close();
  starting.close();
});

const REFUSED_BY_DRIVER = [
  { name: 'one_name', text: 'SELECT 1' },
  { name: 'one_name', text: 'SELECT 2' },
];

describe.each([
  ['atomically', (statements: { text: string }[]) => database.atomically(statements)],
  [
    'transaction',
    (statements: { text: string }[]) =>
      database.transaction(async (tx) => {
        await Promise.all(statements.map((statement) => tx.query(statement)));
      }),
  ],
])('%s', (_, run) => {
  it('commits all statements', async () => {
    await run([insert(1), insert(2)]);
    expect(await lines()).toEqual([1, 2]);
  });

  it('writes nothing when a statement fails, throws its error and frees the connection', async () => {
    const failed = run([insert(1), insert(1), insert(2), { text: 'SELECT 1' }]);
    await expect(failed).rejects.toMatchObject({ code: '23505' });
    expect(await lines()).toEqual([]);
    expect(await openTransactions()).toEqual([]);
  });

  it('writes nothing when the driver refuses a statement that the server never sees', async () => {
    await expect(run([insert(1), ...REFUSED_BY_DRIVER, insert(2)])).rejects.toThrow('must be unique');
    expect(await lines()).toEqual([]);
    expect(await openTransactions()).toEqual([]);
  });

  it('throws when the connection is lost, and the next one works', async () => {
    await expect(
      run([insert(1), { text: 'SELECT pg_terminate_backend(pg_backend_pid())' }, insert(2)]),
    ).rejects.toThrow();
    expect(await lines()).toEqual([]);
  });

  it('throws when a deferred constraint fails at COMMIT', async () => {
    await database.query({ text: 'DROP TABLE IF EXISTS late' });
    await database.query({ text: 'CREATE TABLE late (line int UNIQUE DEFERRABLE INITIALLY DEFERRED)' });
    const failed = run([insert(1), { text: 'INSERT INTO late VALUES (1), (1)' }]);
    await expect(failed).rejects.toMatchObject({ code: '23505' });
    expect(await lines()).toEqual([]);
    expect(await openTransactions()).toEqual([]);
  });
});

it.each([
  ['query', (one: Database, statement: Statement) => one.query(statement)],
  ['atomically', (one: Database, statement: Statement) => one.atomically([insert(1), statement])],
  ['transaction', (one: Database, statement: Statement) => one.transaction((tx) => tx.query(statement))],
])('%s keeps its connection when a statement fails, and gives up one that was lost', async (_, run) => {
  const one = await openDatabase({ url: test.url, poolSize: 1, entities: [], migrations: [] });
  const pid = async () =>
    (await one.query<{ pid: number }>({ text: 'SELECT pg_backend_pid() AS pid' }))[0]!.pid;
  try {
    const before = await pid();
    await expect(run(one, { text: 'SELECT 1 / 0' })).rejects.toMatchObject({ code: '22012' });
    expect(await pid()).toBe(before);
    await expect(run(one, { text: 'SELECT pg_terminate_backend(pg_backend_pid())' })).rejects.toThrow();
    expect(await pid()).not.toBe(before);
  } finally {
    await one.close();
  }
});

describe('transaction', () => {
  it('does not pass for committed when the work has swallowed an error', async () => {
    const swallowed = database.transaction(async (tx) => {
      await tx.query(insert(1));
      await tx.query(insert(1)).catch(() => {});
    });
    await expect(swallowed).rejects.toThrow('duplicate key');
    expect(await lines()).toEqual([]);
    expect(await openTransactions()).toEqual([]);
  });

  it('may go on after an error that was rolled back to a savepoint', async () => {
    await database.transaction(async (tx) => {
      await tx.query(insert(1));
      await tx.query({ text: 'SAVEPOINT here' });
      await tx.query(insert(1)).catch(() => {});
      await tx.query({ text: 'ROLLBACK TO here' });
    });
    expect(await lines()).toEqual([1]);
  });

  it('sends what nobody awaits with the COMMIT, and throws what is wrong with it', async () => {
    await database.transaction(async (tx) => void tx.query(insert(1)));
    expect(await lines()).toEqual([1]);
    await expect(database.transaction(async (tx) => void tx.query(insert(1)))).rejects.toThrow(
      'duplicate key',
    );
    expect(await lines()).toEqual([1]);
  });

  it('throws the error that made PostgreSQL refuse all that followed, not those refusals', async () => {
    const failed = database.transaction(async (tx) => {
      void tx.query({ text: 'SELECT 1 / 0' });
      await tx.query(insert(1));
    });
    await expect(failed).rejects.toThrow('division by zero');
  });

  it('survives the error of a statement that nobody awaits', async () => {
    const failed = database.transaction(async (tx) => {
      void tx.query(insert(1));
      void tx.query(insert(1));
      await tx.query({ text: 'SELECT 1' });
    });
    await expect(failed).rejects.toThrow();
    expect(await lines()).toEqual([]);
  });

  it('survives the loss of its connection between two statements', async () => {
    const lost = database.transaction(async (tx) => {
      await tx.query(insert(1));
      const [own] = await tx.query<{ pid: number }>({ text: 'SELECT pg_backend_pid() AS pid' });
      await database.query({ text: 'SELECT pg_terminate_backend($1, 5000)', values: [own!.pid] });
      await turn();
      await tx.query(insert(2));
    });
    await expect(lost).rejects.toThrow();
    expect(await lines()).toEqual([]);
  });

  it('refuses statements of a branch of the work that outlives it', async () => {
    let late: Promise<unknown> = Promise.resolve();
    let fail = () => {};
    const failed = database.transaction((tx) => {
      const failing = new Promise<void>((_, reject) => (fail = () => reject(new Error('one branch failed'))));
      late = failing.catch(() => turn()).then(() => tx.query(insert(1)));
      late.catch(() => {});
      return failing;
    });
    await turn();
    fail();
    await expect(failed).rejects.toThrow('one branch failed');
    await expect(late).rejects.toThrow('has ended');
    expect(await lines()).toEqual([]);
  });
});

describe('snapshot', () => {
  const BEGIN = 'BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY';
  const read = (tx: Reader) => tx.query<{ line: number }>({ text: 'TABLE note' });

  it('does not see what others write while it reads, and has ended when the next asks', async () => {
    await database.query(insert(1));
    const seen = await database.snapshot(BEGIN, async (tx) => {
      const first = await read(tx);
      await database.query(insert(2));
      return [first, await read(tx)];
    });
    expect(seen).toEqual([[{ line: 1 }], [{ line: 1 }]]);
    expect(await lines()).toEqual([1, 2]);
    await until(async () => (await openTransactions()).length === 0);
  });

  it('writes nothing, and frees its connection after an error', async () => {
    const refused = database.snapshot(BEGIN, (tx) => tx.query(insert(1)));
    await expect(refused).rejects.toThrow('read-only transaction');
    expect(await lines()).toEqual([]);
    await until(async () => (await openTransactions()).length === 0);
  });

  it('survives the loss of its connection', async () => {
    const lost = database.snapshot(BEGIN, async (tx) => {
      const [own] = await tx.query<{ pid: number }>({ text: 'SELECT pg_backend_pid() AS pid' });
      await database.query({ text: 'SELECT pg_terminate_backend($1, 5000)', values: [own!.pid] });
      await turn();
      return read(tx);
    });
    await expect(lost).rejects.toThrow();
    expect(await database.snapshot(BEGIN, read)).toEqual([]);
  });
});
