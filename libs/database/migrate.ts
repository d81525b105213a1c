import type { Client } from 'pg';
import type { Database } from './database.js';
import { requireCoordinator } from './distributable.js';
import { distributeNew } from './distribute.js';
import { makePendingIndexes } from './indexes.js';
import { type LockOptions, withSchemaLock } from './schema-lock.js';
import { schemaState } from './schema-state.js';
import { TITLE } from '#config/product.js';

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
      await database.source.runMigrations();
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

async function requireUtf8(client: Client): Promise<void> {
  const { rows } = await client.query<{ server_encoding: string }>('SHOW server_encoding');
  const { server_encoding } = rows[0]!;
  if (server_encoding !== 'UTF8')
    throw new WrongEncoding(
      `The database is encoded in ${server_encoding}. Make one with CREATE DATABASE … ENCODING 'UTF8' TEMPLATE template0.`,
    );
}
