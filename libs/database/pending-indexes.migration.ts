import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Indexes that migrations have left for later: to be made, or without a statement to be dropped. */
export class PendingIndexes1795629550000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE pending_index (
        nr        bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
        name      text COLLATE "C" NOT NULL,
        statement text
      )
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE pending_index');
  }
}
