import type { MigrationInterface, QueryRunner } from 'typeorm';
import { createIndexes } from '#database/indexes.js';

/** What lists of tasks are narrowed to and ordered by. */
export class TaskLists1795651500000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await createIndexes(
      runner,
      `CREATE INDEX task_open_due ON task (organization_id, due_at, task_id) WHERE completed_at IS NULL AND due_at IS NOT NULL;
      CREATE INDEX task_due ON task (organization_id, due_at, task_id) WHERE due_at IS NOT NULL`,
    );
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP INDEX task_open_due, task_due');
  }
}
