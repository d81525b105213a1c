import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Where in the log of this cluster the latest write of each key is, so that its reads wait for a replica to have it. The key is
 * an API key's id, or stands for the operators. A row is of use for a minute.
 */
export class WritePosition1795780000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE write_position (
        key_id     text COLLATE "C" PRIMARY KEY,
        position   pg_lsn NOT NULL,
        written_at timestamptz(6) NOT NULL
      );
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`DROP TABLE write_position`);
  }
}
