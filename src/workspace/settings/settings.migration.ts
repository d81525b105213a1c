import type { MigrationInterface, QueryRunner } from 'typeorm';

/** What the events of settings come to. */
export class Settings1795652600000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE setting (
        organization_id text COLLATE "C" NOT NULL,
        setting_id      text COLLATE "C" NOT NULL,
        record_type     text NOT NULL,
        fields          jsonb NOT NULL,
        stream_version  int NOT NULL,
        PRIMARY KEY (organization_id, setting_id)
      );
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE setting');
  }
}
