import { setTimeout as sleep } from 'node:timers/promises';
import type { Client } from 'pg';
import type { Database } from './database.js';

/** Any constant. Processes that start together take this advisory lock: one changes the schema and the others wait. */
const SCHEMA_LOCK = 7_015_927;
const PAUSE_MS = 100;
/** Milliseconds of waiting that are worth a word. */
const LONG_MS = 3_000;

/** `signal` aborts waiting; `onLongWait` is told for what, when that takes long. */
export interface LockOptions {
  signal?: AbortSignal | undefined;
  onLongWait?: (forWhat: string) => void;
}

/** Runs `work` while no other process changes the schema, on the connection that has the lock; `first` runs before there is one. */
export async function withSchemaLock<Result>(
  database: Database,
  work: (client: Client) => Promise<Result>,
  { first, ...options }: LockOptions & { first?: (client: Client) => Promise<void> } = {},
): Promise<Result> {
  const client = await database.connect();
  try {
    await first?.(client);
    await lock(client, options);
    return await work(client);
  } finally {
    await client.end();
  }
}

/** Asks again and again, since a wait within PostgreSQL could not be aborted. */
async function lock(client: Client, { signal, onLongWait }: LockOptions): Promise<void> {
  for (let waited = 0; ; waited += PAUSE_MS) {
    const { rowCount } = await client.query('SELECT WHERE pg_try_advisory_lock($1)', [SCHEMA_LOCK]);
    if (rowCount === 1) return;
    if (waited === LONG_MS) onLongWait?.('another process that migrates the database');
    await sleep(PAUSE_MS, null, { signal });
  }
}
