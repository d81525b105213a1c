import type { MigrationInterface, QueryRunner } from 'typeorm';
import { createIndexes } from '#database/indexes.js';

const TAGGED = ['conversation', 'contact', 'company', 'sale'];

/**
 * Tags, and the records that have some. Ids of tags are unique over all organizations, so the index of a record's tags needs no
 * organization. `tag_ids` is null without any: whoever looks for one finds by the index that leaves those out.
 * What is not told yet of a changed tag is in `tag_spread`.
 */
export class Tags1795720000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE tag (
        organization_id text COLLATE "C" NOT NULL,
        tag_id          text COLLATE "C" NOT NULL,
        name            text NOT NULL,
        colour          text,
        created_at      timestamptz(6) NOT NULL,
        name_key        text COLLATE "C" NOT NULL,
        order_key       text COLLATE "C" NOT NULL,
        stream_version  int NOT NULL,
        PRIMARY KEY (organization_id, tag_id)
      );
      CREATE INDEX tag_named ON tag (organization_id, md5(name_key));
      CREATE INDEX tag_in_order ON tag (organization_id, order_key, tag_id);
      CREATE TABLE tag_spread (
        organization_id text COLLATE "C" NOT NULL,
        tag_id          text COLLATE "C" NOT NULL,
        author          jsonb NOT NULL,
        after_id        text COLLATE "C" NOT NULL,
        PRIMARY KEY (organization_id, tag_id)
      );
    `);
    for (const table of TAGGED) {
      await runner.query(
        `ALTER TABLE ${table} ADD COLUMN tags jsonb NOT NULL DEFAULT '[]', ADD COLUMN tag_ids text[] COLLATE "C"`,
      );
      await createIndexes(
        runner,
        `CREATE INDEX ${table}_tagged ON ${table} USING gin (tag_ids) WHERE tag_ids IS NOT NULL`,
      );
    }
  }

  async down(runner: QueryRunner): Promise<void> {
    for (const table of TAGGED)
      await runner.query(`ALTER TABLE ${table} DROP COLUMN tags, DROP COLUMN tag_ids`);
    await runner.query('DROP TABLE tag, tag_spread');
  }
}
