import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * All recipients of a reply, where there may be several, and the addresses of a text that is not sent to a number. Null in the rows of
 * drafts from before.
 */
export class DraftRecipients1700001100000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(
      `ALTER TABLE draft ADD COLUMN recipient_emails jsonb, ADD COLUMN text_addresses jsonb`,
    );
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`ALTER TABLE draft DROP COLUMN recipient_emails, DROP COLUMN text_addresses`);
  }
}
