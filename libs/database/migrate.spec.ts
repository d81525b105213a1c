import type { MigrationInterface, QueryRunner } from 'typeorm';
import { testDatabase, type TestDatabase } from '../../test/support/database/postgres.js';
import { until } from '../../test/support/until.js';
import { openDatabase } from './data-source.js';
import { migrate } from './migrate.js';

class AddPage1999000000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query('CREATE TABLE page (nr int)');
    await runner.query('ALTER TABLE note ADD COLUMN page int');
  }

  async down(): Promise<void> {}
}

let test: TestDatabase;

beforeAll(async () => {
  test = await testDatabase();
  await test.database.query({ text: 'CREATE TABLE note (line int)' });
});

afterAll(() => test.close());

it('lets requests be answered while it waits for a dump, and migrates after that', async () => {
  const before = test.database.source.options.migrations as [];
  const next = await openDatabase({
    url: test.url,
    poolSize: 2,
    entities: [],
    migrations: [...before, AddPage1999000000000],
  });
  const dump = await test.database.connect();
  try {
    await dump.query('BEGIN; TABLE note');
    const waits: string[] = [];
    const migrated = migrate(next, { onLongWait: (forWhat) => waits.push(forWhat) });
    await until(() => waits.length > 0);
    await test.database.query({ text: 'INSERT INTO note VALUES (1)' });
    expect(waits).toEqual(['a transaction that uses what the migration changes, such as a dump']);
    await dump.query('COMMIT');
    await migrated;
    expect(await next.query({ text: 'TABLE note' })).toEqual([{ line: 1, page: null }]);
    expect(await next.query({ text: 'TABLE page' })).toEqual([]);
  } finally {
    await dump.end();
    await next.close();
  }
});
