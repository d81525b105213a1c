import { type EmbeddedPostgres, startEmbeddedPostgres } from '#embedded-postgres/postgres.js';
import { makeGivenDatabase } from './given-database.js';
import { givenUrl } from './given-environment.js';

/** The database of a data directory, for processes that are told of it by DATABASE_URL. */
export type OwnDatabase = Pick<EmbeddedPostgres, 'url' | 'stop'>;

/** Starts the embedded database in a data directory, or makes its like on the given server. */
export async function startDatabase(dataDir: string): Promise<OwnDatabase> {
  const url = givenUrl(dataDir);
  if (url === undefined) return startEmbeddedPostgres({ dataDir });
  await makeGivenDatabase(dataDir);
  return { url, stop: () => Promise.resolve() };
}
