import { createHash } from 'node:crypto';
import { onDatabase } from '../database/nodes.js';

/** A run's databases begin like this, so that those of a killed run can be told. */
export const PREFIX = 'parley_given_';

/** Where a run is about a given server: the URL of any database on it that the role may connect to, without a pooler. */
export const givenServer = (): string | undefined =>
  process.env['PARLEY_TEST_DATABASE_DIRECT'] ?? process.env['PARLEY_TEST_DATABASE'];

export const nameOf = (dataDir: string): string =>
  `${PREFIX}${process.env['PARLEY_TEST_RUN']}_${createHash('sha256').update(dataDir).digest('hex').slice(0, 16)}`;

/** The database of the given server that stands for the embedded one of a data directory, without a pooler; undefined without a given server. */
export function givenUrl(dataDir: string): string | undefined {
  const server = givenServer();
  return server && onDatabase(server, nameOf(dataDir));
}

/** The data directories of this process that have a database. */
export const made = new Set<string>();

/** DATABASE_URL and, where the run has one, DATABASE_DIRECT_URL for a data directory that has a database on the given server, unless `env` names another. */
export function givenEnvironment(
  dataDir: string | undefined,
  env: Record<string, string | undefined> = {},
): Record<string, string | undefined> {
  if (env['DATABASE_URL'] !== undefined) return {};
  if (dataDir === undefined || !(made.has(dataDir) || dataDir === process.env['PARLEY_TEST_DATA_DIR']))
    return {};
  const { PARLEY_TEST_DATABASE: server, PARLEY_TEST_DATABASE_DIRECT: direct } = process.env;
  if (server === undefined) return {};
  return {
    DATABASE_URL: onDatabase(server, nameOf(dataDir)),
    ...(direct && { DATABASE_DIRECT_URL: onDatabase(direct, nameOf(dataDir)) }),
  };
}
