import type { StoredEvent } from '#kernel/context.js';
import type { Database } from '#database/database.js';
import type { Reader, Transaction } from '#database/statements/statement.js';
import { BatchSize, ROOM } from './batch-size.js';

/** A place in the feed: everything at or before it has been read. */
export interface Cursor {
  tx: string;
  position: string;
}

export const BEGINNING: Cursor = { tx: '0', position: '0' };

/** Seconds: a transaction that writes for longer holds back the feed and its readers for too long. */
export const LONGEST_WRITER_S = 30;

/** Whether a place comes after another. */
export const isAfter = (one: Cursor, other: Cursor): boolean =>
  one.tx === other.tx ? BigInt(one.position) > BigInt(other.position) : BigInt(one.tx) > BigInt(other.tx);

const HEAD_COLUMNS = `organization_id, stream_id, stream_type, version, tx::text AS tx, position, event_id, type,
  schema_version, occurred_at`;

export const EVENT_COLUMNS = `${HEAD_COLUMNS}, data, meta`;

/**
 * The xid below which every transaction has ended. Read it before the events: a transaction that commits in between has a
 * larger xid and is left for the next read. So a slow writer is waited for and never skipped; see `es_watermark`.
 */
export async function readWatermark(reader: Reader): Promise<string> {
  const [row] = await reader.query<{ watermark: string }>({
    name: 'es_watermark',
    text: 'SELECT es_watermark()::text AS watermark',
  });
  return row!.watermark;
}

/**
 * The watermark in a transaction that writes, and `isSettled`: whether every transaction that began to write before this one has
 * ended, so that what is below the watermark is all there was when it began.
 */
export async function readSettled(tx: Transaction): Promise<{ watermark: string; isSettled: boolean }> {
  const [row] = await tx.query<{ watermark: string; is_settled: boolean }>({
    name: 'es_settled',
    text: `SELECT watermark::text AS watermark, watermark >= pg_current_xact_id() AS is_settled
             FROM (SELECT es_watermark() AS watermark OFFSET 0) now`,
  });
  return { watermark: row!.watermark, isSettled: row!.is_settled };
}

/**
 * The last position that was drawn. As long as it stays the same nobody appends, which costs a cluster less to see than to ask
 * every node for events.
 */
export async function readDrawn(reader: Reader): Promise<string> {
  const [row] = await reader.query<{ drawn: string }>({
    name: 'es_drawn',
    text: 'SELECT last_value AS drawn FROM es_position',
  });
  return row!.drawn;
}

/** SQL: the watermark in the parameter `nr`, or where that is null the one of the statement's own snapshot. */
export const watermarkOr = (nr: number): string =>
  `coalesce($${nr}::text::xid8, pg_snapshot_xmin(pg_current_snapshot()))`;

/** For `watermarkOr`: null where a statement's own snapshot is that of the server that draws the xids, as it is outside a cluster. */
export const watermarkBefore = (reader: FeedReader): Promise<string> | null =>
  reader.isDistributed ? readWatermark(reader) : null;

/** A reader that may be of a cluster. */
export type FeedReader = Reader & Partial<Pick<Database, 'isDistributed'>>;

/** A watermark above every xid, for callers that know by other means that no writer of their events is left. */
export const ABOVE_ALL = '18446744073709551615';

/**
 * What to read of the feed: events of these stream types, or of all; with `headsOnly` without `data` and `meta`; with
 * `room` only as many as fit into that many bytes (see `isCutShort`).
 */
export interface Selection {
  streamTypes?: string[];
  headsOnly?: boolean;
  room?: number;
}

/** Up to `limit` events of all organizations after `cursor`, in feed order: by transaction, then position. */
function readEvents(
  reader: Reader,
  cursor: Cursor,
  watermark: string,
  limit: number,
  { streamTypes, headsOnly, room }: Selection = {},
): Promise<StoredEvent[]> {
  return reader.query<StoredEvent>({
    name: headsOnly ? 'es_feed_heads' : 'es_feed',
    text: `SELECT ${headsOnly ? HEAD_COLUMNS : EVENT_COLUMNS} FROM es_event
            WHERE (tx, position) > ($1::text::xid8, $2) AND tx < $3::text::xid8
              AND ($5::text[] IS NULL OR stream_type = ANY ($5))
            ORDER BY es_event.tx, position LIMIT $4`,
    values: [cursor.tx, cursor.position, watermark, limit, streamTypes ?? null],
    room,
  });
}

/** The next events that are safe to read, in their final order. */
export async function readFeed(reader: Reader, cursor: Cursor, limit: number): Promise<StoredEvent[]> {
  return readEvents(reader, cursor, await readWatermark(reader), limit);
}

/** Reads the feed in batches of at most `most` events, fewer while they are large. */
export class FeedBatches {
  private readonly size: BatchSize;

  constructor(most: number) {
    this.size = new BatchSize(most);
  }

  /** The next events below the watermark. `isLast`: there are no more. */
  async read(
    reader: Reader,
    cursor: Cursor,
    watermark: string,
    selection: Selection = {},
  ): Promise<{ events: StoredEvent[]; isLast: boolean }> {
    const { current } = this.size;
    const events = await readEvents(reader, cursor, watermark, current, { ...selection, room: ROOM });
    return { events, ...this.size.learn(events) };
  }
}

/** The cursor after these events. */
export const cursorAfter = (events: StoredEvent[], before: Cursor): Cursor => {
  const last = events.at(-1);
  return last ? { tx: last.tx, position: last.position } : before;
};
