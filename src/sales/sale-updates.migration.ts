import type { MigrationInterface, QueryRunner } from 'typeorm';
import { addUpdatedAt, dropUpdatedAt } from '#event-store/add-updated-at.js';

/** When sales last changed. */
export class SaleUpdates1795654200000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await addUpdatedAt(runner, { table: 'sale', key: 'sale_id' });
  }

  async down(runner: QueryRunner): Promise<void> {
    await dropUpdatedAt(runner, { table: 'sale', key: 'sale_id' });
  }
}
