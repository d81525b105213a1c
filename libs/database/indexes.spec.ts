import type { Client } from 'pg';
import type { QueryRunner } from 'typeorm';
import { testDatabase, type TestDatabase } from '../../test/support/database/postgres.js';
import { createIndexes, dropIndexes, makePendingIndexes } from './indexes.js';

let test: TestDatabase;
let client: Client;
let runner: QueryRunner;

const query = async (text: string) => (await client.query(text)).rows;
const indexes = async () =>
  (
    await client.query<{ indexdef: string }>(
      `SELECT indexdef FROM pg_indexes WHERE tablename = 'note' ORDER BY indexname`,
    )
  ).rows.map(({ indexdef }) => indexdef.replace(' ON public.note USING btree ', ' '));
const fill = (rows: number) => query(`INSERT INTO note SELECT n, n FROM generate_series(1, ${rows}) n`);
/** Migrates as TypeORM does. */
const migration = async (...steps: (() => Promise<void>)[]) => {
  await runner.startTransaction();
  for (const step of steps) await step();
  await runner.commitTransaction();
};

beforeAll(async () => {
  test = await testDatabase();
  client = await test.database.connect();
  runner = test.database.source.createQueryRunner();
});
beforeEach(() =>
  query(
    'DROP TABLE IF EXISTS note; CREATE TABLE note (line int, page int); CREATE INDEX note_old ON note (line)',
  ),
);
afterAll(async () => {
  await client.end();
  await runner.release();
  await test.close();
});

const create = (text: string) => () => createIndexes(runner, text);
const drop =
  (...names: string[]) =>
  () =>
    dropIndexes(runner, 'note', names);
const bothWays = create('CREATE INDEX note_by_line ON note (line); CREATE INDEX note_by_page ON note (page)');

describe('indexes of a migration', () => {
  it('are made at once on a table with few rows, in the place of those with their names', async () => {
    await fill(10);
    await migration(bothWays, create('CREATE INDEX note_by_page ON note (page, line)'), drop('note_old'));
    expect(await indexes()).toEqual([
      'CREATE INDEX note_by_line (line)',
      'CREATE INDEX note_by_page (page, line)',
    ]);
    expect(await query('TABLE pending_index')).toEqual([]);
  });

  it('are made later on a table with many rows, and those they replace stay so long', async () => {
    await fill(10_001);
    await migration(bothWays, create('CREATE INDEX note_old ON note (line, page)'), drop('note_gone'));
    expect(await indexes()).toEqual(['CREATE INDEX note_old (line)']);
    await makePendingIndexes(client);
    expect(await indexes()).toEqual([
      'CREATE INDEX note_by_line (line)',
      'CREATE INDEX note_by_page (page)',
      'CREATE INDEX note_old (line, page)',
    ]);
    expect(await query('TABLE pending_index')).toEqual([]);
  });

  it('are dropped after those before them are made', async () => {
    await fill(10_001);
    await migration(bothWays, drop('note_old'));
    expect(await indexes()).toEqual(['CREATE INDEX note_old (line)']);
    await makePendingIndexes(client);
    expect(await indexes()).toEqual(['CREATE INDEX note_by_line (line)', 'CREATE INDEX note_by_page (page)']);
  });

  it('are made while others write', async () => {
    // To make one of them takes longer than the writer waits for a lock.
    await fill(500_000);
    await migration(bothWays);
    const writer = await test.database.connect();
    await writer.query("SET lock_timeout = '50ms'");
    let [isMade, written] = [false, 0];
    const made = makePendingIndexes(client).finally(() => (isMade = true));
    while (!isMade) await writer.query('INSERT INTO note VALUES ($1, 0)', [written++]);
    await made;
    await writer.end();
    expect(await indexes()).toHaveLength(3);
  });

  it('are made by the next attempt where one was interrupted', async () => {
    await fill(10_001);
    await migration(bothWays, create('CREATE INDEX note_old ON note (page)'));
    await query('CREATE INDEX note_by_line_new ON note (page)');
    await makePendingIndexes(client);
    expect(await indexes()).toEqual([
      'CREATE INDEX note_by_line (line)',
      'CREATE INDEX note_by_page (page)',
      'CREATE INDEX note_old (page)',
    ]);
  });

  it('are not asked for by other statements', async () => {
    await expect(createIndexes(runner, 'ALTER TABLE note ADD COLUMN name text')).rejects.toThrow(
      'This makes no index: ALTER TABLE note ADD COLUMN name text',
    );
  });
});
