import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Which conversations somebody merged; the others turned out to be part of one by a message. */
export class ConversationMergers1795655100000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE merged_conversation ADD COLUMN by_hand boolean NOT NULL DEFAULT false');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE merged_conversation DROP COLUMN by_hand');
  }
}
