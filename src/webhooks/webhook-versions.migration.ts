import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Versions of webhooks, raised by each change of what is shown of them: what their ETags are made of. */
export class WebhookVersions1795790300000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE webhook ADD COLUMN version int NOT NULL DEFAULT 1');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE webhook DROP COLUMN version');
  }
}
