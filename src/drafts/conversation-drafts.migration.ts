import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * That a conversation got a reply, or lost it, is told in its own stream, no longer in a table of its own. And PostgreSQL learns how many
 * drafts have which status: it takes that of an expression for rare.
 */
export class ConversationDrafts1795700000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      DROP TABLE conversation_draft;
      CREATE STATISTICS draft_status ON (delivery ->> 'status') FROM draft;
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      DROP STATISTICS IF EXISTS draft_status;
      CREATE TABLE conversation_draft (
        organization_id text COLLATE "C" NOT NULL,
        conversation_id text COLLATE "C" NOT NULL,
        changed_at      timestamptz(6) NOT NULL,
        PRIMARY KEY (organization_id, conversation_id)
      );
      CREATE INDEX conversation_draft_changed ON conversation_draft (organization_id, changed_at, conversation_id);
    `);
  }
}
