import type { Database } from '#database/database.js';

/** How many wait for a lock of this mode in the database, such as `ExclusiveLock`, which advisory ones are. */
export async function waitingFor(mode: string, database: Database): Promise<number> {
  const waiting = await database.query({
    text: `SELECT FROM pg_locks JOIN pg_database d ON d.oid = database
            WHERE NOT granted AND mode = $1 AND datname = current_database()`,
    values: [mode],
  });
  return waiting.length;
}
