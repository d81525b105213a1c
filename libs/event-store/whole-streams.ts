import type { StoredEvent } from '#kernel/context.js';
import type { Database } from '#database/database.js';
import { BatchSize, ROOM } from './batch-size.js';
import type { EventRow } from './bulk.js';
import type { Cursor } from './feed.js';
import { groupBy } from './group-by.js';
import type { Projection } from './projection.js';

/** Events to read at once: so few that they are freed before the garbage collector looks twice. */
const BATCH = 4_000;

/** Some whole streams of one organization. */
export interface Streams {
  organizationId: string;
  streams: StoredEvent[][];
}

/**
 * Yields all streams of a projection, each with its events up to `end`, which the watermark has passed. Organization by
 * organization and by stream id, which is nearly the order in which the streams began, and so that of the table. The next
 * streams are read while the caller works on some.
 */
export async function* wholeStreams(
  database: Database,
  { name, streamTypes, bulk }: Projection,
  end: Cursor,
): AsyncGenerator<Streams> {
  const size = new BatchSize(BATCH);
  let left: StoredEvent[] = [];
  let next = readAfter(null);
  for (;;) {
    const rows = await next;
    const last = size.learn(rows).isLast ? undefined : rows.at(-1);
    if (last) {
      next = readAfter(last);
      // It may fail with nobody awaiting it; whoever awaits it next gets the error.
      next.catch(() => {});
    }
    const events = rows.map((row) => bulk!.eventOf?.(row) ?? (row as StoredEvent));
    const streams = split([...left, ...events]);
    // The last stream may continue in the next batch.
    left = (last && streams.pop()) ?? [];
    for (const [organizationId, own] of groupBy(streams, ([first]) => first!.organization_id))
      yield { organizationId, streams: own };
    if (!last) return;
  }

  function readAfter(last: EventRow | null): Promise<EventRow[]> {
    const after = last ? [last.organization_id, last.stream_id, last.version] : ['', '', 0];
    return database.query<EventRow>({
      name: `es_streams_${name}`,
      text: `${bulk!.select}
              WHERE (organization_id, stream_id, version) > ($1, $2, $3) AND (es_event.tx, es_event.position) <= ($4::text::xid8, $5)
                AND ($6::text[] IS NULL OR stream_type = ANY ($6))
              ORDER BY organization_id, stream_id, version LIMIT $7`,
      values: [...after, end.tx, end.position, streamTypes ?? null, size.current],
      room: ROOM,
    });
  }
}

/** Splits events, ordered by stream, into one list per stream. */
function split(events: StoredEvent[]): StoredEvent[][] {
  const streams: StoredEvent[][] = [];
  let before: StoredEvent | undefined;
  for (const event of events) {
    if (before?.stream_id === event.stream_id && before.organization_id === event.organization_id)
      streams.at(-1)!.push(event);
    else streams.push([event]);
    before = event;
  }
  return streams;
}
