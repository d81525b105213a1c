import type { components } from './api.generated.js';

/** An event of the feed; `type` tells what its `data` holds. */
export type FeedEvent = components['schemas']['Event'];
export type EventType = FeedEvent['type'];

export interface FeedOptions<T extends EventType = EventType> {
  /** The `position` of the last event that you have dealt with; from the beginning when left out. */
  after?: string;
  /** Only events of these types. */
  types?: readonly T[];
  /** Only events of this record. */
  recordId?: string;
  /** Ends the loop. */
  signal?: AbortSignal;
  /** Whether to wait for what happens next; true when left out. Otherwise it ends with the last event there is. */
  live?: boolean;
  /** The client's when left out. */
  organizationId?: string;
}

interface FeedPage {
  data: FeedEvent[];
  next_after: string | null;
  has_more: boolean;
}

export interface FeedQuery {
  after?: string;
  types?: string;
  record_id?: string;
  limit: number;
  wait: number;
}

/** The most that the API gives at once. */
const LIMIT = 200;
/** Seconds; the longest that the API holds an answer back. */
const WAIT_S = 30;

/** Reads the feed on from a place, each event once. Ends quietly when the signal aborts. */
export async function* readFeed(
  ask: (query: FeedQuery) => Promise<FeedPage>,
  { after, types, recordId, signal, live = true }: FeedOptions,
): AsyncGenerator<FeedEvent, void, undefined> {
  for (;;) {
    const page = await ask({
      ...(after !== undefined && { after }),
      ...(types && { types: types.join(',') }),
      ...(recordId !== undefined && { record_id: recordId }),
      limit: LIMIT,
      wait: live ? WAIT_S : 0,
    }).catch((error: unknown) => {
      if (signal?.aborted) return null;
      throw error;
    });
    for (const event of page?.data ?? []) {
      if (signal?.aborted) return;
      yield event;
    }
    if (page === null || (!live && !page.has_more)) return;
    after = page.next_after ?? after;
  }
}
