import createFetchClient from 'openapi-fetch';
import type { paths } from './api.generated.js';
import type {
  Arguments,
  Call,
  CallOptions,
  Given,
  ListPath,
  Method,
  Operation,
  RawBody,
  Row,
} from './calls.js';
import { type EventType, type FeedEvent, type FeedOptions, readFeed } from './feed.js';
import { ParleyError } from './parley-error.js';
import { retryAfter, send } from './retries.js';

export type { components, paths } from './api.generated.js';
export type { EventType, FeedEvent, FeedOptions } from './feed.js';
export { ParleyError } from './parley-error.js';
export { verifyWebhook, WebhookError, type WebhookEvent } from './webhook.js';

export interface ClientOptions {
  /** Where the service is, such as `https://parley.example.com`; empty for a page that comes from there. */
  baseUrl: string;
  /** Sent to all but the operators' paths. */
  apiKey?: string;
  /** Sent to the operators' paths, those below `/admin`. */
  adminKey?: string;
  /** The `organization_id` of each path that is not given another. */
  organizationId?: string;
  /** In place of the global one. */
  fetch?: (request: Request) => Promise<Response>;
  /** Sent with each request. */
  headers?: Record<string, string>;
  /** How often a request is tried again; 4 when left out. */
  retries?: number;
  /** Seconds until a try without an answer counts as lost; 60 when left out. */
  timeout?: number;
}

export interface Client {
  GET: Call<'get'>;
  POST: Call<'post'>;
  PUT: Call<'put'>;
  PATCH: Call<'patch'>;
  DELETE: Call<'delete'>;
  /** The rows of a list, from all of its pages; a page is asked for when the one before it has been gone through. */
  pages<P extends ListPath>(
    path: P,
    ...given: Arguments<Given<Operation<P, 'get'>>>
  ): AsyncGenerator<Row<P>, void, undefined>;
  /** The events of an organization in their order, each once, over lost connections and restarts of the service. */
  events<T extends EventType = EventType>(
    options?: FeedOptions<T>,
  ): AsyncGenerator<Extract<FeedEvent, { type: T }>, void, undefined>;
}

const RETRIES = 4;
const TIMEOUT_S = 60;
const LONGEST_WAIT_S = 60;
/** The feed waits until the service is back. */
const FOR_EVER = { retries: Infinity, longestWait: 86_400 };

const ORGANIZATION = '/api/v2/organizations/{organization_id}';

/** What a call is given, whatever its path. */
interface AnyGiven extends CallOptions {
  params?: {
    path?: Record<string, unknown>;
    query?: Record<string, unknown>;
    header?: Record<string, unknown>;
  };
  body?: unknown;
}

type AnyCall = (path: string, init: object) => Promise<{ error?: unknown; response: Response }>;

const etags = new WeakMap<object, string>();

/** The version of a record as a call gave it, for `If-Match`; undefined where its answer had none. */
export const etagOf = (record: object): string | undefined => etags.get(record);

/**
 * Calls the API. Each call gives the data of the answer, or throws a `ParleyError`; lost and refused requests are sent
 * again where that is safe. Without keys, requests to the page's own origin carry its cookies.
 */
export function createClient(options: ClientOptions): Client {
  const { apiKey, adminKey, organizationId } = options;
  const api = createFetchClient<paths>({
    baseUrl: options.baseUrl,
    credentials: apiKey === undefined && adminKey === undefined ? 'same-origin' : 'omit',
    querySerializer: { array: { style: 'form', explode: false } },
    bodySerializer: (body: unknown) => (isRaw(body) ? body : JSON.stringify(body)),
  });

  const headersFor = (method: Method, path: string, body: unknown) => ({
    ...(path.startsWith('/admin/')
      ? adminKey !== undefined && { 'X-ADMIN-KEY': adminKey }
      : apiKey !== undefined && { 'X-API-KEY': apiKey }),
    ...(takesKey(method, path) && { 'Idempotency-Key': newKey() }),
    ...(isRaw(body) && { 'Content-Type': typeOf(body) }),
    ...options.headers,
  });

  async function call(
    method: Method,
    path: string,
    given: AnyGiven = {},
    longestWait = LONGEST_WAIT_S,
  ): Promise<unknown> {
    const { params, body, signal, headers, retries = options.retries ?? RETRIES } = given;
    const sending = {
      fetch: options.fetch ?? globalThis.fetch,
      retries,
      longestWait,
      timeout: options.timeout ?? TIMEOUT_S,
    };
    const ask = api[method.toUpperCase() as Uppercase<Method>] as AnyCall;
    const { error, response } = await ask(path, {
      params: { ...params, path: pathParams(path, params?.path, organizationId) },
      body,
      signal,
      headers: { ...headersFor(method, path, body), ...headers },
      parseAs: 'stream',
      fetch: (request: Request) => send(request, sending),
    });
    if (!response.ok) throw new ParleyError(response.status, error, retryAfter(response.headers));
    return dataOf(response);
  }

  async function* pages(path: string, given: AnyGiven = {}) {
    let cursor: string | null | undefined;
    do {
      const query = { ...given.params?.query, ...(cursor && { cursor }) };
      const page = (await call('get', path, { ...given, params: { ...given.params, query } })) as {
        data: unknown[];
        pagination: { next_cursor: string | null };
      };
      yield* page.data;
      cursor = page.pagination.next_cursor;
    } while (cursor !== null);
  }

  const events = (feed: FeedOptions = {}) => {
    const { signal, organizationId: organization_id, live = true } = feed;
    const patience = live ? FOR_EVER : {};
    return readFeed(
      (query) =>
        call(
          'get',
          `${ORGANIZATION}/events`,
          {
            params: {
              path: { ...(organization_id !== undefined && { organization_id }) },
              query: { ...query },
            },
            ...(signal && { signal }),
            ...(live && { retries: FOR_EVER.retries }),
          },
          live ? FOR_EVER.longestWait : LONGEST_WAIT_S,
        ) as ReturnType<Parameters<typeof readFeed>[0]>,
      feed,
    );
  };

  const calling = (method: Method) => (path: string, given?: AnyGiven) => call(method, path, given);
  return {
    GET: calling('get'),
    POST: calling('post'),
    PUT: calling('put'),
    PATCH: calling('patch'),
    DELETE: calling('delete'),
    pages,
    events,
  } as unknown as Client;
}

/** What the API carries out once under an `Idempotency-Key`. */
const takesKey = (method: Method, path: string): boolean =>
  (method === 'post' || method === 'patch') && path.startsWith('/api/');

/** Not `randomUUID`, which browsers have for https alone. */
const newKey = (): string =>
  Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, '0')).join(
    '',
  );

function pathParams(path: string, given: Record<string, unknown> = {}, organizationId?: string) {
  const params = { organization_id: organizationId, ...given };
  if (path.includes('{organization_id}') && params.organization_id === undefined)
    throw new TypeError('organization_id: give it to createClient as organizationId, or in params.path');
  return params;
}

const isRaw = (body: unknown): body is RawBody =>
  typeof body === 'string' ||
  [Blob, ArrayBuffer, URLSearchParams, FormData].some((kind) => body instanceof kind) ||
  ArrayBuffer.isView(body);

const typeOf = (body: RawBody): string => (body instanceof Blob && body.type) || 'application/octet-stream';

async function dataOf(response: Response): Promise<unknown> {
  if (response.status === 204) return undefined;
  const type = response.headers.get('content-type') ?? '';
  if (type.startsWith('text/')) return response.text();
  if (!/^application\/(\w+\+)?json/.test(type)) return response.blob();
  const data = (await response.json()) as unknown;
  const etag = response.headers.get('etag');
  if (etag !== null && typeof data === 'object' && data !== null) etags.set(data, etag);
  return data;
}
