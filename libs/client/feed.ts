import type { components } from './api.generated.js';
import type { AnyCall } from './requests.js';

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

const PATH = '/api/v2/organizations/{organization_id}/events';
/** The most that the API gives at once. */
const LIMIT = 200;
/** Seconds; the longest that the API holds an answer back. */
const WAIT_S = 30;
/** Whoever waits for what happens next waits until the service is back. */
const FOR_EVER = { retries: Infinity, longestWait: 86_400 };

/** Reads the feed on from a place. A page counts once it is here as a whole, so that each event comes once. */
export async function* readFeed(
  call: AnyCall,
  { after, types, recordId, signal, live = true, organizationId }: FeedOptions = {},
): AsyncGenerator<FeedEvent, void, undefined> {
  const path = organizationId === undefined ? {} : { organization_id: organizationId };
  const patience = live ? FOR_EVER : {};
  for (;;) {
    let page: FeedPage;
    try {
      page = (await call('get', PATH, {
        params: { path, query: { after, types, record_id: recordId, limit: LIMIT, wait: live ? WAIT_S : 0 } },
        ...(signal && { signal }),
        ...patience,
      })) as FeedPage;
    } catch (error) {
      if (signal?.aborted) return;
      throw error;
    }
    for (const event of page.data) {
      if (signal?.aborted) return;
      yield event;
    }
    if (!live && !page.has_more) return;
    after = page.next_after ?? after;
  }
}
