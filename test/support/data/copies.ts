import { type Client, type Json, ok, type Query } from '../clients/client.js';
import { LISTS } from './random-writer.js';

/** The lists that may hold a record of a stream, by the stream's type. */
const LISTS_OF: Record<string, string[]> = {
  contact: ['contacts'],
  company: ['companies'],
  task: ['tasks'],
  sale: ['sales'],
  conversation: ['conversations'],
  draft: ['message-drafts', 'response-drafts'],
};

/** Records of each list by their ids. */
export type Copy = Record<string, Map<string, Json>>;

const emptyCopy = (): Copy =>
  Object.fromEntries(Object.keys(LISTS).map((path) => [path, new Map<string, Json>()]));

/** Gives each page of a list to `take`, which may throw to give up. */
export async function eachPage(
  api: Client,
  path: string,
  query: Query,
  take: (rows: Json[]) => void,
): Promise<void> {
  for (let cursor: string | undefined; ;) {
    const { data, pagination } = await ok(api.get(path, { limit: 20, cursor, ...query }));
    take(data);
    if (!pagination.has_more) return;
    cursor = pagination.next_cursor;
  }
}

/** What the lists show now. */
export async function shownBy(api: Client): Promise<Copy> {
  const whole = emptyCopy();
  for (const [path, id] of Object.entries(LISTS))
    await eachPage(api, path, {}, (rows) => {
      for (const row of rows) whole[path]!.set(row[id], row);
    });
  return whole;
}

/** Whether a record is in its list no more after this event of the feed. */
const hasEnded = ({ type, data }: Json): boolean =>
  type.endsWith('Deleted') ||
  (type.endsWith('Merged') && Object.keys(data).some((field) => field.startsWith('into_')));

/** What a client that keeps a copy of the lists has stored. */
export interface Stored {
  copy: Copy;
  /** By list, the last `updated_at` that was stored. */
  last: Record<string, string>;
  /** Where the feed goes on. */
  after: string | undefined;
}

export const nothingStored = (): Stored => ({ copy: emptyCopy(), last: {}, after: undefined });

/** A client's end at a random moment. */
export class Killed extends Error {}

/**
 * Takes what has changed since the last time, then what has ended since; both begin where `stored` stops. Whatever had come but was
 * not stored is lost when `survive` throws.
 */
export async function follow(api: Client, stored: Stored, survive = (): void => {}): Promise<void> {
  for (const [path, id] of Object.entries(LISTS))
    await eachPage(api, path, { updated_since: stored.last[path] ?? '2000-01-01T00:00:00Z' }, (rows) => {
      survive();
      for (const row of rows) {
        stored.copy[path]!.set(row[id], row);
        stored.last[path] = row['updated_at'];
        survive();
      }
    });
  for (;;) {
    const { data, next_after, has_more } = await ok(api.get('events', { after: stored.after, limit: 50 }));
    survive();
    for (const event of data.filter(hasEnded))
      for (const path of LISTS_OF[event.stream.type] ?? []) stored.copy[path]!.delete(event.stream.id);
    survive();
    stored.after = next_after;
    if (!has_more) return;
  }
}
