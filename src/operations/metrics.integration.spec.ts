import { Client } from 'pg';
import type { Database } from '#database/database.js';
import type { Statement } from '#database/statements/statement.js';
import { ProjectionRunner } from '#event-store/projection-runner.js';
import type { Projection } from '#event-store/projection.js';
import { testDatabase, type TestDatabase } from '../../test/support/database/postgres.js';
import { rawAppend } from '../../test/support/database/raw-append.js';
import { untilAllIsReadable } from '../../test/support/until.js';
import { Metrics } from './metrics.js';
import { OperationsQueries } from './operations.queries.js';

let test: TestDatabase;
let database: Database;

beforeAll(async () => {
  test = await testDatabase();
  database = test.database;
});

afterAll(() => test.close());

const plants: Projection = {
  name: 'plants',
  version: 1,
  tables: [],
  streamTypes: ['plant'],
  apply: () => Promise.resolve(),
};

const grow = (id: string, type: string) =>
  database.query(rawAppend('org_a', [{ id, type, expected: 0, events: [{ type: 'Grown', data: {} }] }]));

it('tells how far each projection that is followed is behind, and nothing of others that have a checkpoint', async () => {
  const metrics = new Metrics(database, new OperationsQueries(database));
  metrics.follow(plants);
  const lags = async () => {
    const found = (await metrics.registry.metrics()).matchAll(
      /^parley_projection_lag_(\w+)\{projection="(\w+)"\} (\S+)$/gm,
    );
    return [...found].map(([, unit, name, value]) => [unit, name, Number(value)]);
  };
  await database.query({
    text: `INSERT INTO es_checkpoint (projection, version, tx, position, updated_at) VALUES ('given_up', 1, '0', 0, now())`,
  });
  for (const id of ['plant_1', 'plant_2', 'plant_3']) await grow(id, 'plant');
  await grow('stone_1', 'stone');
  expect(await lags()).toEqual([
    ['seconds', 'plants', expect.any(Number)],
    ['events', 'plants', 3],
  ]);
  expect((await lags())[0]![2]).toBeGreaterThan(0);
  await untilAllIsReadable(database);
  await new ProjectionRunner(database, [plants], {}, () => {}).catchUp();
  expect(await lags()).toEqual([
    ['seconds', 'plants', 0],
    ['events', 'plants', 0],
  ]);
  metrics.registry.clear();
});

it('counts what a projection has still to read once for all that is told of it', async () => {
  let counts = 0;
  const counting = new Proxy(database, {
    get: (target, name) =>
      name !== 'query'
        ? Reflect.get(target, name)
        : (statement: Statement) => {
            if (statement.text.includes('unread')) counts++;
            return target.query(statement);
          },
  });
  const metrics = new Metrics(counting, new OperationsQueries(database));
  metrics.follow(plants);
  await metrics.registry.metrics();
  expect(counts).toBe(1);
  await metrics.registry.metrics();
  expect(counts).toBe(2);
  metrics.registry.clear();
});

it('tells how long the oldest event has waited for open transactions', async () => {
  const queries = new OperationsQueries(database);
  const other = new Client({ connectionString: test.url });
  await other.connect();
  await other.query('BEGIN; SELECT pg_current_xact_id()');
  await grow('plant_late', 'plant');
  await database.query({
    text: `UPDATE es_event SET occurred_at = now() - interval '40 s' WHERE stream_id = 'plant_late'`,
  });
  expect(await queries.watermarkAge()).toBeGreaterThan(39);
  await other.query('COMMIT');
  await other.end();
  await untilAllIsReadable(database);
  expect(await queries.watermarkAge()).toBe(0);
});
