import type { Database } from './database.js';
import { schemaState } from './schema-state.js';

/** Any constant. Processes that start together take this advisory lock: one migrates and the others wait. */
const MIGRATION_LOCK = 7_015_927;

/** A newer version made the schema; this version does not know what the tables mean. */
export class NewerSchema extends Error {}

/** Brings the schema up to date. Safe to call from many processes at once. Throws `NewerSchema`. */
export async function migrate(database: Database): Promise<void> {
  const client = await database.connect();
  try {
    await client.query('SELECT pg_advisory_lock($1)', [MIGRATION_LOCK]);
    const { unknown } = await schemaState(database);
    if (unknown.length > 0)
      throw new NewerSchema(
        `The database was migrated by a newer version of Parley (${unknown.join(', ')}). Run that version or a later one.`,
      );
    await database.source.runMigrations();
  } finally {
    await client.query('SELECT pg_advisory_unlock($1)', [MIGRATION_LOCK]).catch(() => {});
    client.release();
  }
}
