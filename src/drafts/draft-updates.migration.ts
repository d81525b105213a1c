import type { MigrationInterface, QueryRunner } from 'typeorm';
import { addUpdatedAt, dropUpdatedAt } from '#event-store/add-updated-at.js';

/** When drafts last changed, and when a conversation last got a reply to be sent or lost one. */
export class DraftUpdates1795654400000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await addUpdatedAt(runner, { table: 'draft', key: 'draft_id' }, [
      { name: 'message_updated', where: "kind = 'message' AND message_id IS NULL" },
      { name: 'response_updated', where: "kind = 'response' AND message_id IS NULL" },
    ]);
    await runner.query(`
      CREATE TABLE conversation_draft (
        organization_id text COLLATE "C" NOT NULL,
        conversation_id text COLLATE "C" NOT NULL,
        changed_at      timestamptz(6) NOT NULL,
        PRIMARY KEY (organization_id, conversation_id)
      );
      CREATE INDEX conversation_draft_changed ON conversation_draft (organization_id, changed_at, conversation_id);
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE conversation_draft; DROP INDEX draft_to_email, draft_to_number');
    await dropUpdatedAt(runner, { table: 'draft', key: 'draft_id' });
  }
}
