import { testDatabase, type TestDatabase } from '../../../test/support/database/postgres.js';
import { until } from '../../../test/support/until.js';
import type { Database } from '../database.js';
import { analyzeGrownTables } from './statistics.js';

let test: TestDatabase;
let database: Database;

beforeAll(async () => {
  test = await testDatabase();
  database = test.database;
  await database.query({ text: 'CREATE TABLE note (line text) WITH (autovacuum_enabled = off)' });
});

afterAll(() => test.close());

const write = (count: number) =>
  database.query({
    text: `INSERT INTO note SELECT 'line ' || n FROM generate_series(1, $1) n`,
    values: [count],
  });

/** What PostgreSQL counts of changes, when it has come to count them. */
const changes = async () => {
  const [row] = await database.query<{ count: number }>({
    text: `SELECT n_mod_since_analyze::int AS count FROM pg_stat_user_tables WHERE relname = 'note'`,
  });
  return row!.count;
};

/** How many rows the planner takes the table to have had when it was last looked at; -1 before that. */
const known = async () => {
  const [row] = await database.query<{ reltuples: number }>({
    text: `SELECT reltuples FROM pg_class WHERE relname = 'note'`,
  });
  return row!.reltuples;
};

it('a table is looked at once it has some rows, and again when it has grown tenfold', async () => {
  await write(50);
  await until(async () => (await changes()) === 50);
  await analyzeGrownTables(database);
  expect(await known()).toBe(-1);

  await write(150);
  await until(async () => (await changes()) === 200);
  await analyzeGrownTables(database);
  expect(await known()).toBe(200);

  await write(1_700);
  await until(async () => (await changes()) === 1_700);
  await analyzeGrownTables(database);
  expect(await known()).toBe(200);

  await write(200);
  await until(async () => (await changes()) === 1_900);
  await analyzeGrownTables(database);
  expect(await known()).toBe(2_100);
});

it('a table that is being changed is left for the next time', async () => {
  await write(100_000);
  await until(async () => (await changes()) > 90_000);
  await database.transaction(async (tx) => {
    await tx.query({ text: 'LOCK TABLE note IN ACCESS EXCLUSIVE MODE' });
    await analyzeGrownTables(database);
  });
  expect(await known()).toBe(2_100);
  await analyzeGrownTables(database);
  expect(await known()).toBeGreaterThan(90_000);
});
