import { join } from 'node:path';
import { Client } from 'pg';
import { openDatabase } from '#database/data-source.js';
import { startEmbeddedPostgres } from '#embedded-postgres/postgres.js';
import { programs } from '#embedded-postgres/programs.js';
import { migrate } from '#database/migrate.js';
import { ENTITIES, MIGRATIONS } from '../../../src/app/schema.js';
import { newDataDir, removeDataDir } from '../server/data-dir.js';

const TEMPLATE = `parley_template_${process.pid}`;
/** A role that owns its databases and may do nothing else, as managed servers give it. */
const OWNER = `parley_owner_${process.pid}`;
/** Brings the oldest PostgreSQL that is supported. */
const OLDEST = join(import.meta.dirname, '../../oldest/package.json');

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
  await execute(
    server,
    `DROP DATABASE IF EXISTS ${TEMPLATE} WITH (FORCE)`,
    `DROP ROLE IF EXISTS ${OWNER}`,
    `CREATE ROLE ${OWNER} LOGIN PASSWORD '${OWNER}'`,
    `CREATE DATABASE ${TEMPLATE} OWNER ${OWNER}`,
  );
  undo.unshift(() => execute(server, `DROP DATABASE ${TEMPLATE} WITH (FORCE)`, `DROP ROLE ${OWNER}`));
  const url = new URL(server);
  url.pathname = TEMPLATE;
  const database = await openDatabase({
    url: ownedBy(OWNER, url.href),
    poolSize: 2,
    entities: ENTITIES,
    migrations: MIGRATIONS,
  });
  await migrate(database);
  await database.close();
  process.env['PARLEY_TEST_POSTGRES'] = url.href;
  process.env['PARLEY_TEST_OWNER'] = OWNER;
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

async function execute(url: string, ...statements: string[]): Promise<void> {
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    for (const statement of statements) await client.query(statement);
  } finally {
    await client.end();
  }
}

/** The URL for a role whose password is its name. */
export function ownedBy(role: string, url: string): string {
  const changed = new URL(url);
  [changed.username, changed.password] = [role, role];
  return changed.href;
}
