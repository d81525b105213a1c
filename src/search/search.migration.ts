import type { MigrationInterface, QueryRunner } from 'typeorm';

/** What records are found by: a document for each, with what stands for its words. The worker fills it from the feed. */
export class Search1795651800000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE search_document (
        organization_id text COLLATE "C" NOT NULL,
        id              text COLLATE "C" NOT NULL,
        occurred_at     timestamptz(6) NOT NULL,
        tokens          int[] NOT NULL,
        PRIMARY KEY (organization_id, id)
      );
      CREATE INDEX search_document_newest ON search_document (organization_id, occurred_at DESC, id DESC);
      CREATE INDEX search_document_tokens ON search_document USING gin (tokens) WITH (gin_pending_list_limit = 2048);
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE search_document');
  }
}
