import type { Client } from 'pg';
import { NAME } from '#config/product.js';

const OLDEST_CITUS = 13;

/** Throws, with what to do, where the tables of this database cannot be distributed. */
export async function requireCluster(client: Client): Promise<void> {
  const [citus] = await rowsOf<{ version: string }>(
    client,
    `SELECT extversion AS version FROM pg_extension WHERE extname = 'citus'`,
  );
  if (!citus)
    throw new Error(
      'There is no Citus in this database. Run CREATE EXTENSION citus in a database of this name on every node, then ' +
        'citus_set_coordinator_host and citus_add_node on the coordinator.',
    );
  if (parseInt(citus.version) < OLDEST_CITUS)
    throw new Error(`Citus ${citus.version} is older than ${OLDEST_CITUS}. Upgrade it on every node.`);
  await requireNodes(client);
  await requireOwnTables(client);
  await requireOwnDistribution(client);
}

/** Throws on a worker of a cluster, where the schema of the coordinator shows without its migrations. */
export async function requireCoordinator(client: Client): Promise<void> {
  const [citus] = await rowsOf<{ is_there: boolean }>(
    client,
    `SELECT to_regclass('pg_catalog.pg_dist_local_group') IS NOT NULL AS is_there`,
  );
  if (!citus!.is_there) return;
  const [here] = await rowsOf<{ group: number }>(client, 'SELECT groupid AS group FROM pg_dist_local_group');
  if (here!.group !== 0)
    throw new Error('This is a worker of the cluster. DATABASE_URL has to name its coordinator.');
}

async function requireNodes(client: Client): Promise<void> {
  const nodes = await rowsOf<{ group: number; takes_tables: boolean }>(
    client,
    `SELECT groupid AS group, isactive AND shouldhaveshards AS takes_tables FROM pg_dist_node WHERE noderole = 'primary'`,
  );
  if (!nodes.some(({ group }) => group === 0))
    throw new Error(
      `The cluster does not know its coordinator. Run there: SELECT citus_set_coordinator_host('its address')`,
    );
  if (!nodes.some(({ takes_tables }) => takes_tables))
    throw new Error(
      `No node of the cluster takes tables. Run on the coordinator: SELECT citus_add_node('address of a node', 5432)`,
    );
  const silent = await rowsOf<{ node: string; other: string }>(
    client,
    `SELECT DISTINCT from_nodename || ':' || from_nodeport AS node, to_nodename || ':' || to_nodeport AS other
       FROM citus_check_cluster_node_health() WHERE result IS NOT TRUE ORDER BY 1, 2`,
  );
  if (silent.length > 0)
    throw new Error(
      `Nodes of the cluster do not reach each other: ${silent.map(({ node, other }) => `${node} to ${other}`).join(', ')}.`,
    );
}

/** Only a table's owner may distribute it. */
async function requireOwnTables(client: Client): Promise<void> {
  const others = await rowsOf<{ name: string; role: string }>(
    client,
    `SELECT relname AS name, quote_ident(current_user) AS role FROM pg_class
      WHERE relkind = 'r' AND relnamespace = 'public'::regnamespace AND NOT pg_has_role(relowner, 'USAGE') ORDER BY 1`,
  );
  if (others.length > 0)
    throw new Error(
      `The role ${others[0]!.role} does not own ${others.map(({ name }) => name).join(', ')}. Run this as the owner of all tables.`,
    );
}

async function requireOwnDistribution(client: Client): Promise<void> {
  const others = await rowsOf<{ name: string }>(
    client,
    `SELECT DISTINCT d.logicalrelid::text AS name FROM pg_dist_partition d JOIN pg_class c ON c.oid = d.logicalrelid
      WHERE c.relnamespace = 'public'::regnamespace
        AND (CASE d.partmethod WHEN 'h' THEN column_to_column_name(d.logicalrelid, d.partkey) <> 'organization_id'
                                             OR d.colocationid <> (SELECT min(colocationid) FROM pg_dist_partition
                                                                    WHERE partmethod = 'h' AND colocationid > 0)
                               WHEN 'n' THEN d.repmodel = 't' ELSE true END)
      ORDER BY 1`,
  );
  if (others.length > 0)
    throw new Error(
      `Something else has distributed ${others.map(({ name }) => name).join(', ')}. Run undistribute_table on each of them, then: npm run ${NAME} -- distribute`,
    );
}

const rowsOf = async <Row extends object>(client: Client, text: string): Promise<Row[]> =>
  (await client.query<Row>(text)).rows;
