import type { MigrationInterface, QueryRunner } from 'typeorm';
import { createIndexes } from '#database/indexes.js';

/** What lists of drafts are narrowed to and ordered by. */
export class DraftLists1795651600000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await createIndexes(
      runner,
      `CREATE INDEX draft_replies ON draft (organization_id, created_at DESC, draft_id DESC)
        WHERE kind = 'response' AND message_id IS NULL;
      CREATE INDEX draft_by_status ON draft (organization_id, kind, (delivery ->> 'status'), created_at DESC, draft_id DESC)
        WHERE message_id IS NULL;
      CREATE INDEX draft_by_folder ON draft (organization_id, folder, created_at DESC, draft_id DESC)
        WHERE kind = 'message' AND message_id IS NULL;
      CREATE INDEX draft_by_agent ON draft (organization_id, agent_id, created_at DESC, draft_id DESC)
        WHERE kind = 'message' AND message_id IS NULL;
      CREATE INDEX draft_scheduled ON draft (organization_id, kind, scheduled_send_at, draft_id)
        WHERE message_id IS NULL AND scheduled_send_at IS NOT NULL`,
    );
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(
      'DROP INDEX draft_replies, draft_by_status, draft_by_folder, draft_by_agent, draft_scheduled',
    );
  }
}
