import type { MigrationInterface, QueryRunner } from 'typeorm';
import { askForRebuild } from '#event-store/pending-rebuilds.js';

/** What contacts that were merged into others were reached by. Rebuilds fill it in for earlier mergers, and have search find it. */
export class CrmOthers1795790700000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    for (const column of COLUMNS)
      await runner.query(`ALTER TABLE contact ADD COLUMN ${column} jsonb NOT NULL DEFAULT '[]'`);
    for (const name of ['contact', 'audit', 'search']) await askForRebuild(runner, name);
  }

  async down(runner: QueryRunner): Promise<void> {
    for (const column of COLUMNS) await runner.query(`ALTER TABLE contact DROP COLUMN ${column}`);
  }
}

const COLUMNS = ['merged_people', 'other_emails', 'other_phone_numbers'];
