import type { Database } from './database.js';

/** A table is looked at when it has this many new rows, and ten times those of the last look. */
const FEWEST = 100;

/** The detail in which it is looked at, a tenth of the usual: a table of some thousand rows is not read as a whole to be sorted by each column. */
const DETAIL = 10;

/**
 * Has PostgreSQL look at the tables that have outgrown its statistics, which also makes it plan their statements anew. A
 * plan made for an empty table reads all of it when it is large, and autovacuum comes by once a minute: an
 * import has recorded thousands of messages by then. Only tenfold growth matters: the rest is autovacuum's.
 */
export async function lookAtGrownTables(database: Database): Promise<void> {
  const grown = await database.query<{ name: string }>({
    name: 'grown_tables',
    text: `SELECT format('%I.%I', s.schemaname, s.relname) AS name
             FROM pg_stat_user_tables s JOIN pg_class c ON c.oid = s.relid
            WHERE s.schemaname = 'public' AND n_mod_since_analyze > greatest($1, 9 * reltuples)`,
    values: [FEWEST],
  });
  // Not waiting for who changes a table; it will be looked at in the next round.
  for (const { name } of grown)
    await database.transaction(async (tx) => {
      await tx.query({ text: `SET LOCAL default_statistics_target = ${DETAIL}` });
      await tx.query({ text: `ANALYZE (SKIP_LOCKED) ${name}` });
    });
}
