import type { Database } from './database.js';

/** Any constant: processes that start together take this advisory lock, so that one migrates and the others wait. */
const MIGRATION_LOCK = 7_015_927;

/** Brings the schema up to date. Safe to call from many processes at once. */
export async function migrate(database: Database): Promise<void> {
  const client = await database.connect();
  try {
    await client.query('SELECT pg_advisory_lock($1)', [MIGRATION_LOCK]);
    await database.source.runMigrations();
  } finally {
    await client.query('SELECT pg_advisory_unlock($1)', [MIGRATION_LOCK]).catch(() => {});
    client.release();
  }
}
