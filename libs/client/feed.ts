import { eventsIn, type FeedEvent } from './event-stream.js';
import { ParleyError } from './parley-error.js';
import type { AnyCall, AnyGiven } from './requests.js';
import { backoff, pause } from './retries.js';

export type EventType = FeedEvent['type'];

export interface FeedOptions<T extends EventType = EventType> {
  /**
   * The `position` of the last event that you have dealt with; from the beginning when left out. `latest` for what happens from
   * now on, which `live: false` has none of.
   */
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
  /** Told true each time that a connection stands on which events come as they happen, and false when it is lost. */
  onConnection?: (isUp: boolean) => void;
}

interface FeedPage {
  data: FeedEvent[];
  next_after: string | null;
  has_more: boolean;
}

type Asked = Pick<AnyGiven, 'params' | 'signal'>;

const PATH = '/api/v2/organizations/{organization_id}/events';
const EVENT_STREAM = 'text/event-stream';
/** The most that the API gives at once. */
const LIMIT = 200;
/** Whoever waits for what happens next waits until the service is back. */
const FOR_EVER = { retries: Infinity, longestWait: 86_400 };

/** Reads the feed on from a place. */
export function readFeed(
  call: AnyCall,
  options: FeedOptions = {},
): AsyncGenerator<FeedEvent, void, undefined> {
  const { after, types, recordId, signal, live = true, organizationId, onConnection } = options;
  const path = organizationId === undefined ? {} : { organization_id: organizationId };
  const query = { after, types, record_id: recordId };
  const asked = { params: { path, query }, ...(signal && { signal }) };
  return live ? follow(call, asked, onConnection) : readPages(call, asked);
}

/** A page counts once it is here as a whole, so that each event comes once. */
async function* readPages(call: AnyCall, asked: Asked): AsyncGenerator<FeedEvent, void, undefined> {
  const query: Record<string, unknown> = { ...asked.params?.query, limit: LIMIT };
  for (;;) {
    const params = { ...asked.params, query };
    const page = await unlessEnded<FeedPage>(call('get', PATH, { ...asked, params }), asked.signal);
    for (const event of page?.data ?? []) {
      if (asked.signal?.aborted) return;
      yield event;
    }
    if (!page?.has_more) return;
    query['after'] = page.next_after;
  }
}

/** Goes on after the last event, each time that the connection is lost. */
async function* follow(
  call: AnyCall,
  asked: Asked,
  onConnection: (isUp: boolean) => void = () => undefined,
): AsyncGenerator<FeedEvent, void, undefined> {
  const { signal } = asked;
  let last: string | undefined;
  for (let tries = 0; !signal?.aborted; tries++) {
    const headers = { Accept: EVENT_STREAM, ...(last !== undefined && { 'Last-Event-ID': last }) };
    const opening = call('get', PATH, { ...asked, headers, asStream: true, ...FOR_EVER });
    const response = await unlessEnded<Response>(opening, signal);
    if (response === undefined) return;
    if (!response.body || !response.headers.get('content-type')?.startsWith(EVENT_STREAM))
      throw new ParleyError(response.status, 'The answer is no stream of events');
    onConnection(true);
    try {
      let isFirst = true;
      for await (const told of eventsIn(response.body, signal)) {
        if (signal?.aborted) return;
        if ('event' in told) yield told.event;
        last = 'event' in told ? told.event.position : told.place;
        // A connection that is lost after its first sign each time is no better than none.
        if (!isFirst) tries = 0;
        isFirst = false;
      }
    } finally {
      onConnection(false);
    }
    await unlessEnded(pause(backoff(tries), signal), signal);
  }
}

/** Nothing when the signal has ended it. */
async function unlessEnded<T>(
  asked: Promise<unknown>,
  signal: AbortSignal | undefined,
): Promise<T | undefined> {
  try {
    return (await asked) as T;
  } catch (error) {
    if (signal?.aborted) return undefined;
    throw error;
  }
}
