import { randomBytes } from 'node:crypto';
import { Agent, type Dispatcher, Headers } from 'undici';
import type { Answer, Json, Query } from './answer.js';
import { requireDocumented } from './documented.js';
import { ADMIN_KEY } from '../server/server.js';

export type { Answer, Json, Query } from './answer.js';

export interface Sent {
  /** Sent as JSON. */
  body?: unknown;
  /** Sent as it is, instead of `body`. */
  raw?: string | Uint8Array<ArrayBuffer>;
  headers?: Record<string, string>;
  query?: Query;
}

/** Gives idle connections up long before the server does: a test that was busy for seconds could not tell that one is closed. */
const dispatcher = new Agent({ keepAliveMaxTimeout: 4_000 });

/** Calls paths below `base`, or with a leading slash any path, with the same headers each time. */
export class Client {
  constructor(
    readonly url: string,
    readonly base: string,
    readonly headers: Record<string, string> = {},
  ) {}

  get = (path = '', query?: Query) => this.send('GET', path, { query });
  post = (path: string, body?: unknown) => this.send('POST', path, { body });
  patch = (path: string, body?: unknown) => this.send('PATCH', path, { body });
  put = (path: string, body?: unknown) => this.send('PUT', path, { body });
  delete = (path: string) => this.send('DELETE', path);

  async send(method: string, path: string, { body, raw, headers = {}, query }: Sent = {}): Promise<Answer> {
    const url = new URL(this.url + this.path(path, query));
    // Not `fetch`, which takes four times as long for each request.
    const answer = await dispatcher.request({
      origin: url.origin,
      path: url.pathname + url.search,
      method: method as Dispatcher.HttpMethod,
      headers: {
        accept: '*/*',
        ...this.headers,
        ...(body !== undefined && { 'content-type': 'application/json' }),
        ...(typeof raw === 'string' && { 'content-type': 'text/plain;charset=UTF-8' }),
        ...headers,
      },
      body: raw ?? (body === undefined ? undefined : JSON.stringify(body)),
    });
    const text = await textOf(answer);
    const answered = headersOf(answer.headers);
    const isJson = /^application\/(problem\+)?json/.test(answered.get('content-type') ?? '');
    const received = {
      status: answer.statusCode,
      headers: answered,
      body: isJson && text ? JSON.parse(text) : null,
      text,
    };
    requireDocumented(method, url.pathname, received);
    return received;
  }

  /** The path below `base` with its query. */
  path(path = '', query: Query = {}): string {
    const given = Object.entries(query).filter(([, value]) => value !== undefined);
    const search = new URLSearchParams(given.map(([name, value]) => [name, String(value)])).toString();
    const whole = path.startsWith('/') ? path : path === '' ? this.base : `${this.base}/${path}`;
    return search === '' ? whole : `${whole}${whole.includes('?') ? '&' : '?'}${search}`;
  }

  /** The same client with other headers on top; an empty one is taken away. */
  with(headers: Record<string, string>): Client {
    const merged = Object.entries({ ...this.headers, ...headers }).filter(([, value]) => value !== '');
    return new Client(this.url, this.base, Object.fromEntries(merged));
  }
}

/** A 304 may have the length of what it leaves out (RFC 9110, 8.6), which undici would wait for. */
async function textOf({ statusCode, body }: Dispatcher.ResponseData): Promise<string> {
  if (statusCode !== 304) return body.text();
  body.on('error', () => {}).destroy();
  return '';
}

function headersOf(received: Dispatcher.ResponseData['headers']): Headers {
  const headers = new Headers();
  for (const [name, values = []] of Object.entries(received))
    for (const value of [values].flat()) headers.append(name, value);
  return headers;
}

/** URL of the server that all end-to-end tests share. */
export function sharedUrl(): string {
  const url = process.env['PARLEY_TEST_URL'];
  if (url === undefined) throw new Error('PARLEY_TEST_URL is not set: run this under Jest');
  return url;
}

/** The body of a successful answer. Throws with the problem otherwise. */
export async function ok(asked: Answer | Promise<Answer>): Promise<Json> {
  const { status, body, text } = await asked;
  if (status < 200 || status > 299) throw new Error(`${status} ${text}`);
  return body;
}

/** The document as it is served. */
export const openApi = (url = sharedUrl()): Promise<Json> => ok(new Client(url, '').get('/openapi.json'));

/** A client with the operator's key below /admin/v1. */
export const adminOf = (url = sharedUrl(), adminKey = ADMIN_KEY): Client =>
  new Client(url, '/admin/v1', { 'x-admin-key': adminKey });

/** A client with an API key below an organization. */
export const apiOf = (organizationId: string, key: string, url = sharedUrl()): Client =>
  new Client(url, `/api/v2/organizations/${organizationId}`, { 'x-api-key': key });

export interface Workspace {
  organizationId: string;
  agentId: string;
  /** Secret of the key that `api` uses. */
  key: string;
  keyId: string;
  /** Below the organization, with the key. */
  api: Client;
  /** With the operator's key, below /admin/v1. */
  admin: Client;
  /** With the operator's key, below the organization. */
  adminApi: Client;
}

export interface WorkspaceOptions {
  /** Whether the key acts for the agent; true when left out. */
  bound?: boolean;
  url?: string;
  adminKey?: string;
  /** On top of the body that creates the organization. */
  organization?: object;
}

/** A new organization with an agent and a key, so that tests that share a server share nothing else. */
export async function newWorkspace({
  bound = true,
  url = sharedUrl(),
  adminKey = ADMIN_KEY,
  organization = {},
}: WorkspaceOptions = {}): Promise<Workspace> {
  const admin = adminOf(url, adminKey);
  const { organization_id } = await ok(admin.post('organizations', { name: 'Acme', ...organization }));
  const adminApi = new Client(url, `/admin/v1/organizations/${organization_id}`, admin.headers);
  const { agent_id } = await ok(
    adminApi.post('agents', { name: 'Ada Byron', email: `${unique('ada')}@acme.example` }),
  );
  const { key_id, api_key } = await ok(newKey(admin, organization_id, bound ? { agent_id } : {}));
  return {
    organizationId: organization_id,
    agentId: agent_id,
    key: api_key,
    keyId: key_id,
    api: apiOf(organization_id, api_key, url),
    admin,
    adminApi,
  };
}

/** Issues a key for an organization; `options` go on top of the body. */
export const newKey = (admin: Client, organizationId: string, options: object = {}): Promise<Answer> =>
  admin.post('api-keys', { name: 'Test', organization_ids: [organizationId], ...options });

/** Points the organization's e-mail channel at an SMTP server on this machine; gives its `from_address` too. */
export async function emailChannel(
  { adminApi }: Workspace,
  port: number,
  settings: object = {},
): Promise<Json> {
  const from_address = `${unique('sales')}@acme.example`;
  return ok(
    adminApi.put('channels/email', { provider: 'smtp', host: '127.0.0.1', port, from_address, ...settings }),
  );
}

/** A word that no other test has used. */
export const unique = (word: string): string => `${word}-${randomBytes(6).toString('hex')}`;
