import { Client } from 'pg';
import { databaseUrl } from '../server/server.js';

/** Looks into, or changes, the database of the shared server, or of that of a data directory, behind its back. */
export async function inDatabase<Result>(
  work: (database: Client) => Promise<Result>,
  dataDir = process.env['PARLEY_TEST_DATA_DIR']!,
): Promise<Result> {
  const database = new Client({ connectionString: await databaseUrl(dataDir) });
  await database.connect();
  return work(database).finally(() => database.end());
}
