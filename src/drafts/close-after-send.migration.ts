import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Whether a reply closes its conversation, and what had been written to us when it was accepted; no draft from before does. */
export class CloseAfterSend1795710100000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE draft
        ADD COLUMN close_after_send boolean NOT NULL DEFAULT false,
        ADD COLUMN heard_at timestamptz(6)`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE draft DROP COLUMN close_after_send, DROP COLUMN heard_at');
  }
}
