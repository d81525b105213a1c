import { randomBytes } from 'node:crypto';
import { Client } from 'pg';
import { openDatabase } from '#database/data-source.js';
import type { Database } from '#database/database.js';
import { ownedBy } from './test-server.js';
import { ENTITIES, MIGRATIONS } from '../../../src/app/schema.js';

/** A migrated, empty database of one test file. */
export interface TestDatabase {
  database: Database;
  url: string;
  /** Closes the connections and drops the database. */
  close(): Promise<void>;
}

/** Any constant: at most one clone at a time, so that none finds another's connection to the template. */
const CLONE_LOCK = 7_015_928;

/** Clones the template database that the global setup has made. */
export async function testDatabase(): Promise<TestDatabase> {
  const template = process.env['PARLEY_TEST_POSTGRES'];
  const owner = process.env['PARLEY_TEST_OWNER'];
  if (template === undefined || owner === undefined)
    throw new Error('PARLEY_TEST_POSTGRES is not set: run this under Jest');
  const templateName = new URL(template).pathname.slice(1);
  const name = `parley_test_${randomBytes(8).toString('hex')}`;
  await administer(template, async (client) => {
    await client.query('SELECT pg_advisory_lock($1)', [CLONE_LOCK]);
    await client.query(`CREATE DATABASE ${name} TEMPLATE ${templateName} OWNER ${owner}`);
  });
  const url = ownedBy(owner, onDatabase(template, name));
  const database = await openDatabase({ url, poolSize: 20, entities: ENTITIES, migrations: MIGRATIONS });
  return {
    database,
    url,
    async close() {
      await database.close();
      await administer(template, (client) => client.query(`DROP DATABASE ${name} WITH (FORCE)`));
    },
  };
}

/** Runs `work` on the server's `postgres` database, as nobody may be connected to a template while it is cloned. */
async function administer(url: string, work: (client: Client) => Promise<unknown>): Promise<void> {
  const client = new Client({ connectionString: onDatabase(url, 'postgres') });
  await client.connect();
  try {
    await work(client);
  } finally {
    await client.end();
  }
}

function onDatabase(url: string, name: string): string {
  const changed = new URL(url);
  changed.pathname = name;
  return changed.href;
}
