import { setTimeout as sleep } from 'node:timers/promises';
import type { Reader } from '#database/statements/statement.js';
import { type Instant, plusSeconds } from '#kernel/instant.js';
import {
  type Cursor,
  type FeedReader,
  isAfter,
  readWatermark,
  watermarkBefore,
  watermarkOr,
} from './feed.js';
import type { Projection } from './projection.js';

const LONGEST_WITHHELD_MS = 250;
const LOOK_EVERY_MS = 10;

/** How many unread events are searched for the earliest: the feed is nearly in the order of their instants. */
const LOOKED_AT = 1_000;

/** Seconds by which an event's facts may be older than its `occurred_at`, where requests do not wait for long. */
const WRITTEN_WITHIN = 0.1;

/**
 * The instant up to which a read model holds everything of an organization, in the snapshot of `reader`. That is `asked`, an
 * instant before the snapshot, if it has read every event; else an instant before the facts of the earliest unread event.
 */
export async function caughtUpTo(
  reader: Reader,
  { name, streamTypes }: Projection,
  organizationId: string,
  asked: Instant,
): Promise<Instant> {
  const [row] = await reader.query<{ unread_at: Instant | null }>({
    name: 'es_progress',
    text: `SELECT min(u.occurred_at) AS unread_at
             FROM (SELECT coalesce((SELECT tx FROM public.es_checkpoint WHERE projection = $2), '0'::xid8) AS tx,
                          coalesce((SELECT position FROM public.es_checkpoint WHERE projection = $2), 0) AS position) c
            CROSS JOIN LATERAL (
                  SELECT e.occurred_at FROM es_event e
                   WHERE e.organization_id = $1 AND (e.tx, e.position) > (c.tx, c.position)
                     AND ($3::text[] IS NULL OR e.stream_type = ANY ($3))
                   ORDER BY e.tx, e.position LIMIT ${LOOKED_AT}) u`,
    values: [organizationId, name, streamTypes ?? null],
  });
  const { unread_at } = row!;
  return unread_at === null ? asked : plusSeconds(unread_at, -WRITTEN_WITHIN);
}

/**
 * Waits until the feed shows every event that the organization has now, at most a quarter of a second, since waiting
 * readers want what there is; those of streams of the `hidden` types are not for them. Gives whether there are any after `read`, which is how far the caller has read.
 */
export async function untilReadable(
  reader: FeedReader,
  organizationId: string,
  read: Cursor,
  hidden: readonly string[] = [],
): Promise<boolean> {
  const newest = await newestEvent(reader, organizationId, hidden);
  if (!newest || !isAfter(newest, read)) return false;
  // An older transaction may have ended after the caller read.
  if (!newest.is_readable)
    await patiently(LONGEST_WITHHELD_MS, async () => BigInt(newest.tx) < BigInt(await readWatermark(reader)));
  return true;
}

interface Newest extends Cursor {
  is_readable: boolean;
}

async function newestEvent(
  reader: FeedReader,
  organizationId: string,
  hidden: readonly string[],
): Promise<Newest | undefined> {
  const [newest] = await reader.query<Newest>({
    name: 'es_newest_event',
    text: `SELECT e.tx::text AS tx, e.position, e.tx < ${watermarkOr(3)} AS is_readable
             FROM es_event e WHERE e.organization_id = $1 AND e.stream_type <> ALL ($2)
            ORDER BY e.tx DESC, e.position DESC LIMIT 1`,
    values: [organizationId, hidden, await watermarkBefore(reader)],
  });
  return newest;
}

async function patiently(longestMs: number, isSo: () => Promise<boolean>): Promise<void> {
  const end = performance.now() + longestMs;
  while (!(await isSo()) && performance.now() < end) await sleep(LOOK_EVERY_MS);
}
