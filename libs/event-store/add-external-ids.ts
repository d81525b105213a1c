import type { QueryRunner } from 'typeorm';
import { externalIdTable } from './external-ids.js';
import type { AnyRowTable } from './rows.js';

type Table = Pick<AnyRowTable, 'table' | 'key'>;

/** For a migration: lets an aggregate's records have external ids and metadata, and be found by them. */
export const addExternalIds = (runner: QueryRunner, { table, key }: Table): Promise<unknown> =>
  runner.query(`
    ALTER TABLE ${table}
      ADD COLUMN external_id text,
      ADD COLUMN metadata jsonb NOT NULL DEFAULT '{}',
      ADD COLUMN merged_external_ids jsonb NOT NULL DEFAULT '[]';
    CREATE TABLE ${externalIdTable(table)} (
      organization_id text COLLATE "C" NOT NULL,
      external_key    text COLLATE "C" NOT NULL,
      ${key}          text COLLATE "C" NOT NULL,
      PRIMARY KEY (organization_id, external_key, ${key})
    );
    CREATE INDEX ${externalIdTable(table)}_of ON ${externalIdTable(table)} (organization_id, ${key});
  `);

/** The way back. */
export const dropExternalIds = (runner: QueryRunner, { table }: Table): Promise<unknown> =>
  runner.query(`
    DROP TABLE ${externalIdTable(table)};
    ALTER TABLE ${table} DROP COLUMN external_id, DROP COLUMN metadata, DROP COLUMN merged_external_ids;
  `);
