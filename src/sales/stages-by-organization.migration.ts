import type { MigrationInterface, QueryRunner } from 'typeorm';

/** `require_stages` for the sales of one organization; see `Sales1700000600000`, whose own stays for the version before. */
export class StagesByOrganization1700001600000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE FUNCTION require_stages(p_organization_id text, p_sales jsonb) RETURNS jsonb LANGUAGE plpgsql AS $$
      BEGIN
        PERFORM pg_advisory_xact_lock_shared(es_lock_key(p_organization_id, 'pipeline'));
        IF EXISTS (SELECT FROM jsonb_to_recordset(p_sales) AS sale(status_id text)
                    WHERE NOT EXISTS (SELECT FROM stage s WHERE s.organization_id = p_organization_id
                                                            AND s.stage_id = sale.status_id OFFSET 0)) THEN
          RAISE EXCEPTION 'a stage was dropped' USING ERRCODE = 'PE004';
        END IF;
        RETURN p_sales;
      END $$;
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP FUNCTION require_stages(text, jsonb)');
  }
}
