import type { StoredEvent } from '#kernel/context.js';
import type { Database } from '#database/database.js';
import { isCutShort } from '#database/statements/statement.js';
import {
  BEGINNING,
  type Cursor,
  cursorAfter,
  EVENT_COLUMNS,
  type FeedReader,
  readWatermark,
  watermarkBefore,
  watermarkOr,
} from './feed.js';

/** Events that a filter by type searches at once, the most that a rare type costs. */
const WINDOW = 10_000;

/** A piece of one organization's feed. */
export interface FeedPage {
  events: StoredEvent[];
  /** Where the next piece begins: after everything read, including events of other types. */
  next: Cursor;
  /** Whether there is more to read right now. */
  hasMore: boolean;
  /** Whether it ends before its limit for lack of room. */
  isCutShort: boolean;
}

/** The most events to read, and the most bytes; a larger event comes alone. */
export interface FeedLimits {
  limit: number;
  room: number;
}

/** What a feed is narrowed to: events of these types, of one stream, and none of streams of the hidden types. */
export interface FeedFilter {
  types: string[] | null;
  streamId: string | null;
  hidden?: readonly string[];
}

/** Which way a feed is read. */
interface Way {
  /** Ends the names of statements. */
  name: string;
  isBehind: '>' | '<';
  order: string;
  reverse: string;
}

const UP = 'ORDER BY es_event.tx, position';
const DOWN = 'ORDER BY es_event.tx DESC, position DESC';
const WAYS = {
  on: { name: '', isBehind: '>', order: UP, reverse: DOWN },
  back: { name: '_back', isBehind: '<', order: DOWN, reverse: UP },
} as const satisfies Record<string, Way>;

/** The events of one organization after `after`, in feed order; or those before it, the latest first. */
export async function readOrganizationFeed(
  reader: FeedReader,
  organizationId: string,
  after: Cursor,
  limits: FeedLimits,
  { types, streamId, hidden = [] }: FeedFilter,
  direction: keyof typeof WAYS = 'on',
): Promise<FeedPage> {
  const way = WAYS[direction];
  const begin = [organizationId, after.tx, after.position];
  const pageOf = (found: StoredEvent[]): FeedPage => {
    const events = found.slice(0, limits.limit);
    const hasMore = found.length > events.length || isCutShort(found);
    return { events, next: cursorAfter(events, after), hasMore, isCutShort: isCutShort(found) };
  };
  if (streamId !== null) return pageOf(await readStream(reader, way, begin, streamId, types, limits));
  if (!types) return pageOf(await readAll(reader, way, begin, hidden, limits));
  const range = [...begin, await readWatermark(reader)];
  const page = pageOf(await readOfTypes(reader, way, range, types, limits));
  if (page.hasMore) return page;
  const full = await endOfWindow(reader, way, range);
  return {
    ...page,
    next: full ?? (await endOfFeed(reader, way, range)) ?? after,
    hasMore: full !== undefined,
  };
}

const behind = ({ isBehind }: Way) =>
  `organization_id = $1 AND (tx, position) ${isBehind} ($2::text::xid8, $3)`;
/** With one watermark for several statements. */
const inRange = (way: Way) => `${behind(way)} AND tx < $4::text::xid8`;

/** Uses the watermark of the statement's own snapshot, which sees exactly what had ended before it was taken; see `watermarkOr`. */
async function readAll(
  reader: FeedReader,
  way: Way,
  begin: unknown[],
  hidden: readonly string[],
  { limit, room }: FeedLimits,
): Promise<StoredEvent[]> {
  return reader.query<StoredEvent>({
    name: `es_organization_feed${way.name}`,
    text: `SELECT ${EVENT_COLUMNS} FROM es_event
            WHERE ${behind(way)} AND tx < ${watermarkOr(6)} AND stream_type <> ALL ($4) ${way.order} LIMIT $5`,
    values: [...begin, hidden, limit + 1, await watermarkBefore(reader)],
    room,
  });
}

/** The order of the feed is not always that of the stream, so all of the stream that is left is looked at. */
async function readStream(
  reader: FeedReader,
  way: Way,
  begin: unknown[],
  streamId: string,
  types: string[] | null,
  { limit, room }: FeedLimits,
): Promise<StoredEvent[]> {
  return reader.query<StoredEvent>({
    name: `es_organization_feed_of_stream${way.name}`,
    text: `SELECT ${EVENT_COLUMNS} FROM es_event
            WHERE ${behind(way)} AND tx < ${watermarkOr(7)} AND stream_id = $4
              AND ($5::text[] IS NULL OR type = ANY ($5)) ${way.order} LIMIT $6`,
    values: [...begin, streamId, types, limit + 1, await watermarkBefore(reader)],
    room,
  });
}

function readOfTypes(
  reader: FeedReader,
  way: Way,
  range: unknown[],
  types: string[],
  { limit, room }: FeedLimits,
): Promise<StoredEvent[]> {
  return reader.query<StoredEvent>({
    name: `es_organization_feed_of_types${way.name}`,
    text: `SELECT ${EVENT_COLUMNS} FROM (SELECT * FROM es_event WHERE ${inRange(way)} ${way.order} LIMIT ${WINDOW}) es_event
            WHERE type = ANY ($5) ${way.order} LIMIT $6`,
    values: [...range, types, limit + 1],
    room,
  });
}

/** The last event of a full window; undefined when the rest of the feed lies within the window. */
async function endOfWindow(reader: FeedReader, way: Way, range: unknown[]): Promise<Cursor | undefined> {
  const [row] = await reader.query<Cursor>({
    name: `es_organization_feed_window${way.name}`,
    text: `SELECT es_event.tx::text AS tx, position FROM es_event WHERE ${inRange(way)} ${way.order} OFFSET ${WINDOW - 1} LIMIT 1`,
    values: range,
  });
  return row;
}

async function endOfFeed(reader: FeedReader, way: Way, range: unknown[]): Promise<Cursor | undefined> {
  const [row] = await reader.query<Cursor>({
    name: `es_organization_feed_end${way.name}`,
    text: `SELECT es_event.tx::text AS tx, position FROM es_event WHERE ${inRange(way)}
            ${way.reverse} LIMIT 1`,
    values: range,
  });
  return row;
}

/** The last event of an organization that can be read now; undefined where there is none. */
export const readEndOfFeed = async (
  database: Database,
  organizationId: string,
): Promise<Cursor | undefined> =>
  endOfFeed(database, WAYS.on, [
    organizationId,
    BEGINNING.tx,
    BEGINNING.position,
    await readWatermark(database),
  ]);

/** An event's place in its stream. */
export interface Place {
  stream_id: string;
  version: number;
}

/** The events at these places of one organization's streams, in that order; with `room`, the first that fit (see `isCutShort`). */
export function readPlaces(
  database: Database,
  organizationId: string,
  places: Place[],
  room?: number,
): Promise<StoredEvent[]> {
  return database.query<StoredEvent>({
    name: 'es_read_places',
    text: `SELECT found.* FROM unnest($2::text[], $3::int[]) WITH ORDINALITY AS place (stream_id, version, nr) CROSS JOIN LATERAL (
             SELECT ${EVENT_COLUMNS} FROM es_event
              WHERE organization_id = $1 AND stream_id = place.stream_id AND version = place.version OFFSET 0) AS found ORDER BY place.nr`,
    values: [organizationId, places.map(({ stream_id }) => stream_id), places.map(({ version }) => version)],
    room,
  });
}
