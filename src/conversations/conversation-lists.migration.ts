import type { MigrationInterface, QueryRunner } from 'typeorm';
import { createIndexes } from '#database/indexes.js';

/** What lists of conversations are narrowed to and ordered by. */
export class ConversationLists1795651300000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await createIndexes(
      runner,
      `CREATE INDEX conversation_by_folder
        ON conversation (organization_id, folder, last_activity_at DESC, conversation_id DESC) WHERE folder IS NOT NULL;
      CREATE INDEX conversation_by_modality
        ON conversation (organization_id, last_modality, last_activity_at DESC, conversation_id DESC);
      CREATE INDEX conversation_unread
        ON conversation (organization_id, last_activity_at DESC, conversation_id DESC) WHERE NOT is_read;
      CREATE INDEX conversation_unowned
        ON conversation (organization_id, last_activity_at DESC, conversation_id DESC) WHERE agent_id IS NULL;
      CREATE INDEX conversation_waiting
        ON conversation (organization_id, waiting_since, conversation_id) WHERE waiting_since IS NOT NULL`,
    );
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(
      'DROP INDEX conversation_by_folder, conversation_by_modality, conversation_unread, conversation_unowned, conversation_waiting',
    );
  }
}
