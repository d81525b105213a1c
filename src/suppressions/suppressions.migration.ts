import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Addresses and numbers that nothing more is sent to, each once. */
export class Suppressions1795634400000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE suppression (
        organization_id text COLLATE "C" NOT NULL,
        suppression_id  text COLLATE "C" NOT NULL,
        email           text,
        phone_number    text,
        address_key     text COLLATE "C" NOT NULL,
        reason          text NOT NULL,
        created_at      timestamptz(6) NOT NULL,
        stream_version  int NOT NULL,
        PRIMARY KEY (organization_id, suppression_id)
      );
      CREATE UNIQUE INDEX suppression_of_address ON suppression (organization_id, address_key);
      CREATE INDEX suppression_newest ON suppression (organization_id, created_at DESC, suppression_id DESC);
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`DROP TABLE suppression`);
  }
}
