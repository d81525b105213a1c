import type { Client as Database } from 'pg';

/** Of each row, and in each of two ways. */
const COPIES = 5_000;
/** So many of the rows of others, who share them. */
const OTHERS = 1_000;

/** What operators set up: a few rows of each organization, but of many organizations. */
const CONFIGURATION = new Set([
  'channel',
  'stage',
  'solution',
  'custom_field',
  'webhook',
  'organization',
  'tag',
  'tag_spread',
]);

/** Which rows of a table are copied: of events those that the feed shows. */
const COPIED: Record<string, string> = { es_event: `AND stream_type <> 'setting'` };

/** What tells rows apart in any case, and what may lead to other rows. */
const OWN = /(_key|_hash)$|^(key|uuid|domain|address|request|event_id|external_id)$/;
const LEADING = /_id$/;

/**
 * Copies rows of an organization in every table, so many that reading all of them shows: to itself and to others, of
 * configuration only to others. Gives the tables that are large now.
 */
export async function multiplied(database: Database, organizationId: string): Promise<Set<string>> {
  const { rows } = await database.query<Table>(
    `SELECT c.relname AS name, (SELECT attname FROM pg_index JOIN pg_attribute ON attrelid = indrelid AND attnum = indkey[indnatts - 1]
                                 WHERE indrelid = c.oid AND indisprimary) AS key,
            json_agg(json_build_object('name', attname, 'type', format_type(atttypid, NULL))) AS columns
       FROM pg_class c JOIN pg_attribute a ON attrelid = c.oid AND attnum > 0 AND attidentity = '' AND attgenerated = '' AND NOT attisdropped
      WHERE relkind = 'r' AND relnamespace = 'public'::regnamespace
      GROUP BY c.oid, c.relname HAVING bool_or(attname = 'organization_id')`,
  );
  const grown = new Set<string>();
  for (const table of rows) {
    let copied = 0;
    for (const way of ['strangers', 'siblings'] as const) {
      const { rowCount } = await database.query(
        `INSERT INTO ${table.name} (${table.columns.map(({ name }) => `"${name}"`).join(', ')})
         SELECT ${table.columns.map((column) => copyOf(table, column, way)).join(', ')}
           FROM (SELECT * FROM ${table.name} WHERE organization_id = $1 ${COPIED[table.name] ?? ''} LIMIT 2) t, generate_series(1, ${COPIES}) n
             ON CONFLICT DO NOTHING`,
        [organizationId],
      );
      copied += rowCount!;
    }
    if (copied >= COPIES) grown.add(table.name);
  }
  return grown;
}

interface Table {
  name: string;
  /** The last column of the primary key. */
  key: string;
  columns: Column[];
}

interface Column {
  name: string;
  type: string;
}

/** Strangers have no id in common with the row that they are made of; siblings share what it belongs to. */
function copyOf(table: Table, { name, type }: Column, way: 'strangers' | 'siblings'): string {
  const column = `t."${name}"`;
  if (name === 'organization_id')
    return CONFIGURATION.has(table.name)
      ? `${column} || '_' || n`
      : `CASE WHEN n % 3 = 0 THEN ${column} || '_' || n % ${OTHERS} ELSE ${column} END`;
  if (type === 'uuid') return 'gen_random_uuid()';
  if (type.startsWith('timestamp')) return `${column} - n * interval '3 hours'`;
  const differs = name === table.key || OWN.test(name) || (way === 'strangers' && LEADING.test(name));
  return type === 'text' && differs ? `${column} || '_${way}_' || n` : column;
}
