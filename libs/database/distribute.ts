import type { Client } from 'pg';
import { NAME, TITLE } from '#config/product.js';
import type { Database } from './database.js';
import { requireCluster } from './distributable.js';
import { HEARTBEAT_NAME } from './monitoring/heartbeat.js';
import type { Statement } from './statements/statement.js';
import { withSchemaLock } from './schema-lock.js';

/** How many pieces each table has; Citus moves them between nodes one by one. */
export const SHARDS = 32;

/**
 * SQL: the tables that are distributed by organization: those whose primary key and unique indexes all begin with it. All others
 * stay on the coordinator. `es_event` comes last: where it is distributed, everything is.
 */
export const TENANT_TABLES = `
  SELECT c.relname AS name, pg_table_size(c.oid)::float8 AS bytes
    FROM pg_class c
   WHERE c.relkind = 'r' AND c.relnamespace = 'public'::regnamespace
     AND EXISTS (SELECT FROM pg_index WHERE indrelid = c.oid AND indisprimary)
     AND NOT EXISTS (SELECT FROM pg_index i WHERE i.indrelid = c.oid AND i.indisunique
                        AND coalesce((SELECT attname FROM pg_attribute WHERE attrelid = c.oid AND attnum = i.indkey[0]), '')
                            <> 'organization_id')
   ORDER BY c.relname = 'es_event', bytes, c.relname`;

/**
 * Tables of the coordinator that Citus is told of: what writes one of them and a distributed table then commits on all nodes or on
 * none, also when the coordinator crashes.
 */
const KNOWN_LOCAL_TABLES = ['es_checkpoint'];

/** How far the tables are distributed. */
export interface DistributeProgress {
  /** Tables that are done, and the share of the work, from 0 to 1. */
  tables: number;
  progress: number;
  secondsLeft: number | null;
}

interface Table {
  name: string;
  bytes: number;
}

/**
 * Distributes the tables by organization over the nodes of a Citus cluster, each in a transaction of its own: run again after an
 * interruption, it goes on with what is left. Gives the number of tables that it has distributed. Throws, with what to do, where it
 * cannot.
 */
export async function distribute(
  database: Database,
  { shards = SHARDS, onProgress }: { shards?: number; onProgress?: (progress: DistributeProgress) => void },
): Promise<number> {
  return withSchemaLock(database, async (client) => {
    await requireCluster(client);
    await requireNobodyElse(client);
    return distributeTables(client, shards, onProgress);
  });
}

/** Distributes tables that migrations have made since; the caller holds the lock of the schema. */
export async function distributeNew(client: Client): Promise<void> {
  await distributeTables(client, SHARDS);
}

async function distributeTables(
  client: Client,
  shards: number,
  onProgress?: (progress: DistributeProgress) => void,
): Promise<number> {
  const { rows: tables } = await client.query<Table>(TENANT_TABLES);
  for (const table of KNOWN_LOCAL_TABLES)
    if (!(await isKnown(client, table)))
      await client.query('SELECT citus_add_local_table_to_metadata($1::regclass)', [table]);
  const done = await distributedTables(client);
  const left = tables.filter(({ name }) => !done.includes(name));
  const meter = meterOf(left, onProgress);
  let companion = done[0];
  for (const { name, bytes } of left) {
    if (companion === undefined)
      await client.query(
        `SELECT create_distributed_table($1::regclass, 'organization_id', shard_count => $2, colocate_with => 'none')`,
        [name, shards],
      );
    else
      await client.query(
        `SELECT create_distributed_table($1::regclass, 'organization_id', colocate_with => $2)`,
        [name, companion],
      );
    companion ??= name;
    meter(bytes);
  }
  await dropLeftCopies(client);
  return left.length;
}

/** Distributes a new table of the same key as another one, if that is distributed. */
export const distributedAs = (like: string, table: string): Statement => ({
  text: `SELECT create_distributed_table($2::text::regclass, 'organization_id', colocate_with => $1::text) FROM pg_dist_partition
          WHERE logicalrelid = $1::text::regclass AND partmethod = 'h'`,
  values: [like, table],
});

/** What a table had before it was distributed stays on the coordinator, unseen, until it is dropped. */
async function dropLeftCopies(client: Client): Promise<void> {
  const { rows } = await client.query<{ name: string }>(
    `SELECT logicalrelid::text AS name FROM pg_dist_partition JOIN pg_class c ON c.oid = logicalrelid
      WHERE partmethod = 'h' AND c.relnamespace = 'public'::regnamespace AND pg_relation_size(logicalrelid) > 0`,
  );
  for (const { name } of rows)
    await client.query('SELECT truncate_local_data_after_distributing_table($1::regclass)', [name]);
}

async function distributedTables(client: Client): Promise<string[]> {
  const { rows } = await client.query<{ name: string }>(
    `SELECT c.relname AS name FROM pg_dist_partition JOIN pg_class c ON c.oid = logicalrelid
      WHERE partmethod = 'h' AND c.relnamespace = 'public'::regnamespace ORDER BY 1`,
  );
  return rows.map(({ name }) => name);
}

async function isKnown(client: Client, table: string): Promise<boolean> {
  const found = await client.query('SELECT FROM pg_dist_partition WHERE logicalrelid = $1::regclass', [
    table,
  ]);
  return found.rowCount === 1;
}

function meterOf(left: Table[], onProgress?: (progress: DistributeProgress) => void) {
  const began = performance.now();
  // A table takes its time, however empty it is.
  const workOf = (bytes: number) => bytes + 2 ** 20;
  const total = left.reduce((sum, { bytes }) => sum + workOf(bytes), 0);
  let [tables, work] = [0, 0];
  return (bytes: number): void => {
    tables++;
    work += workOf(bytes);
    const seconds = (performance.now() - began) / 1_000;
    onProgress?.({ tables, progress: work / total, secondsLeft: (seconds * (total - work)) / work });
  };
}

/** A process that goes on meanwhile would join tables of which only some are distributed, with plans for a single server. */
async function requireNobodyElse(client: Client): Promise<void> {
  const running = await client.query(
    'SELECT FROM pg_stat_activity WHERE datname = current_database() AND application_name = $1',
    [HEARTBEAT_NAME],
  );
  if (running.rowCount !== 0)
    throw new Error(
      `${TITLE} is running on this database. Stop every process of it, then run: npm run ${NAME} -- distribute`,
    );
}
