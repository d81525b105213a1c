import type { Database } from '#database/database.js';
import type { Reader, Transaction } from '#database/statements/statement.js';
import { NAME } from '#config/product.js';

/** The first xid PostgreSQL ever hands out (FirstNormalTransactionId); every later append has a larger one. */
const FIRST_XID = 3;

/**
 * Refuses a database with events whose transaction ids its cluster has not reached, as after restoring a dump into a new
 * cluster: new events would sort before old ones.
 */
export async function requireOwnEvents(database: Database): Promise<void> {
  if (await hasForeignEvents(database))
    throw new Error(
      `The events of this database come from another cluster (a restored dump?). Run: npm run ${NAME} -- repair-positions`,
    );
}

/** The snapshot is taken after the latest event is read: on a cluster the events may be newer than a snapshot of their own statement. */
async function hasForeignEvents(reader: Reader): Promise<boolean> {
  const [latest] = await reader.query<{ tx: string }>({
    text: 'SELECT es_event.tx::text AS tx FROM es_event ORDER BY es_event.tx DESC, position DESC LIMIT 1',
  });
  if (!latest) return false;
  const [row] = await reader.query<{ foreign: boolean }>({
    text: 'SELECT $1::text::xid8 >= pg_snapshot_xmax(pg_current_snapshot()) AS foreign',
    values: [latest.tx],
  });
  return row!.foreign;
}

/**
 * Gives all events from another cluster the smallest xid and new positions in the same order. Gives their number; 0 if they
 * are this cluster's. The named read models start over, whichever process builds them next; other readers of the feed
 * restart at its beginning. Run it with nothing else running. What matters is the order within an organization.
 */
export async function repairPositions(database: Database, readModels: string[]): Promise<number> {
  return database.transaction(async (tx) => {
    await tx.query({ text: 'LOCK TABLE es_event IN ACCESS EXCLUSIVE MODE' });
    if (!(await hasForeignEvents(tx))) return 0;
    const count = await renumber(tx);
    await tx.query({ text: `SELECT setval('es_position', $1::bigint + 1, false)`, values: [count] });
    // Version 0 is older than any. Without a checkpoint they would be taken for empty, and all events applied to them
    // again.
    await tx.query({
      text: `UPDATE es_checkpoint SET version = 0, tx = '0'::xid8, position = 0 WHERE projection = ANY ($1)`,
      values: [readModels],
    });
    await tx.query({ text: 'DELETE FROM es_checkpoint WHERE version > 0' });
    return count;
  });
}

/** Organization by organization, as a cluster of nodes has no order of all. */
async function renumber(tx: Transaction): Promise<number> {
  const organizations = await tx.query<{ organization_id: string; events: number }>({
    text: 'SELECT organization_id, count(*)::int AS events FROM es_event GROUP BY organization_id ORDER BY organization_id',
  });
  let count = 0;
  for (const { organization_id, events } of organizations) {
    await tx.query({
      text: `WITH ranked AS (
               SELECT stream_id, version, row_number() OVER (ORDER BY tx, position) AS rank FROM es_event WHERE organization_id = $1)
             UPDATE es_event e SET tx = '${FIRST_XID}'::xid8, position = $2::bigint + r.rank FROM ranked r
              WHERE e.organization_id = $1 AND e.stream_id = r.stream_id AND e.version = r.version`,
      values: [organization_id, count],
    });
    count += events;
  }
  return count;
}
