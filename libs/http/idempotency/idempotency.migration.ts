import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Answers kept under an Idempotency-Key. `request` is the hash of the API key, method, path and Idempotency-Key. */
export class Idempotency1700000090000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE idempotency (
        organization_id text COLLATE "C" NOT NULL,
        request         text COLLATE "C" NOT NULL,
        fingerprint     text NOT NULL,
        status          int NOT NULL,
        headers         jsonb NOT NULL,
        body            text NOT NULL,
        created_at      timestamptz(6) NOT NULL,
        PRIMARY KEY (organization_id, request)
      );
      CREATE INDEX idempotency_by_age ON idempotency (created_at);
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`DROP TABLE idempotency`);
  }
}
