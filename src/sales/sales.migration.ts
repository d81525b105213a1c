import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Sales, and the conversations that each is associated with, so that a message finds its sales. `require_stages` returns
 * the rows of sales whose stages exist. A stage must not be dropped while a sale enters it, so whoever drops one and the
 * writers of sales wait for each other.
 */
export class Sales1700000600000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE sale (
        organization_id             text COLLATE "C" NOT NULL,
        sale_id                     text COLLATE "C" NOT NULL,
        company_id                  text COLLATE "C",
        owner_id                    text COLLATE "C",
        associated_contacts         jsonb NOT NULL,
        associated_conversation_ids jsonb NOT NULL,
        status_id                   text COLLATE "C" NOT NULL,
        status_history              jsonb NOT NULL,
        quote_details               jsonb,
        custom_fields               jsonb NOT NULL,
        created_at                  timestamptz(6) NOT NULL,
        last_activity_at            timestamptz(6) NOT NULL,
        stream_version              int NOT NULL,
        PRIMARY KEY (organization_id, sale_id)
      );
      CREATE INDEX sale_newest ON sale (organization_id, last_activity_at DESC, sale_id DESC);
      CREATE INDEX sale_by_owner ON sale (organization_id, owner_id, last_activity_at DESC, sale_id DESC)
        WHERE owner_id IS NOT NULL;
      CREATE INDEX sale_by_company ON sale (organization_id, company_id, last_activity_at DESC, sale_id DESC)
        WHERE company_id IS NOT NULL;
      CREATE INDEX sale_by_stage ON sale (organization_id, status_id, last_activity_at DESC, sale_id DESC);
      CREATE TABLE sale_conversation (
        organization_id text COLLATE "C" NOT NULL,
        conversation_id text COLLATE "C" NOT NULL,
        sale_id         text COLLATE "C" NOT NULL,
        PRIMARY KEY (organization_id, conversation_id, sale_id)
      );
      CREATE INDEX sale_conversation_by_sale ON sale_conversation (organization_id, sale_id);
      CREATE FUNCTION require_stages(p_sales jsonb) RETURNS jsonb LANGUAGE plpgsql AS $$
      BEGIN
        PERFORM pg_advisory_xact_lock_shared(locks.key)
           FROM (SELECT DISTINCT es_lock_key(organization_id, 'pipeline') AS key
                   FROM jsonb_to_recordset(p_sales) AS s(organization_id text) ORDER BY 1 OFFSET 0) locks;
        IF EXISTS (SELECT FROM jsonb_to_recordset(p_sales) AS sale(organization_id text, status_id text)
                    WHERE NOT EXISTS (SELECT FROM stage s WHERE s.organization_id = sale.organization_id
                                                            AND s.stage_id = sale.status_id OFFSET 0)) THEN
          RAISE EXCEPTION 'a stage was dropped' USING ERRCODE = 'PE004';
        END IF;
        RETURN p_sales;
      END $$;
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`DROP FUNCTION require_stages(jsonb); DROP TABLE sale_conversation, sale`);
  }
}
