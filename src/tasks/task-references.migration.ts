import type { MigrationInterface, QueryRunner } from 'typeorm';
import { addExternalIds, dropExternalIds } from '#event-store/add-external-ids.js';

const TASK = { table: 'task', key: 'task_id' };

/** What other systems keep with tasks. */
export class TaskReferences1795652100000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await addExternalIds(runner, TASK);
  }

  async down(runner: QueryRunner): Promise<void> {
    await dropExternalIds(runner, TASK);
  }
}
