import type { Arguments, Call, Given, ListPath, Method, Operation, Row } from './calls.js';
import type { FeedEvent } from './event-stream.js';
import { type EventType, type FeedOptions, readFeed } from './feed.js';
import { type AnyCall, type AnyGiven, callerOf, type ClientOptions } from './requests.js';

export type { components, paths } from './api.generated.js';
export type { ListPath, Row } from './calls.js';
export type { FeedEvent } from './event-stream.js';
export type { EventType, FeedOptions } from './feed.js';
export { ParleyError } from './parley-error.js';
export { type ClientOptions, etagOf } from './requests.js';
export { verifyWebhook, WebhookError, type WebhookEvent } from './webhook.js';

/**
 * The API by its paths. Each call gives the data of the answer, or throws a `ParleyError`; what was lost or refused is sent
 * again where that is safe.
 */
export interface Client {
  GET: Call<'get'>;
  POST: Call<'post'>;
  PUT: Call<'put'>;
  PATCH: Call<'patch'>;
  DELETE: Call<'delete'>;
  /** The rows of a list, from all of its pages. A page is asked for once the one before it has been gone through. */
  pages<P extends ListPath>(
    path: P,
    ...given: Arguments<Given<Operation<P, 'get'>>>
  ): AsyncGenerator<Row<P>, void, undefined>;
  /** The events of an organization in their order, each once, over lost connections and restarts of the service. */
  events<T extends EventType = EventType>(
    options?: FeedOptions<T>,
  ): AsyncGenerator<Extract<FeedEvent, { type: T }>, void, undefined>;
}

/** Without keys, requests to the page's own origin carry its cookies. */
export function createClient(options: ClientOptions): Client {
  const call = callerOf(options);
  const calling = (method: Method) => (path: string, given?: AnyGiven) => call(method, path, given);
  const methods = {
    GET: calling('get'),
    POST: calling('post'),
    PUT: calling('put'),
    PATCH: calling('patch'),
    DELETE: calling('delete'),
    pages: (path: string, given?: AnyGiven) => rowsOf(call, path, given),
    events: (feed?: FeedOptions) => readFeed(call, feed),
  };
  // What a path takes and gives is known to its types alone.
  return methods as unknown as Client;
}

interface Page {
  data: unknown[];
  pagination: { next_cursor: string | null };
}

async function* rowsOf(call: AnyCall, path: string, given: AnyGiven = {}): AsyncGenerator<unknown> {
  let query = given.params?.query;
  for (;;) {
    const { data, pagination } = (await call('get', path, {
      ...given,
      params: { ...given.params, ...(query && { query }) },
    })) as Page;
    yield* data;
    if (pagination.next_cursor === null) return;
    query = { ...query, cursor: pagination.next_cursor };
  }
}
