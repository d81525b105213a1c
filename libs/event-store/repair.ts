import type { Database } from '#database/database.js';

/** The first xid PostgreSQL ever hands out (FirstNormalTransactionId); every later append has a larger one. */
const FIRST_XID = 3;

/**
 * Refuses a database whose events carry transaction ids that its cluster has not reached, as after restoring a dump
 * into a new one: new events would then be sorted before old ones.
 */
export async function requireOwnEvents(database: Database): Promise<void> {
  const [row] = await database.query<{ foreign: boolean }>({
    text: `SELECT coalesce((SELECT tx FROM es_event ORDER BY tx DESC, position DESC LIMIT 1)
                           >= pg_snapshot_xmax(pg_current_snapshot()), false) AS foreign`,
  });
  if (row!.foreign)
    throw new Error(
      'The events of this database come from another cluster (a restored dump?). Run: npm run parley -- repair-positions',
    );
}

/** Gives all events the smallest xid and new positions in the order they had; gives their number. Run it with nothing else on. */
export async function repairPositions(database: Database): Promise<number> {
  return database.transaction(async (tx) => {
    await tx.query({ text: 'LOCK TABLE es_event IN ACCESS EXCLUSIVE MODE' });
    const [row] = await tx.query<{ count: string }>({
      text: `WITH ranked AS (
               SELECT organization_id, stream_id, version, row_number() OVER (ORDER BY tx, position) AS rank FROM es_event),
             moved AS (
               UPDATE es_event e SET tx = '${FIRST_XID}'::xid8, position = r.rank FROM ranked r
                WHERE (e.organization_id, e.stream_id, e.version) = (r.organization_id, r.stream_id, r.version) RETURNING 1)
             SELECT count(*) AS count FROM moved`,
    });
    await tx.query({ text: `SELECT setval('es_position', $1::bigint + 1, false)`, values: [row!.count] });
    await tx.query({ text: 'DELETE FROM es_checkpoint' });
    return Number(row!.count);
  });
}
