import { spawnSync } from 'node:child_process';
import { cloneDatabase, connected, createDatabase, nodesOf, onDatabase } from '../database/nodes.js';
import { cli } from './cli.js';
import { givenServer, made, nameOf, PREFIX } from './given-environment.js';

/** So few that a database is made quickly. */
const SHARDS = '4';

/** Any constant: at most one clone at a time, so that none finds another's connection to the template. */
const CLONE_LOCK = 7_015_929;

/** Makes the database of a data directory, unless it is there: a copy of the template on every node of the server. */
export async function makeGivenDatabase(dataDir: string): Promise<void> {
  const server = givenServer();
  if (server === undefined) return;
  await connected(server, async (client) => {
    await client.query('SELECT pg_advisory_lock($1)', [CLONE_LOCK]);
    const found = await client.query('SELECT FROM pg_database WHERE datname = $1', [nameOf(dataDir)]);
    made.add(dataDir);
    if (found.rowCount !== 0) return;
    const template = `${PREFIX}${process.env['PARLEY_TEST_RUN']}_template`;
    const prepared = await client.query('SELECT FROM pg_database WHERE datname = $1', [template]);
    if (prepared.rowCount === 0) await makeTemplateDatabase(server, template);
    await cloneDatabase(server, template, nameOf(dataDir));
  });
}

/** A migrated database; distributed over the nodes where the given server is the coordinator of a cluster. */
async function makeTemplateDatabase(server: string, template: string): Promise<void> {
  await createDatabase(server, template);
  const url = onDatabase(server, template);
  await run(['migrate'], url);
  if ((await nodesOf(server)).length > 0) await run(['distribute', '--shards', SHARDS], url);
}

async function run(args: string[], DATABASE_URL: string): Promise<void> {
  const { code, stderr } = await cli(args, { env: { DATABASE_URL } });
  if (code !== 0) throw new Error(`${args.join(' ')} ended with ${code}\n${stderr}`);
}

/** Drops the database of a data directory before it returns, as its caller removes files. */
export function dropGivenDatabase(dataDir: string): void {
  if (givenServer() !== undefined) dropMatching(nameOf(dataDir));
}

/** Drops what is left of this run. */
export function dropGivenDatabases(): void {
  if (givenServer() !== undefined) dropMatching(`${PREFIX}${process.env['PARLEY_TEST_RUN']}_%`);
}

function dropMatching(pattern: string): void {
  const script = new URL('drop-databases.mjs', import.meta.url).pathname;
  spawnSync(process.execPath, [script, givenServer()!, pattern], { stdio: 'inherit' });
}
