import type { Instant } from '#kernel/instant.js';
import type { Cursors } from '#http/paging/cursors.js';
import type { Page, PageQuery } from '#http/paging/page.dto.js';
import type { TimelineEntryResponse } from './timeline.dto.js';

const DEFAULT_LIMIT = 50;

/** A place in a timeline: entries are in order of their instants, and of their keys among equals, both descending. */
export interface TimelinePlace {
  at: Instant;
  key: string;
}

/** An entry with its key, which no other entry of the contact has. */
export type KeyedEntry = TimelineEntryResponse & { key: string };

/** Gives the entries of one kind after a place, the latest first, `limit` at most. */
export type TimelineSource = (
  organizationId: string,
  contactId: string,
  after: TimelinePlace,
  limit: number,
) => Promise<KeyedEntry[]>;

const BEGINNING: TimelinePlace = { at: '9999-12-31T23:59:59.999999Z', key: '~' };

/** Everything about a contact, from all contexts that know something of contacts. */
export class Timelines {
  private readonly sources: TimelineSource[] = [];

  constructor(private readonly cursors: Cursors) {}

  add(source: TimelineSource): void {
    this.sources.push(source);
  }

  async page(
    organizationId: string,
    contactId: string,
    query: PageQuery,
  ): Promise<Page<TimelineEntryResponse>> {
    const limit = query.limit ?? DEFAULT_LIMIT;
    const scope = JSON.stringify(['timeline', organizationId, contactId]);
    const after =
      query.cursor === undefined ? BEGINNING : this.cursors.read<TimelinePlace>(query.cursor, scope);
    const found = await Promise.all(
      this.sources.map((source) => source(organizationId, contactId, after, limit + 1)),
    );
    const entries = found.flat().sort(latestFirst);
    const shown = entries.slice(0, limit);
    const last = entries.length > limit ? shown.at(-1)! : null;
    const next_cursor = last && this.cursors.write({ at: last.occurred_at, key: last.key }, scope);
    return {
      data: shown.map(({ key: _, ...entry }) => entry),
      pagination: { limit, cursor: query.cursor ?? null, next_cursor, has_more: next_cursor !== null },
    };
  }
}

const latestFirst = (one: KeyedEntry, other: KeyedEntry): number => {
  const [a, b] = [one, other].map(({ occurred_at, key }) => `${occurred_at} ${key}`) as [string, string];
  return a < b ? 1 : a > b ? -1 : 0;
};
