import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Whether a mail leaves without its agent's signature; no draft from before does. */
export class WithoutSignature1795740100000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE draft ADD COLUMN without_signature boolean NOT NULL DEFAULT false');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE draft DROP COLUMN without_signature');
  }
}
