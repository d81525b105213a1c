import type { MigrationInterface, QueryRunner } from 'typeorm';

/** What mails of agents end with. */
export class Signatures1795740200000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE agent ADD COLUMN signature_html text');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE agent DROP COLUMN signature_html');
  }
}
