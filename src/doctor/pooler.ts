import type { Database } from '#database/database.js';
import {
  identityOf,
  isPooled,
  isSameDatabase,
  missingSettings,
  outdatedSettings,
  renamesStatements,
  withPlainClient,
} from '#database/pooler.js';
import type { Servers } from '#database/servers.js';
import { failed, type Finding, ok } from './finding.js';
import { judgeRefusal, poolerAlone, poolerTwice } from './server.js';

// Whether a connection pooler, such as PgBouncer, stands where one may, and works as it has to.

const CHECK = 'pooler';
/** Connections of the pooler that a look at them takes when others need them. */
const FEW = 2;

/** Whether the way to the servers, which `variable` names, is free of poolers. */
export async function examineDirectWay(
  servers: Servers,
  variable: 'DATABASE_URL' | 'DATABASE_DIRECT_URL',
): Promise<Finding | null> {
  if (!(await withPlainClient(servers, isPooled))) return null;
  return variable === 'DATABASE_URL' ? poolerAlone(servers.shown) : poolerTwice(servers.shown);
}

/** Whether both addresses lead to one database, and what lies between does what it has to. */
export async function examinePooler(database: Database, poolSize: number): Promise<Finding> {
  const { servers, direct } = database;
  const { pooled, identity } = await withPlainClient(servers, async (client) => ({
    pooled: await isPooled(client),
    identity: await identityOf(client),
  }));
  const [itself, missing] = await withPlainClient(direct, async (client) => [
    await identityOf(client),
    await missingSettings(client),
  ]);
  if (!isSameDatabase(identity, itself))
    return failed(
      CHECK,
      `DATABASE_URL leads to another database (${identity.name} by way of ${servers.shown}) than DATABASE_DIRECT_URL ` +
        `(${itself.name} at ${direct.shown})`,
      'Make both lead to the same one.',
    );
  if (pooled && !(await renamesStatements(database)))
    return failed(
      CHECK,
      `the pooler at ${servers.shown} does not keep track of prepared statements`,
      'Set max_prepared_statements in PgBouncer (1.21 or later) to 200 or more, and RELOAD it.',
    );
  if (missing.length > 0) return ok(CHECK, `a start gives the role its settings (${missing.join(', ')})`);
  const outdated = await outdatedSettings(database, poolSize);
  if (outdated.length > 0)
    return failed(
      CHECK,
      `the pooler at ${servers.shown} has connections to PostgreSQL with other settings (${outdated.join(', ')})`,
      "Run RECONNECT in PgBouncer's console, or restart it: a new connection has the settings of the role.",
    );
  return ok(CHECK, pooled ? `the pooler at ${servers.shown} works as it has to` : 'there is none between');
}

/** What is wrong with the ways to a database that is open. */
export async function examineWays(database: Database): Promise<Finding[]> {
  const { direct, isPooled: isApart } = database;
  try {
    const detour = await examineDirectWay(direct, isApart ? 'DATABASE_DIRECT_URL' : 'DATABASE_URL');
    if (detour) return [detour];
    return isApart ? [await examinePooler(database, FEW)] : [];
  } catch (error) {
    // Errors of PostgreSQL and the network have a code.
    if ((error as { code?: string }).code === undefined) throw error;
    return [judgeRefusal(error as Error, direct.shown, isApart ? 'DATABASE_DIRECT_URL' : 'DATABASE_URL')];
  }
}
