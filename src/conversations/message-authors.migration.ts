import type { MigrationInterface, QueryRunner } from 'typeorm';
import { askForRebuild } from '#event-store/pending-rebuilds.js';

/**
 * Who wrote a message, to whom, and the mail as it came; and which contacts wrote in conversations of others. Columns without a
 * value cost nothing to add, however many messages there are; a rebuild fills them afterwards.
 */
export class MessageAuthors1795629600000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE message
        ADD COLUMN author     jsonb,
        ADD COLUMN recipients jsonb,
        ADD COLUMN copies     jsonb,
        ADD COLUMN raw        jsonb;
      CREATE TABLE conversation_author (
        organization_id text COLLATE "C" NOT NULL,
        contact_id      text COLLATE "C" NOT NULL,
        conversation_id text COLLATE "C" NOT NULL,
        is_own          boolean NOT NULL,
        PRIMARY KEY (organization_id, contact_id, conversation_id)
      );
      CREATE INDEX conversation_author_elsewhere ON conversation_author (organization_id, contact_id, conversation_id)
        WHERE NOT is_own;
      CREATE INDEX conversation_author_of ON conversation_author (organization_id, conversation_id);
    `);
    await askForRebuild(runner, 'conversation');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      DROP TABLE conversation_author;
      ALTER TABLE message DROP COLUMN author, DROP COLUMN recipients, DROP COLUMN copies, DROP COLUMN raw;
    `);
  }
}
