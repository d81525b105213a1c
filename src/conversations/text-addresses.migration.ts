import type { MigrationInterface, QueryRunner } from 'typeorm';

/** The addresses of texts that are not answered at a number; null in the rows of other messages, and of those from before. */
export class TextAddresses1700001200000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`ALTER TABLE message ADD COLUMN text_addresses jsonb`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`ALTER TABLE message DROP COLUMN text_addresses`);
  }
}
