import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Sessions of the console, by the SHA-256 of their tokens. `key_id` is null for the operators'. `secret_hash` says with which
 * secret a session began: it is that of the API key's secret, or of the token with the admin key.
 */
export class ConsoleSession1795770000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE console_session (
        token_hash  bytea PRIMARY KEY,
        key_id      text COLLATE "C",
        secret_hash bytea NOT NULL,
        created_at  timestamptz(6) NOT NULL,
        expires_at  timestamptz(6) NOT NULL
      );
      CREATE INDEX console_session_by_end ON console_session (expires_at);
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`DROP TABLE console_session`);
  }
}
