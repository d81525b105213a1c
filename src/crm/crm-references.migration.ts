import type { MigrationInterface, QueryRunner } from 'typeorm';
import { addExternalIds, dropExternalIds } from '#event-store/add-external-ids.js';

/** What other systems keep with contacts and companies. */
export class CrmReferences1795652000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await addExternalIds(runner, { table: 'contact', key: 'contact_id' });
    await addExternalIds(runner, { table: 'company', key: 'company_id' });
  }

  async down(runner: QueryRunner): Promise<void> {
    await dropExternalIds(runner, { table: 'contact', key: 'contact_id' });
    await dropExternalIds(runner, { table: 'company', key: 'company_id' });
  }
}
