import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Uploaded files, and those that drafts carry. */
export class Files1795642000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE file (
        organization_id text COLLATE "C" NOT NULL,
        file_id         text COLLATE "C" NOT NULL,
        file_name       text NOT NULL,
        content_type    text NOT NULL,
        size            int NOT NULL,
        sha256          text COLLATE "C" NOT NULL,
        created_at      timestamptz(6) NOT NULL,
        draft_ids       text[] COLLATE "C" NOT NULL,
        unused_since    timestamptz(6),
        stream_version  int NOT NULL,
        PRIMARY KEY (organization_id, file_id)
      );
      CREATE INDEX file_by_hash ON file (organization_id, sha256);
      CREATE INDEX file_unused ON file (unused_since) WHERE unused_since IS NOT NULL;
      ALTER TABLE draft ADD COLUMN files jsonb NOT NULL DEFAULT '[]';
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`DROP TABLE file; ALTER TABLE draft DROP COLUMN files`);
  }
}
