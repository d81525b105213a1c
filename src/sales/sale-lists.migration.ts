import type { MigrationInterface, QueryRunner } from 'typeorm';
import { createIndexes } from '#database/indexes.js';

/** What lists of sales are narrowed to and ordered by. */
export class SaleLists1795651400000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await createIndexes(
      runner,
      `CREATE INDEX sale_created ON sale (organization_id, created_at DESC, sale_id DESC);
      CREATE INDEX sale_by_value ON sale
        (organization_id, coalesce((quote_details #>> '{output,total_price}')::numeric, '-Infinity') DESC, sale_id DESC);
      CREATE INDEX sale_contacts ON sale USING gin (associated_contacts jsonb_path_ops);
      CREATE INDEX sale_custom ON sale USING gin (custom_fields jsonb_path_ops) WHERE custom_fields <> '{}'`,
    );
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP INDEX sale_created, sale_by_value, sale_contacts, sale_custom');
  }
}
