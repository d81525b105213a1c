import type { ClientBase } from 'pg';

/** Whether the tables are distributed by organization over a cluster of Citus; see `distribute.ts`. */
export async function isDistributed(client: ClientBase): Promise<boolean> {
  const { rows } = await client.query<{ event: string | null }>(
    `SELECT to_regclass('public.es_event')::oid::text AS event WHERE to_regclass('pg_catalog.pg_dist_partition') IS NOT NULL`,
  );
  const event = rows[0]?.event ?? null;
  if (event === null) return false;
  const found = await client.query(
    `SELECT FROM pg_catalog.pg_dist_partition WHERE logicalrelid = $1::oid AND partmethod = 'h'`,
    [event],
  );
  return found.rowCount === 1;
}
