import type { MigrationInterface, QueryRunner } from 'typeorm';
import { createIndexes } from '#database/indexes.js';
import { askForRebuild } from '#event-store/pending-rebuilds.js';

/** What contacts and companies are found and ordered by; a rebuild gives those that are there their keys. */
export class CrmLists1795651200000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    for (const table of ['contact', 'company']) {
      await runner.query(`ALTER TABLE ${table} ADD COLUMN name_key text COLLATE "C" NOT NULL DEFAULT ''`);
      await createIndexes(
        runner,
        `CREATE INDEX ${table}_named ON ${table} (organization_id, name_key, ${table}_id);
        CREATE INDEX ${table}_custom ON ${table} USING gin (custom_fields jsonb_path_ops) WHERE custom_fields <> '{}'`,
      );
      await askForRebuild(runner, table);
    }
  }

  async down(runner: QueryRunner): Promise<void> {
    for (const table of ['contact', 'company'])
      await runner.query(`
        DROP INDEX ${table}_named, ${table}_custom;
        ALTER TABLE ${table} DROP COLUMN name_key;
      `);
  }
}
