import type { MigrationInterface, QueryRunner } from 'typeorm';
import { createIndexes } from '#database/indexes.js';

/** Comments, how many of them a conversation has, and notices of those who are mentioned. */
export class Comments1795730000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE comment (
        organization_id     text COLLATE "C" NOT NULL,
        comment_id          text COLLATE "C" NOT NULL,
        record_type         text COLLATE "C" NOT NULL,
        record_id           text COLLATE "C" NOT NULL,
        agent_id            text COLLATE "C",
        body                text NOT NULL,
        mentioned_agent_ids jsonb NOT NULL,
        created_at          timestamptz(6) NOT NULL,
        edited_at           timestamptz(6),
        stream_version      int NOT NULL,
        PRIMARY KEY (organization_id, comment_id)
      );
      CREATE INDEX comment_of_record ON comment (organization_id, record_id, created_at DESC, comment_id DESC);
      ALTER TABLE conversation ADD COLUMN comment_count int NOT NULL DEFAULT 0;
      ALTER TABLE review_notice
        ALTER COLUMN draft_id DROP NOT NULL,
        ALTER COLUMN draft_version DROP NOT NULL,
        ADD COLUMN comment_id text COLLATE "C";
    `);
    await createIndexes(
      runner,
      'CREATE INDEX conversation_commented ON conversation (organization_id, contact_id) WHERE comment_count > 0',
    );
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      DELETE FROM review_notice WHERE draft_id IS NULL;
      ALTER TABLE review_notice
        DROP COLUMN comment_id,
        ALTER COLUMN draft_version SET NOT NULL,
        ALTER COLUMN draft_id SET NOT NULL;
      DROP INDEX conversation_commented;
      ALTER TABLE conversation DROP COLUMN comment_count;
      DROP TABLE comment;
    `);
  }
}
