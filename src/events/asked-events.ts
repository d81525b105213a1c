import type { Cursor } from '#event-store/feed.js';
import { readPosition } from '#event-store/position.js';
import { invalid } from '#http/problems/problem.js';
import type { ListEventsQuery } from './events.dto.js';
import type { PublicEvents } from './public-events.js';

/** In place of a position: the end of the feed. */
export const LATEST = 'latest';

/** Which events somebody reads: of these types, or all; of one record, or all. */
export interface WantedEvents {
  types: string[] | null;
  recordId: string | null;
}

/** Throws 400 for types that there are not, naming them. */
export function wantedEvents(events: PublicEvents, { types, record_id }: ListEventsQuery): WantedEvents {
  const named = types === undefined ? null : [...new Set(types.split(',').map((type) => type.trim()))];
  const unknown = events.unknownAmong(named ?? []);
  if (unknown !== null) throw invalid([{ field: 'types', detail: unknown }]);
  return { types: named, recordId: record_id ?? null };
}

/** The place in the feed that a request goes on from; null for none. Throws 400 for text that is no position. */
export function placeIn(text: string | undefined, field: string): Cursor | null {
  if (text === undefined) return null;
  const place = readPosition(text);
  if (place === null) throw invalid([{ field, detail: 'must be the position of an event or a next_after' }]);
  return place;
}
