import type { MigrationInterface, QueryRunner } from 'typeorm';
import { createIndexes } from '#database/indexes.js';
import { askForRebuild } from '#event-store/pending-rebuilds.js';

/** Finds first messages to a contact however its address or number is spelt. A rebuild fills the column. */
export class RecipientKeys1795790100000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE draft ADD COLUMN recipient_key text COLLATE "C"');
    await runner.query('DROP INDEX IF EXISTS draft_to_email');
    await runner.query('DROP INDEX IF EXISTS draft_to_number');
    await createIndexes(
      runner,
      `CREATE INDEX draft_to ON draft (organization_id, recipient_key, created_at DESC, draft_id DESC)
        WHERE kind = 'message' AND message_id IS NULL`,
    );
    await askForRebuild(runner, 'draft');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE INDEX draft_to_email ON draft (organization_id, recipient_email, created_at DESC, draft_id DESC)
        WHERE kind = 'message' AND modality = 'email' AND message_id IS NULL;
      CREATE INDEX draft_to_number ON draft (organization_id, recipient_phone_number, created_at DESC, draft_id DESC)
        WHERE kind = 'message' AND modality = 'text' AND message_id IS NULL;
      ALTER TABLE draft DROP COLUMN recipient_key;
    `);
  }
}
