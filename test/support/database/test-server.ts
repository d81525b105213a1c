import { join } from 'node:path';
import { openDatabase } from '#database/data-source.js';
import { startEmbeddedPostgres } from '#embedded-postgres/postgres.js';
import { programs } from '#embedded-postgres/programs.js';
import { distribute } from '#database/distribute.js';
import { migrate } from '#database/migrate.js';
import { ENTITIES, MIGRATIONS } from '../../../src/app/schema.js';
import { newDataDir, removeDataDir } from '../server/data-dir.js';
import { connected, createDatabase, dropDatabases, nodesOf, onDatabase } from './nodes.js';

const TEMPLATE = `parley_template_${process.pid}`;
/** A role that owns its databases and may do nothing else, as managed servers give it. */
const OWNER = `parley_owner_${process.pid}`;
/** Brings the oldest PostgreSQL that is supported. */
const OLDEST = join(import.meta.dirname, '../../oldest/package.json');

/** So few that a database is copied quickly. */
const SHARDS = 4;

let undo: (() => Promise<void>)[] = [];

/**
 * Takes the server at PARLEY_TEST_POSTGRES, else starts an embedded one in a temporary directory, makes a migrated
 * template database on it and leaves the template's URL in PARLEY_TEST_POSTGRES.
 */
export async function startTestServer(): Promise<void> {
  try {
    await makeTemplate();
  } catch (error) {
    // Jest runs no teardown after a setup that failed.
    await stopTestServer();
    throw error;
  }
}

async function makeTemplate(): Promise<void> {
  const given = process.env['PARLEY_TEST_POSTGRES'];
  const server = given ?? (await startEmbeddedServer());
  const isCluster = (await nodesOf(server)).length > 0;
  await dropDatabases(server, TEMPLATE);
  await createDatabase(server, TEMPLATE);
  undo.unshift(() => dropDatabases(server, TEMPLATE));
  if (!isCluster) await giveAway(server);
  const url = new URL(onDatabase(server, TEMPLATE));
  const database = await openDatabase({
    url: ownedBy(isCluster ? '' : OWNER, url.href),
    poolSize: 2,
    entities: ENTITIES,
    migrations: MIGRATIONS,
  });
  await migrate(database);
  if (isCluster) await distribute(database, { shards: SHARDS });
  await database.close();
  process.env['PARLEY_TEST_POSTGRES'] = url.href;
  process.env['PARLEY_TEST_OWNER'] = isCluster ? '' : OWNER;
  process.env['PARLEY_TEST_POSTGRES_SERVER'] = server;
  undo.push(async () => {
    if (given === undefined) delete process.env['PARLEY_TEST_POSTGRES'];
    else process.env['PARLEY_TEST_POSTGRES'] = given;
  });
}

/** Takes back what `startTestServer` has done. */
export async function stopTestServer(): Promise<void> {
  const steps = undo;
  undo = [];
  for (const step of steps) await step();
}

async function startEmbeddedServer(): Promise<string> {
  const dataDir = newDataDir();
  undo.unshift(async () => removeDataDir(dataDir));
  const server = await startEmbeddedPostgres({
    dataDir,
    settings: { fsync: 'off', full_page_writes: 'off' },
    ...(process.env['PARLEY_TEST_OLDEST'] === 'true' && {
      programs: programs(OLDEST),
      locale: ['--locale=C'],
    }),
  });
  undo.unshift(() => server.stop());
  return server.url;
}

/** Makes the template the property of a role of its own. */
async function giveAway(server: string): Promise<void> {
  await connected(server, async (client) => {
    await client.query(`DROP ROLE IF EXISTS ${OWNER}`);
    await client.query(`CREATE ROLE ${OWNER} LOGIN PASSWORD '${OWNER}'`);
    await client.query(`ALTER DATABASE ${TEMPLATE} OWNER TO ${OWNER}`);
  });
  // After the databases are dropped.
  undo.splice(1, 0, () => connected(server, (client) => client.query(`DROP ROLE ${OWNER}`)).then(() => {}));
}

/** The URL for a role whose password is its name; the same without one. */
export function ownedBy(role: string, url: string): string {
  if (role === '') return url;
  const changed = new URL(url);
  [changed.username, changed.password] = [role, role];
  return changed.href;
}
