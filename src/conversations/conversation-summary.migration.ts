import type { MigrationInterface, QueryRunner } from 'typeorm';
import { createIndexes } from '#database/indexes.js';
import { askForRebuild } from '#event-store/pending-rebuilds.js';

/** What a list of conversations shows of their messages; a rebuild fills it for those that are there. */
export class ConversationSummary1795640000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE message ADD COLUMN preview text NOT NULL DEFAULT '';
      ALTER TABLE conversation
        ADD COLUMN subject        text,
        ADD COLUMN preview        text NOT NULL DEFAULT '',
        ADD COLUMN message_count  int NOT NULL DEFAULT 0,
        ADD COLUMN last_direction text NOT NULL DEFAULT 'received',
        ADD COLUMN last_agent_id  text COLLATE "C",
        ADD COLUMN waiting_since  timestamptz(6),
        ADD COLUMN participants   text[] COLLATE "C" NOT NULL DEFAULT '{}'
    `);
    await createIndexes(
      runner,
      `CREATE INDEX message_with_subject ON message (organization_id, conversation_id, sent_at, message_id)
        WHERE subject <> '';
      CREATE INDEX message_sent ON message (organization_id, conversation_id, sent_at DESC, message_id DESC)
        WHERE message_direction = 'sent'`,
    );
    await askForRebuild(runner, 'conversation');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      DROP INDEX message_with_subject, message_sent;
      ALTER TABLE message DROP COLUMN preview;
      ALTER TABLE conversation DROP COLUMN subject, DROP COLUMN preview, DROP COLUMN message_count, DROP COLUMN last_direction,
        DROP COLUMN last_agent_id, DROP COLUMN waiting_since, DROP COLUMN participants;
    `);
  }
}
