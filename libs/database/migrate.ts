import { setTimeout as sleep } from 'node:timers/promises';
import type { Client } from 'pg';
import { MigrationExecutor } from 'typeorm';
import type { Database } from './database.js';
import { requireCoordinator } from './distributable.js';
import { distributeNew } from './distribute.js';
import { makePendingIndexes } from './indexes.js';
import { isHeldUp } from './refusal.js';
import { type LockOptions, withSchemaLock } from './schema-lock.js';
import { schemaState } from './schema-state.js';
import { TITLE } from '#config/product.js';

/** Milliseconds that a migration waits for a table, while requests wait behind it. */
const PATIENCE_MS = 500;
/** Milliseconds in which they are answered before it tries again. */
const PAUSE_MS = 2_000;
/** Tries without success that are worth a word. */
const MANY_TRIES = 2;

/** A newer version made the schema; this version does not know what the tables mean. */
export class NewerSchema extends Error {}

/** Others than UTF8 cannot hold every text. */
export class WrongEncoding extends Error {}

/** Brings the schema up to date. Safe to call from many processes at once. Throws `NewerSchema` or `WrongEncoding`. */
export async function migrate(database: Database, options: LockOptions = {}): Promise<void> {
  await withSchemaLock(
    database,
    async (client) => {
      const { unknown } = await schemaState(database);
      if (unknown.length > 0)
        throw new NewerSchema(
          `The database was migrated by a newer version of ${TITLE} (${unknown.join(', ')}). Run that version or a later one.`,
        );
      await runMigrations(database, options);
      if (database.isDistributed) await distributeNew(client);
      await makePendingIndexes(client);
    },
    {
      ...options,
      async first(client) {
        await requireUtf8(client);
        await requireCoordinator(client);
      },
    },
  );
}

/** Runs each pending migration in a transaction. Tries again while a longer one, such as a dump, uses what it changes. */
async function runMigrations(database: Database, { signal, onLongWait }: LockOptions): Promise<void> {
  for (let tries = 1; ; tries++) {
    const runner = database.source.createQueryRunner();
    try {
      await runner.query(`SET lock_timeout = ${PATIENCE_MS}`);
      const executor = new MigrationExecutor(database.source, runner);
      executor.transaction = 'each';
      await executor.executePendingMigrations();
      return;
    } catch (error) {
      if (!isHeldUp(error)) throw error;
    } finally {
      await runner.query('RESET lock_timeout').catch(() => undefined);
      await runner.release();
    }
    if (tries === MANY_TRIES)
      onLongWait?.('a transaction that uses what the migration changes, such as a dump');
    await sleep(PAUSE_MS, null, { signal });
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
