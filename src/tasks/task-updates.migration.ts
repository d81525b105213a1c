import type { MigrationInterface, QueryRunner } from 'typeorm';
import { addUpdatedAt, dropUpdatedAt } from '#event-store/add-updated-at.js';

/** When tasks last changed. */
export class TaskUpdates1795654100000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await addUpdatedAt(runner, { table: 'task', key: 'task_id' });
  }

  async down(runner: QueryRunner): Promise<void> {
    await dropUpdatedAt(runner, { table: 'task', key: 'task_id' });
  }
}
