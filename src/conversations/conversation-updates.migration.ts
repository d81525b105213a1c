import type { MigrationInterface, QueryRunner } from 'typeorm';
import { addUpdatedAt, dropUpdatedAt } from '#event-store/add-updated-at.js';

/** When conversations last changed. */
export class ConversationUpdates1795654300000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await addUpdatedAt(runner, { table: 'conversation', key: 'conversation_id' });
  }

  async down(runner: QueryRunner): Promise<void> {
    await dropUpdatedAt(runner, { table: 'conversation', key: 'conversation_id' });
  }
}
