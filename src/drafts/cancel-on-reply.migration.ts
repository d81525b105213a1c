import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Whether a reply is kept from leaving once the contact has written; no draft from before is. */
export class CancelOnReply1795630200000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`ALTER TABLE draft ADD COLUMN cancel_on_reply boolean NOT NULL DEFAULT false`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`ALTER TABLE draft DROP COLUMN cancel_on_reply`);
  }
}
