import {
  createClient,
  type FeedEvent,
  type FeedOptions,
  ParleyError,
} from '../../../../libs/client/client.js';
import { root } from '../root.js';
import { watch, watchedFetch } from './watched-fetch.js';

export { etagOf, type FeedEvent, ParleyError } from '../../../../libs/client/client.js';

export interface Options {
  params?: { path?: Record<string, string>; query?: Record<string, string | number | boolean | null> };
  /** Sent as JSON; a file as it is. */
  body?: unknown;
  headers?: Record<string, string>;
  signal?: AbortSignal;
  /** How often a call that is lost is tried again. */
  retries?: number;
  /** Seconds until it counts as lost. */
  timeout?: number;
}

type Call = <Answer = unknown>(path: string, options?: Options) => Promise<Answer>;

type Verb = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

/** The routes of the API by their paths, as the pages call them. */
export interface Api extends Record<Verb, Call> {
  /** An answer of any type, with its headers. */
  answer: (path: string, options: Options) => Promise<Response>;
  /** The bytes of a file, whatever its type. */
  file: (path: string, options: Options) => Promise<Blob>;
  /** What happens, as it happens. */
  events: (options: FeedOptions) => AsyncIterable<FeedEvent>;
}

const BASE = (location.origin + root.api).replace(/\/$/, '');
const HEADERS = { 'X-Parley-Console': '1' };

/** The API by the cookie of the session, which the browser keeps from scripts. */
export const apiBySession: Api = makeApi();

/** Has the browser keep a cookie in place of the key. Throws `ParleyError` when the key is refused. */
export const beginSession = (key: string, header: 'X-API-KEY' | 'X-ADMIN-KEY'): Promise<void> =>
  ask('POST', { [header]: key });

/** Ends the session, in every tab. */
export const endSession = (): Promise<void> => ask('DELETE', HEADERS);

async function ask(method: string, headers: Record<string, string>): Promise<void> {
  // Whoever signs out may close the tab at once.
  const request = new Request(`${BASE}/console/session`, { method, headers, keepalive: true });
  const response = await watchedFetch(request);
  if (!response.ok) throw new ParleyError(response.status, await response.json().catch(() => ''));
}

function makeApi(): Api {
  const client = createClient({ baseUrl: BASE, headers: HEADERS, fetch: watchedFetch, retries: 2 });
  const calls = client as unknown as Record<Verb, Call>;
  const without =
    (call: Call): Call =>
    async (path, options) => {
      try {
        return await call(path, withoutNull(options));
      } catch (error) {
        // Also where the connection was back for a moment, or no answer came in time.
        if (error instanceof ParleyError && error.status === 0) watch.lost();
        throw error;
      }
    };
  return {
    GET: without(calls.GET),
    POST: without(calls.POST),
    PUT: without(calls.PUT),
    PATCH: without(calls.PATCH),
    DELETE: without(calls.DELETE),
    answer,
    file: async (path, options) => (await answer(path, options)).blob(),
    events: (options) => client.events(options),
  };
}

async function answer(path: string, { params, headers, signal }: Options): Promise<Response> {
  const filled = path.replaceAll(/\{(\w+)\}/g, (_whole, name: string) =>
    encodeURIComponent(params!.path![name]!),
  );
  const url = new URL(BASE + filled);
  for (const [name, value] of Object.entries(params?.query ?? {}))
    if (value !== null) url.searchParams.set(name, String(value));
  const request = new Request(url, { headers: { ...HEADERS, ...headers }, ...(signal && { signal }) });
  const response = await watchedFetch(request);
  if (!response.ok) throw new ParleyError(response.status, await response.json().catch(() => ''));
  return response;
}

/** A query without what has no value. */
function withoutNull(options: Options = {}): Options {
  const given = Object.entries(options.params?.query ?? {}).filter(([, value]) => value !== null);
  return { ...options, params: { ...options.params, query: Object.fromEntries(given) } };
}
