import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Names of read models whose rows an update of the program has left incomplete. */
export class PendingRebuilds1795629500000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`CREATE TABLE pending_rebuild (name text COLLATE "C" PRIMARY KEY)`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE pending_rebuild');
  }
}
