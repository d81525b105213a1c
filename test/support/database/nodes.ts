import { Client } from 'pg';

/** A node of a Citus cluster; the coordinator is of group 0. */
interface Node {
  group: number;
  host: string;
  port: number;
}

export const onDatabase = (url: string, name: string): string =>
  Object.assign(new URL(url), { pathname: `/${name}` }).href;

/** Runs `work` on a connection to the database at a URL. */
export async function connected<Result>(
  url: string,
  work: (client: Client) => Promise<Result>,
): Promise<Result> {
  const client = new Client({ connectionString: url });
  await client.connect();
  return work(client).finally(() => client.end());
}

/** The nodes of the cluster that the server coordinates, itself first; none where it is a plain one. */
export const nodesOf = (server: string): Promise<Node[]> =>
  connected(server, async (client) => {
    const { rows } = await client.query(
      `SELECT to_regclass('pg_catalog.pg_dist_node') IS NOT NULL AS is_cluster`,
    );
    if (!rows[0].is_cluster) return [];
    const nodes = await client.query<Node>(
      `SELECT groupid AS group, nodename AS host, nodeport AS port FROM pg_dist_node WHERE noderole = 'primary' ORDER BY groupid`,
    );
    return nodes.rows;
  });

/** Runs `work` on the server, then on each other node of its cluster; on the database of this name, or that of the URL. */
export async function onEachNode(
  server: string,
  work: (client: Client) => Promise<unknown>,
  name?: string,
): Promise<void> {
  const workers = (await nodesOf(server)).filter(({ group }) => group !== 0);
  const urls = workers.map(({ host, port }) => Object.assign(new URL(server), { hostname: host, port }).href);
  for (const url of [server, ...urls])
    await connected(name === undefined ? url : onDatabase(url, name), work);
}

/** Makes an empty database on every node, whose nodes know each other. */
export async function createDatabase(server: string, name: string): Promise<void> {
  const nodes = await nodesOf(server);
  await onEachNode(server, (node) => node.query(`CREATE DATABASE ${name}`));
  if (nodes.length === 0) return;
  await onEachNode(server, (node) => node.query('CREATE EXTENSION citus'), name);
  await connected(onDatabase(server, name), async (client) => {
    for (const { group, host, port } of nodes)
      await client.query(
        group === 0 ? 'SELECT citus_set_coordinator_host($1, $2)' : 'SELECT citus_add_node($1, $2)',
        [host, port],
      );
  });
}

/** Copies a database on every node, to which nobody may be connected; without an `owner` it is whose server it is. */
export const cloneDatabase = (server: string, template: string, name: string, owner = ''): Promise<void> =>
  onEachNode(server, async (node) => {
    // A cluster looks after each of its databases by a connection of its own.
    await node.query('SELECT pg_terminate_backend(pid, 5000) FROM pg_stat_activity WHERE datname = $1', [
      template,
    ]);
    await node.query(`CREATE DATABASE ${name} TEMPLATE ${template} ${owner === '' ? '' : `OWNER ${owner}`}`);
  });

/** Drops the databases with names like this on every node. */
export const dropDatabases = (server: string, pattern: string): Promise<void> =>
  onEachNode(server, async (node) => {
    const { rows } = await node.query<{ name: string }>(
      'SELECT datname AS name FROM pg_database WHERE datname LIKE $1',
      [pattern.replaceAll('_', '\\_')],
    );
    for (const { name } of rows) await node.query(`DROP DATABASE ${name} WITH (FORCE)`);
  });
