import type { FeedEvent } from '../data/api.js';

/** What the page has of the feed, the latest first. */
export interface Feed {
  rows: FeedEvent[];
  /** Where to read on; null where what is shown ends at a chosen event. */
  after: string | null;
  /** Where to read further back; null where there is nothing earlier, or no room. */
  before: string | null;
}

export interface EventPage {
  data: FeedEvent[];
  next_after: string | null;
  has_more: boolean;
  next_before?: string | null;
}

export type ReadPage = (query: Record<string, string | number | null>) => Promise<EventPage>;

/** However long the page stays open: events, and characters of their data. */
export const MOST = 1_000;
const ROOM = 8_000_000;
const ON = 200;
const BACK = 100;
/** Pages in which nothing may be of the wanted types, before somebody has to ask for more. */
const PAGES = 5;

/** From the latest event, or from the one before a place. */
export async function readLatest(read: ReadPage, chosen: string | null): Promise<Feed> {
  const page = await read({ before: chosen ?? 'latest', limit: BACK });
  const first = { rows: page.data, after: page.next_after, before: page.next_before ?? null };
  return first.rows.length > 0 ? first : readBack(read, first);
}

/** With what came earlier. */
export async function readBack(read: ReadPage, feed: Feed): Promise<Feed> {
  let { rows, before } = feed;
  for (let pages = 0; pages < PAGES && before !== null; pages++) {
    const page = await read({ before, limit: BACK });
    rows = [...rows, ...page.data];
    before = page.next_before ?? null;
    if (page.data.length > 0) break;
  }
  return bounded({ ...feed, rows, before });
}

/** With what has happened since. Whoever has missed more than is shown begins anew. */
export async function readOn(read: ReadPage, feed: Feed): Promise<Feed> {
  let { rows, after } = feed;
  for (let pages = 0; pages < PAGES; pages++) {
    const page = await read({ after, limit: ON });
    rows = [...page.data.reverse(), ...rows];
    after = page.next_after ?? after;
    if (!page.has_more) return bounded({ ...feed, rows, after });
  }
  return readLatest(read, null);
}

/** What is too much is left to whoever asks for it. */
function bounded(feed: Feed): Feed {
  let room = ROOM;
  const isOver = (event: FeedEvent, at: number) => at > 0 && (at >= MOST || (room -= sizeOf(event)) < 0);
  const end = feed.rows.findIndex(isOver);
  if (end < 0) return feed;
  const rows = feed.rows.slice(0, end);
  return { ...feed, rows, before: rows.at(-1)!.position };
}

const sizes = new WeakMap<FeedEvent, number>();

function sizeOf(event: FeedEvent): number {
  const known = sizes.get(event);
  if (known !== undefined) return known;
  const size = JSON.stringify(event).length;
  sizes.set(event, size);
  return size;
}
