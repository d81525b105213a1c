import type { MigrationInterface, QueryRunner } from 'typeorm';
import { createIndexes } from '#database/indexes.js';
import { askForRebuild } from '#event-store/pending-rebuilds.js';

/**
 * Whether conversations are open, snoozed or closed. All that are there are open, as their events say; a rebuild adds it to the audit
 * records of their beginnings. What is due to wake up is read by the first index, over all organizations.
 */
export class ConversationStatus1795710000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE conversation
        ADD COLUMN status        text COLLATE "C" NOT NULL DEFAULT 'open',
        ADD COLUMN snoozed_until timestamptz(6),
        ADD COLUMN heard_at      timestamptz(6)
    `);
    await createIndexes(
      runner,
      `CREATE INDEX conversation_snoozed ON conversation (snoozed_until, organization_id) WHERE snoozed_until IS NOT NULL;
      CREATE INDEX conversation_by_status
        ON conversation (organization_id, status, last_activity_at DESC, conversation_id DESC);
      CREATE INDEX conversation_updated_by_status ON conversation (organization_id, status, updated_at, conversation_id);
      CREATE INDEX conversation_waiting_by_status
        ON conversation (organization_id, status, waiting_since, conversation_id) WHERE waiting_since IS NOT NULL`,
    );
    await askForRebuild(runner, 'audit');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(
      'ALTER TABLE conversation DROP COLUMN status, DROP COLUMN snoozed_until, DROP COLUMN heard_at',
    );
  }
}
