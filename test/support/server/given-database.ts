import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { Client } from 'pg';
import { cli } from './cli.js';

/** So few that a database is made quickly. */
const SHARDS = '4';

/** A run's databases begin like this, so that those of a killed run can be told. */
const PREFIX = 'parley_given_';

/** Any constant: at most one clone at a time, so that none finds another's connection to the template. */
const CLONE_LOCK = 7_015_929;

/** Where a run is about a given server: the URL of any database on it that the role may connect to. */
const givenServer = (): string | undefined => process.env['PARLEY_TEST_DATABASE'];

const nameOf = (dataDir: string): string =>
  `${PREFIX}${process.env['PARLEY_TEST_RUN']}_${createHash('sha256').update(dataDir).digest('hex').slice(0, 16)}`;

/** The database of the given server that stands for the embedded one of a data directory; undefined without a given server. */
export const givenUrl = (dataDir: string): string | undefined => onDatabase(givenServer(), nameOf(dataDir));

/** The data directories of this process that have a database. */
const made = new Set<string>();

/** DATABASE_URL and, where the run has one, DATABASE_DIRECT_URL for a data directory that has a database on the given server. */
export function givenEnvironment(dataDir: string | undefined): Record<string, string | undefined> {
  if (dataDir === undefined || !(made.has(dataDir) || dataDir === process.env['PARLEY_TEST_DATA_DIR']))
    return {};
  if (givenServer() === undefined) return {};
  const DATABASE_DIRECT_URL = onDatabase(process.env['PARLEY_TEST_DATABASE_DIRECT'], nameOf(dataDir));
  return { DATABASE_URL: givenUrl(dataDir), ...(DATABASE_DIRECT_URL && { DATABASE_DIRECT_URL }) };
}

/** Makes the database of a data directory, unless it is there: a copy of the template on every node of the server. */
export async function makeGivenDatabase(dataDir: string): Promise<void> {
  const server = givenServer();
  if (server === undefined) return;
  await onServer(server, async (client) => {
    await client.query('SELECT pg_advisory_lock($1)', [CLONE_LOCK]);
    const found = await client.query('SELECT FROM pg_database WHERE datname = $1', [nameOf(dataDir)]);
    made.add(dataDir);
    if (found.rowCount !== 0) return;
    const template = `${PREFIX}${process.env['PARLEY_TEST_RUN']}_template`;
    const made = await client.query('SELECT FROM pg_database WHERE datname = $1', [template]);
    if (made.rowCount === 0) await makeTemplateDatabase(server, template);
    await onEachNode(server, async (node) => {
      // A cluster looks after each of its databases by a connection of its own.
      await node.query('SELECT pg_terminate_backend(pid, 5000) FROM pg_stat_activity WHERE datname = $1', [
        template,
      ]);
      await node.query(`CREATE DATABASE ${nameOf(dataDir)} TEMPLATE ${template}`);
    });
  });
}

/** A migrated database; distributed over the nodes where the given server is the coordinator of a cluster. */
async function makeTemplateDatabase(server: string, template: string): Promise<void> {
  const url = onDatabase(server, template)!;
  const nodes = await nodesOf(server);
  await onEachNode(server, (node) => node.query(`CREATE DATABASE ${template}`));
  if (nodes.length > 0) {
    await onEachNode(server, (node) => node.query('CREATE EXTENSION citus'), template);
    await onServer(url, async (client) => {
      for (const { group, host, port } of nodes)
        await client.query(
          group === 0 ? 'SELECT citus_set_coordinator_host($1, $2)' : 'SELECT citus_add_node($1, $2)',
          [host, port],
        );
    });
  }
  await run(['migrate'], url);
  if (nodes.length > 0) await run(['distribute', '--shards', SHARDS], url);
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

/** The nodes of the cluster that the server coordinates, itself first; none where it is a plain one. */
async function nodesOf(server: string): Promise<{ group: number; host: string; port: number }[]> {
  return onServer(server, async (client) => {
    const { rows } = await client.query(
      `SELECT to_regclass('pg_catalog.pg_dist_node') IS NOT NULL AS is_cluster`,
    );
    if (!rows[0].is_cluster) return [];
    const nodes = await client.query(
      `SELECT groupid AS group, nodename AS host, nodeport AS port FROM pg_dist_node WHERE noderole = 'primary' ORDER BY groupid`,
    );
    return nodes.rows;
  });
}

async function onEachNode(
  server: string,
  work: (client: Client) => Promise<unknown>,
  database?: string,
): Promise<void> {
  const workers = (await nodesOf(server)).filter(({ group }) => group !== 0);
  const urls = workers.map(({ host, port }) => Object.assign(new URL(server), { hostname: host, port }).href);
  for (const url of [server, ...urls]) await onServer(onDatabase(url, database) ?? url, work);
}

async function onServer<Result>(url: string, work: (client: Client) => Promise<Result>): Promise<Result> {
  const client = new Client({ connectionString: url });
  await client.connect();
  return work(client).finally(() => client.end());
}

function onDatabase(url: string | undefined, name: string | undefined): string | undefined {
  if (url === undefined || name === undefined) return undefined;
  return Object.assign(new URL(url), { pathname: `/${name}` }).href;
}
