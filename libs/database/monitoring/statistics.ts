import type { Database } from '../database.js';

/** A table is analyzed when it has this many new rows, and ten times as many as at the last analysis. */
const FEWEST = 100;

/**
 * The statistics target, a tenth of the usual: a table of a few thousand rows is then not read as a whole and sorted by
 * each column.
 */
const DETAIL = 10;

/**
 * Has PostgreSQL analyze tables that have outgrown their statistics, which also makes it plan their statements again. A
 * plan made for an empty table reads all of it when it is large, and autovacuum comes only once a minute: by then an import
 * has recorded thousands of messages. Only tenfold growth matters here; autovacuum does the rest.
 */
export async function analyzeGrownTables(database: Database): Promise<void> {
  const grown = await database.query<{ name: string }>({
    name: 'grown_tables',
    text: `SELECT format('%I.%I', s.schemaname, s.relname) AS name
             FROM pg_stat_user_tables s JOIN pg_class c ON c.oid = s.relid
            WHERE s.schemaname = 'public' AND n_mod_since_analyze > greatest($1, 9 * reltuples)`,
    values: [FEWEST],
  });
  // Skips a table that somebody has locked; the next round analyzes it.
  for (const { name } of grown)
    await database.transaction(async (tx) => {
      await tx.query({ text: `SET LOCAL default_statistics_target = ${DETAIL}` });
      await tx.query({ text: `ANALYZE (SKIP_LOCKED) ${name}` });
    });
}
