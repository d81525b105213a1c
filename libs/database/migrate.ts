import { setTimeout as sleep } from 'node:timers/promises';
import type { Client } from 'pg';
import type { Database } from './database.js';
import { schemaState } from './schema-state.js';
import { TITLE } from '#config/product.js';

/** Any constant. Processes that start together take this advisory lock: one migrates and the others wait. */
const MIGRATION_LOCK = 7_015_927;
const PAUSE_MS = 100;
/** Milliseconds of waiting that are worth a word. */
const LONG_MS = 3_000;

/** A newer version made the schema; this version does not know what the tables mean. */
export class NewerSchema extends Error {}

/** Others than UTF8 cannot hold every text. */
export class WrongEncoding extends Error {}

/** `signal` aborts waiting for another process that migrates; `onLongWait` is called when that takes long. */
export interface MigrateOptions {
  signal?: AbortSignal | undefined;
  onLongWait?: () => void;
}

/** Brings the schema up to date. Safe to call from many processes at once. Throws `NewerSchema` or `WrongEncoding`. */
export async function migrate(database: Database, options: MigrateOptions = {}): Promise<void> {
  const client = await database.connect();
  try {
    await requireUtf8(client);
    await lock(client, options);
    const { unknown } = await schemaState(database);
    if (unknown.length > 0)
      throw new NewerSchema(
        `The database was migrated by a newer version of ${TITLE} (${unknown.join(', ')}). Run that version or a later one.`,
      );
    await database.source.runMigrations();
  } finally {
    await client.end();
  }
}

async function requireUtf8(client: Client): Promise<void> {
  const { rows } = await client.query<{ server_encoding: string }>('SHOW server_encoding');
  const { server_encoding } = rows[0]!;
  if (server_encoding !== 'UTF8')
    throw new WrongEncoding(
      `The database is encoded in ${server_encoding}. Make one with CREATE DATABASE … ENCODING 'UTF8' TEMPLATE template0.`,
    );
}

/** Asks again and again, since a wait within PostgreSQL could not be aborted. */
async function lock(client: Client, { signal, onLongWait }: MigrateOptions): Promise<void> {
  for (let waited = 0; ; waited += PAUSE_MS) {
    const { rowCount } = await client.query('SELECT WHERE pg_try_advisory_lock($1)', [MIGRATION_LOCK]);
    if (rowCount === 1) return;
    if (waited === LONG_MS) onLongWait?.();
    await sleep(PAUSE_MS, null, { signal });
  }
}
