import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Templates of mails and texts. */
export class Templates1795740000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE template (
        organization_id text COLLATE "C" NOT NULL,
        template_id     text COLLATE "C" NOT NULL,
        name            text NOT NULL,
        modality        text NOT NULL,
        subject         text,
        body_html       text NOT NULL,
        created_at      timestamptz(6) NOT NULL,
        name_key        text COLLATE "C" NOT NULL,
        stream_version  int NOT NULL,
        PRIMARY KEY (organization_id, template_id)
      );
      CREATE INDEX template_named ON template (organization_id, name_key, template_id);
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE template');
  }
}
