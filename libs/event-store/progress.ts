import { setTimeout as sleep } from 'node:timers/promises';
import type { Transaction } from '#database/statement.js';
import { type Instant, plusSeconds } from '#kernel/instant.js';
import { type Cursor, readWatermark } from './feed.js';
import type { Projection } from './projection.js';

type Reader = Pick<Transaction, 'query'>;

const LONGEST_WITHHELD_MS = 250;
const LOOK_EVERY_MS = 10;

/** How many unread events are looked at for the earliest; the feed's order is nearly that of their instants. */
const LOOKED_AT = 1_000;

/**
 * The instant up to which a read model holds everything, in the snapshot of `reader`: `asked`, an instant before the
 * snapshot was taken, when it has read every event there is; else that of the last event it has read, or an earlier
 * one where an event that it has not read is older than that.
 */
export async function caughtUpTo(
  reader: Reader,
  { name, streamTypes }: Projection,
  asked: Instant,
): Promise<Instant> {
  const [row] = await reader.query<{ applied_at: Instant | null; unread_at: Instant | null }>({
    name: 'es_progress',
    text: `SELECT applied.occurred_at AS applied_at, unread.occurred_at AS unread_at
             FROM (SELECT coalesce((SELECT tx FROM public.es_checkpoint WHERE projection = $1), '0'::xid8) AS tx,
                          coalesce((SELECT position FROM public.es_checkpoint WHERE projection = $1), 0) AS position) c
             LEFT JOIN LATERAL (
                  SELECT min(occurred_at) AS occurred_at
                    FROM (SELECT e.occurred_at FROM es_event e
                           WHERE (e.tx, e.position) > (c.tx, c.position)
                             AND ($2::text[] IS NULL OR e.stream_type = ANY ($2))
                           ORDER BY e.tx, e.position LIMIT ${LOOKED_AT}) u) unread ON true
             LEFT JOIN LATERAL (
                  SELECT e.occurred_at FROM es_event e
                   WHERE unread.occurred_at IS NOT NULL AND (e.tx, e.position) <= (c.tx, c.position)
                     AND ($2::text[] IS NULL OR e.stream_type = ANY ($2))
                   ORDER BY e.tx DESC, e.position DESC LIMIT 1) applied ON true`,
    values: [name, streamTypes ?? null],
  });
  const { applied_at, unread_at } = row!;
  if (unread_at === null) return asked;
  const before = plusSeconds(unread_at, -0.000001);
  return applied_at !== null && applied_at < before ? applied_at : before;
}

/**
 * Waits until the feed shows every event that the organization has now; a quarter of a second at most, since readers under
 * way want what there is. Gives whether it had to wait, which a transaction that is older makes it do.
 */
export async function untilReadable(reader: Reader, organizationId: string): Promise<boolean> {
  const newest = await newestEvent(reader, organizationId);
  if (!newest || newest.is_readable) return false;
  await patiently(LONGEST_WITHHELD_MS, async () => BigInt(newest.tx) < BigInt(await readWatermark(reader)));
  return true;
}

interface Newest extends Cursor {
  is_readable: boolean;
}

async function newestEvent(reader: Reader, organizationId: string): Promise<Newest | undefined> {
  const [newest] = await reader.query<Newest>({
    name: 'es_newest_event',
    text: `SELECT e.tx::text AS tx, e.position, e.tx < pg_snapshot_xmin(pg_current_snapshot()) AS is_readable
             FROM es_event e WHERE e.organization_id = $1 ORDER BY e.tx DESC, e.position DESC LIMIT 1`,
    values: [organizationId],
    share: { types: ['text'] },
  });
  return newest;
}

async function patiently(longestMs: number, isSo: () => Promise<boolean>): Promise<void> {
  const end = performance.now() + longestMs;
  while (!(await isSo()) && performance.now() < end) await sleep(LOOK_EVERY_MS);
}
