import { Client } from 'pg';
import { databaseUrl } from '../server/server.js';

/** Looks into, or changes, the database of the shared server behind its back. */
export async function inDatabase<Result>(work: (database: Client) => Promise<Result>): Promise<Result> {
  const database = new Client({ connectionString: await databaseUrl(process.env['PARLEY_TEST_DATA_DIR']!) });
  await database.connect();
  return work(database).finally(() => database.end());
}
