import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { request } from 'node:http';
import type { IncomingHttpHeaders } from 'node:http';
import { type Json, newWorkspace, ok, type Workspace } from '../support/clients/client.js';

const metadata = Object.fromEntries(Array.from({ length: 20 }, (_, nr) => [`key ${nr}`, 'blue '.repeat(50)]));

let workspace: Workspace;
let contact: Json;
beforeAll(async () => {
  workspace = await newWorkspace();
  contact = await ok(workspace.api.post('contacts', { name: 'Grace', metadata }));
});

interface Raw {
  status: number;
  headers: IncomingHttpHeaders;
  bytes: Buffer;
}

/** An answer as it comes over the wire. */
function raw(path: string, headers: Record<string, string> = {}): Promise<Raw> {
  const { url } = workspace.api;
  return new Promise((resolve, reject) => {
    const asked = request(`${url}${path}`, { headers }, (answer) => {
      const parts: Buffer[] = [];
      answer.on('data', (part: Buffer) => parts.push(part));
      answer.on('end', () =>
        resolve({ status: answer.statusCode!, headers: answer.headers, bytes: Buffer.concat(parts) }),
      );
    });
    asked.on('error', reject).end();
  });
}

const pathOf = (path: string) => `${workspace.api.base}/${path}`;
const key = () => ({ 'x-api-key': workspace.key });

describe('caches keep nothing that is of one caller', () => {
  it.each([
    ['a list', () => raw(pathOf('contacts'), key()), 200, 'private, no-store'],
    [
      'a record, but may ask whether it has changed',
      () => raw(pathOf(`contacts/${contact.contact_id}`), key()),
      200,
      'private, no-cache',
    ],
    [
      'that it has not changed',
      () => raw(pathOf(`contacts/${contact.contact_id}`), { ...key(), 'if-none-match': '*' }),
      304,
      'private, no-cache',
    ],
    ['a refusal', () => raw(pathOf('contacts')), 401, 'private, no-store'],
    ['what is not there', () => raw('/api/v2/nothing', key()), 404, 'private, no-store'],
    ['a path that cannot be decoded', () => raw('/api/%zz', key()), 400, 'private, no-store'],
    [
      'an answer to operators',
      () => raw('/admin/v1/organizations', { 'x-admin-key': workspace.admin.headers['x-admin-key']! }),
      200,
      'private, no-store',
    ],
    ['the refusal of a session', () => raw('/console/session'), 405, 'private, no-store'],
    ['the page of the console', () => raw('/console'), 200, 'no-cache'],
  ])('%s', async (_, send, status, expected) => {
    const answer = await send();
    expect([answer.status, answer.headers['cache-control']]).toEqual([status, expected]);
  });
});

describe('an answer of more than a KiB', () => {
  const record = () => pathOf(`contacts/${contact.contact_id}`);

  it.each([
    ['br', 'br', brotliDecompressSync],
    ['gzip', 'gzip', gunzipSync],
    ['gzip, deflate, br', 'br', brotliDecompressSync],
    ['br;q=0, gzip;q=0.5', 'gzip', gunzipSync],
    ['*', 'br', brotliDecompressSync],
  ])(
    'to whoever takes %j is compressed by %s, and the same once decoded',
    async (accepted, encoding, decoded) => {
      const plain = await raw(record(), key());
      const { headers, bytes } = await raw(record(), { ...key(), 'accept-encoding': accepted });
      expect(headers).toMatchObject({ 'content-encoding': encoding, etag: plain.headers.etag });
      expect(headers.vary).toMatch(/Accept-Encoding/i);
      expect(bytes.length).toBeLessThan(plain.bytes.length / 2);
      expect(decoded(bytes)).toEqual(plain.bytes);
    },
  );

  it.each([undefined, 'identity', 'deflate', 'br;q=0, gzip;q=0'])(
    'is not for whoever takes %j',
    async (accepted) => {
      const { headers } = await raw(record(), { ...key(), ...(accepted && { 'accept-encoding': accepted }) });
      expect(headers['content-encoding']).toBeUndefined();
      expect(headers.vary).toMatch(/Accept-Encoding/i);
    },
  );

  it('is compressed as CSV, too', async () => {
    for (let nr = 0; nr < 10; nr++)
      await ok(workspace.api.patch(`contacts/${contact.contact_id}`, { name: `Ann ${nr}` }));
    const { headers } = await raw(pathOf('audit-logs?record_type=all'), {
      ...key(),
      accept: 'text/csv',
      'accept-encoding': 'gzip',
    });
    expect(headers).toMatchObject({ 'content-encoding': 'gzip', vary: 'Accept, Accept-Encoding' });
  });

  it('stays as it is where it is shorter', async () => {
    const { headers } = await raw(pathOf('agents'), { ...key(), 'accept-encoding': 'br' });
    expect(headers['content-encoding']).toBeUndefined();
  });
});

it.each([
  '/console/%2e%2e/aaaa',
  '/console/%2e%2e/%2e%2e/x',
  '/console/..%2fx',
  '/console//',
  '/console/a/%2e%2e/%2e%2e/b',
])('the console at %s is a page, or not there', async (path) =>
  expect([200, 404]).toContain((await raw(path)).status),
);
