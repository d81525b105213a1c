import createFetchClient from 'openapi-fetch';
import type { paths } from './api.generated.js';
import { BYTE_ROUTES } from './byte-routes.js';
import type { CallOptions, Method, RawBody } from './calls.js';
import { ParleyError } from './parley-error.js';
import { retryAfter, send } from './retries.js';

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
  /** Seconds until a try that has not ended counts as lost; 60 when left out. */
  timeout?: number;
}

/** What a call is given, whatever its path. */
export interface AnyGiven extends CallOptions {
  params?: {
    path?: Record<string, unknown>;
    query?: Record<string, unknown>;
    header?: Record<string, unknown>;
  };
  body?: unknown;
  /** Seconds; where the service asks for a longer wait before the next try, the call ends. 60 when left out. */
  longestWait?: number;
  /** Gives the answer itself as soon as its head is here, in place of its data. */
  asStream?: boolean;
}

/** Makes a request and gives the data of its answer, or throws. */
export type AnyCall = (method: Method, path: string, given?: AnyGiven) => Promise<unknown>;

type FetchCall = (path: string, init: object) => Promise<{ error?: unknown; response: Response }>;

const RETRIES = 4;
const TIMEOUT_S = 60;
const LONGEST_WAIT_S = 60;

export function callerOf(options: ClientOptions): AnyCall {
  const { baseUrl, apiKey, adminKey, organizationId } = options;
  const api = createFetchClient<paths>({
    baseUrl,
    credentials: apiKey === undefined && adminKey === undefined ? 'same-origin' : 'omit',
    // A key goes to nobody else.
    redirect: 'error',
    querySerializer: { array: { style: 'form', explode: false } },
    bodySerializer: (body: unknown) => (isRaw(body) ? body : JSON.stringify(body)),
  });

  const keyFor = (path: string) => {
    if (path.startsWith('/admin/')) return adminKey === undefined ? {} : { 'X-ADMIN-KEY': adminKey };
    return apiKey === undefined ? {} : { 'X-API-KEY': apiKey };
  };

  return async (method, path, given = {}) => {
    const { params, body, headers } = given;
    const sending = {
      fetch: options.fetch ?? globalThis.fetch,
      signal: given.signal,
      retries: given.retries ?? options.retries ?? RETRIES,
      timeout: given.timeout ?? options.timeout ?? TIMEOUT_S,
      longestWait: given.longestWait ?? LONGEST_WAIT_S,
      asStream: given.asStream ?? false,
    };
    const ask = api[method.toUpperCase() as Uppercase<Method>] as FetchCall;
    const { error, response } = await ask(path, {
      params: { ...params, path: pathParams(path, params?.path, organizationId) },
      body,
      headers: {
        ...keyFor(path),
        ...(takesKey(method, path) && { 'Idempotency-Key': newKey() }),
        ...(isRaw(body) && { 'Content-Type': typeOf(body) }),
        ...options.headers,
        ...headers,
      },
      parseAs: 'stream',
      fetch: (request: Request) => send(request, sending),
    });
    if (!response.ok) throw new ParleyError(response.status, error, retryAfter(response.headers));
    if (sending.asStream) return response;
    if (response.status === 204) return undefined;
    return BYTE_ROUTES.has(`${method} ${path}`) ? response.blob() : dataOf(response);
  };
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
    throw new TypeError(
      'organization_id: give it to createClient as organizationId, or to the call in params.path',
    );
  return params;
}

const isRaw = (body: unknown): body is RawBody =>
  typeof body === 'string' ||
  body instanceof Blob ||
  body instanceof ArrayBuffer ||
  body instanceof URLSearchParams ||
  ArrayBuffer.isView(body);

function typeOf(body: RawBody): string {
  if (body instanceof URLSearchParams) return 'application/x-www-form-urlencoded';
  return (body instanceof Blob && body.type) || 'application/octet-stream';
}

async function dataOf(response: Response): Promise<unknown> {
  const type = response.headers.get('content-type') ?? '';
  if (type.startsWith('text/')) return response.text();
  if (!/^application\/(?:\w+\+)?json\b/.test(type)) return response.blob();
  const data = parsed(await response.text(), response.status);
  const etag = response.headers.get('etag');
  if (etag !== null && typeof data === 'object' && data !== null) etags.set(data, etag);
  return data;
}

function parsed(text: string, status: number): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch (cause) {
    throw new ParleyError(
      status,
      { code: 'no_json', detail: 'The answer is not the JSON that it is said to be.' },
      undefined,
      { cause },
    );
  }
}

const etags = new WeakMap<object, string>();

/** The version of a record as a call has given it, for `If-Match`; undefined where its answer had none. */
export const etagOf = (record: object): string | undefined => etags.get(record);
