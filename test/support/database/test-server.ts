import { openDatabase } from '#database/data-source.js';
import { startEmbeddedPostgres } from '#embedded-postgres/postgres.js';
import { distribute } from '#database/distribute.js';
import { migrate } from '#database/migrate.js';
import { ENTITIES, MIGRATIONS } from '../../../src/app/schema.js';
import { newDataDir, removeDataDir } from '../server/data-dir.js';
import { createDatabase, dropDatabases, nodesOf, onDatabase } from './nodes.js';

const TEMPLATE = `parley_template_${process.pid}`;

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
  await dropDatabases(server, TEMPLATE);
  await createDatabase(server, TEMPLATE);
  undo.unshift(() => dropDatabases(server, TEMPLATE));
  const url = new URL(onDatabase(server, TEMPLATE));
  const database = await openDatabase({
    url: url.href,
    poolSize: 2,
    entities: ENTITIES,
    migrations: MIGRATIONS,
  });
  await migrate(database);
  if ((await nodesOf(server)).length > 0) await distribute(database, { shards: SHARDS });
  await database.close();
  process.env['PARLEY_TEST_POSTGRES'] = url.href;
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
  });
  undo.unshift(() => server.stop());
  return server.url;
}
