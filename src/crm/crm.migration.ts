import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Rows of contacts and companies, and the indexes of their lists and of contact matching. */
export class Crm1700000200000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE contact (
        organization_id text COLLATE "C" NOT NULL,
        contact_id      text COLLATE "C" NOT NULL,
        name            text NOT NULL,
        email           text NOT NULL,
        phone_number    text NOT NULL,
        email_key       text COLLATE "C",
        phone_key       text COLLATE "C",
        company_id      text COLLATE "C",
        company_role    text,
        custom_fields   jsonb NOT NULL,
        created_at      timestamptz(6) NOT NULL,
        stream_version  int NOT NULL,
        PRIMARY KEY (organization_id, contact_id)
      );
      CREATE INDEX contact_newest ON contact (organization_id, created_at DESC, contact_id DESC);
      CREATE INDEX contact_by_email ON contact (organization_id, email_key, created_at, contact_id)
        WHERE email_key IS NOT NULL;
      CREATE INDEX contact_by_phone ON contact (organization_id, phone_key, created_at, contact_id)
        WHERE phone_key IS NOT NULL;
      CREATE INDEX contact_by_name ON contact (organization_id, md5(name)) WHERE email_key IS NULL AND phone_key IS NULL;
      CREATE INDEX contact_by_company ON contact (organization_id, company_id, created_at DESC, contact_id DESC)
        WHERE company_id IS NOT NULL;
      CREATE TABLE company (
        organization_id text COLLATE "C" NOT NULL,
        company_id      text COLLATE "C" NOT NULL,
        name            text NOT NULL,
        domain          text COLLATE "C",
        custom_fields   jsonb NOT NULL,
        address         text,
        agent_id        text COLLATE "C",
        created_at      timestamptz(6) NOT NULL,
        stream_version  int NOT NULL,
        PRIMARY KEY (organization_id, company_id)
      );
      CREATE INDEX company_newest ON company (organization_id, created_at DESC, company_id DESC);
      CREATE INDEX company_by_domain ON company (organization_id, md5(domain), created_at DESC, company_id DESC)
        WHERE domain IS NOT NULL;
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`DROP TABLE company, contact`);
  }
}
