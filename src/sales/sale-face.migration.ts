import type { MigrationInterface, QueryRunner } from 'typeorm';
import { createIndexes } from '#database/indexes.js';
import { addExternalIds, dropExternalIds } from '#event-store/add-external-ids.js';
import { askForRebuild } from '#event-store/pending-rebuilds.js';

const SALE = { table: 'sale', key: 'sale_id' };

/**
 * What sales are called, when they are expected to close, when they closed, and what other systems keep with them. A rebuild finds
 * out when sales have closed, and adds it to their audit records.
 */
export class SaleFace1795652200000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await addExternalIds(runner, SALE);
    await runner.query(`
      ALTER TABLE sale
        ADD COLUMN name text,
        ADD COLUMN expected_close_on text COLLATE "C",
        ADD COLUMN closed_at timestamptz(6)
    `);
    await createIndexes(
      runner,
      `CREATE INDEX sale_by_expected_close ON sale (organization_id, expected_close_on)
        WHERE expected_close_on IS NOT NULL`,
    );
    await askForRebuild(runner, 'sale');
    await askForRebuild(runner, 'audit');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(
      'ALTER TABLE sale DROP COLUMN name, DROP COLUMN expected_close_on, DROP COLUMN closed_at',
    );
    await dropExternalIds(runner, SALE);
  }
}
