import type { MigrationInterface, QueryRunner } from 'typeorm';
import { createIndexes } from '#database/indexes.js';

/** Contacts and companies that were merged into others, and the addresses and numbers that lead to those. */
export class CrmMergers1795655000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    for (const table of ['contact', 'company'])
      await runner.query(`
        CREATE TABLE merged_${table} (
          organization_id text COLLATE "C" NOT NULL,
          ${table}_id     text COLLATE "C" NOT NULL,
          into_id         text COLLATE "C" NOT NULL,
          PRIMARY KEY (organization_id, ${table}_id)
        );
        CREATE INDEX merged_${table}_into ON merged_${table} (organization_id, into_id);
      `);
    await runner.query(`
      ALTER TABLE contact ADD COLUMN merged_keys jsonb NOT NULL DEFAULT '[]';
      CREATE TABLE contact_merged_key (
        organization_id text COLLATE "C" NOT NULL,
        match_key       text COLLATE "C" NOT NULL,
        contact_id      text COLLATE "C" NOT NULL,
        PRIMARY KEY (organization_id, match_key, contact_id)
      );
      CREATE INDEX contact_merged_key_of ON contact_merged_key (organization_id, contact_id);
    `);
    await createIndexes(
      runner,
      `CREATE INDEX contact_alike ON contact (organization_id, company_id, name_key, created_at, contact_id)
        WHERE company_id IS NOT NULL AND name_key <> ''`,
    );
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      DROP INDEX contact_alike;
      DROP TABLE contact_merged_key, merged_contact, merged_company;
      ALTER TABLE contact DROP COLUMN merged_keys;
    `);
  }
}
