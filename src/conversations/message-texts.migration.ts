import type { MigrationInterface, QueryRunner } from 'typeorm';
import { createIndexes } from '#database/indexes.js';

/** The latest text of a conversation, for where a reply goes: in one of many mails it is far behind, or nowhere. */
export class MessageTexts1795750000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await createIndexes(
      runner,
      `CREATE INDEX message_texts ON message (organization_id, conversation_id, sent_at DESC, message_id DESC)
        WHERE modality IN ('text', 'call') AND message_direction = 'received'`,
    );
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP INDEX message_texts');
  }
}
