import type { MigrationInterface, QueryRunner } from 'typeorm';
import { addUpdatedAt, dropUpdatedAt } from '#event-store/add-updated-at.js';

/** When contacts and companies last changed. */
export class CrmUpdates1795654000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await addUpdatedAt(runner, { table: 'contact', key: 'contact_id' });
    await addUpdatedAt(runner, { table: 'company', key: 'company_id' });
  }

  async down(runner: QueryRunner): Promise<void> {
    await dropUpdatedAt(runner, { table: 'contact', key: 'contact_id' });
    await dropUpdatedAt(runner, { table: 'company', key: 'company_id' });
  }
}
