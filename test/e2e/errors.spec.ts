import { request } from 'node:http';
import { connect, createServer, type Server as Net, type Socket } from 'node:net';
import {
  type Answer,
  apiOf,
  Client,
  newKey,
  newWorkspace,
  ok,
  sharedUrl,
  type Workspace,
} from '../support/clients/client.js';
import { expectProblem } from '../support/clients/expectations.js';
import { newDataDir, removeDataDir } from '../support/server/data-dir.js';
import { databaseUrl, type Server, startServer } from '../support/server/server.js';
import { until } from '../support/until.js';

let workspace: Workspace;
let readOnly: Client;
beforeAll(async () => {
  workspace = await newWorkspace();
  const { api_key } = await ok(newKey(workspace.admin, workspace.organizationId, { read_only: true }));
  readOnly = workspace.api.with({ 'x-api-key': api_key });
});

const JSON_TYPE = { 'content-type': 'application/json' };

type Case = [
  what: string,
  status: number,
  code: string,
  ask: (headers: Record<string, string>) => Promise<Answer>,
];

/** One request for each kind of refusal. */
const CASES: Case[] = [
  [
    'a body that is wrong',
    400,
    'validation_failed',
    (headers) => workspace.api.send('POST', 'contacts', { body: {}, headers }),
  ],
  [
    'malformed JSON',
    400,
    'validation_failed',
    (headers) => workspace.api.send('POST', 'contacts', { raw: '{', headers: { ...JSON_TYPE, ...headers } }),
  ],
  [
    'a query that is wrong',
    400,
    'validation_failed',
    (headers) => workspace.api.send('GET', 'contacts?limit=0', { headers }),
  ],
  [
    'a path that cannot be decoded',
    400,
    'validation_failed',
    (headers) => workspace.api.send('GET', 'contacts/%', { headers }),
  ],
  [
    'a missing key',
    401,
    'unauthorized',
    (headers) => workspace.api.with({ 'x-api-key': '' }).send('GET', 'contacts', { headers }),
  ],
  [
    'a missing operator key',
    401,
    'unauthorized',
    (headers) => workspace.api.send('GET', '/admin/v1/api-keys', { headers }),
  ],
  [
    'a wrong hook token',
    401,
    'unauthorized',
    (headers) =>
      workspace.api.send('POST', '/hooks/v1/channels/x/email', {
        raw: 'x',
        headers: { 'content-type': 'message/rfc822', ...headers },
      }),
  ],
  [
    'a write with a read-only key',
    403,
    'read_only_key',
    (headers) => readOnly.send('POST', 'contacts', { body: {}, headers }),
  ],
  [
    'a record that does not exist',
    404,
    'contact_not_found',
    (headers) => workspace.api.send('GET', 'contacts/x', { headers }),
  ],
  [
    'an organization that does not exist',
    404,
    'organization_not_found',
    (headers) => workspace.api.send('GET', '/api/v2/organizations/x/contacts', { headers }),
  ],
  [
    'a route that does not exist',
    404,
    'not_found',
    (headers) => workspace.api.send('GET', '/nowhere', { headers }),
  ],
  [
    'a method that is not there',
    405,
    'method_not_allowed',
    (headers) => workspace.api.send('PUT', 'contacts', { headers }),
  ],
  [
    'a method that the page which unsubscribes has not',
    405,
    'method_not_allowed',
    (headers) => workspace.api.send('PUT', '/u/x', { headers }),
  ],
  [
    'a body that is too large',
    413,
    'body_too_large',
    (headers) =>
      workspace.api.send('POST', 'contacts', {
        raw: ' '.repeat(3_000_000),
        headers: { ...JSON_TYPE, ...headers },
      }),
  ],
  [
    'another media type',
    415,
    'unsupported_media_type',
    (headers) =>
      workspace.api.send('POST', 'contacts', {
        raw: 'x',
        headers: { 'content-type': 'text/csv', ...headers },
      }),
  ],
];

describe('a detail', () => {
  const detailOf = async (raw: string, headers = JSON_TYPE as Record<string, string>): Promise<string> =>
    (await workspace.api.send('POST', 'companies', { raw, headers })).body.detail;

  it('says that a field is missing, apart from one of the wrong type', async () => {
    expect(await detailOf('{}')).toBe('name: is missing; it must be a string');
    expect(await detailOf('{"name":7}')).toBe('name: must be a string');
    const { body } = await workspace.api.get('analytics/sales', { start_date: '', end_date: '' });
    expect(body.errors.map(({ detail }: { detail: string }) => detail)).toEqual(
      Array(2).fill(expect.stringMatching(/^must be an RFC 3339 date-time/)),
    );
  });

  it('says how large a body may be, and which type to send', async () => {
    expect(await detailOf(' '.repeat(3_000_000))).toContain('2 MiB');
    expect(await detailOf('{}', { 'content-type': '' })).toContain('application/json');
  });
});

describe('a problem', () => {
  it.each(CASES)('for %s is %i %s, as RFC 9457 has it', async (_, status, code, ask) => {
    expectProblem(await ask({}), status, code);
  });

  it.each(CASES)(
    'for %s bears the X-Request-Id that was given, in header and body',
    async (_, status, code, ask) => {
      const answer = await ask({ 'x-request-id': 'my-request/1' });
      expectProblem(answer, status, code);
      expect([answer.headers.get('x-request-id'), answer.body.request_id]).toEqual([
        'my-request/1',
        'my-request/1',
      ]);
    },
  );

  it.each(CASES)('for %s says what kind it is, what is wrong and where', async (_, __, code, ask) => {
    const { body, headers } = await ask({});
    expect(body.type).toMatch(new RegExp(`${code}$`));
    expect(body.instance).not.toContain('?');
    expect(body.detail).not.toMatch(/undefined|\[object|Error:|at .+\.js/);
    expect(headers.get('x-powered-by')).toBeNull();
    expect(headers.get('x-content-type-options') ?? 'nosniff').toBe('nosniff');
  });

  it('gives its title in words and the same for each code', async () => {
    const [first, second] = [await workspace.api.get('contacts/x'), await workspace.api.get('contacts/y')];
    expect(first.body.title).toBe('Contact not found');
    expect(second.body.title).toBe(first.body.title);
  });

  it('names the id that was not found', async () => {
    const { body } = await workspace.api.get('contacts/contact_x');
    expect(body.detail).toContain('contact_x');
  });

  it('never answers a secret that was sent', async () => {
    const { key, adminApi } = workspace;
    const answers = [
      await workspace.api.with({ 'x-api-key': `${key}x` }).get('contacts'),
      await adminApi.put('channels/email', { provider: 'smtp', password: ['s3cret-password'] }),
    ];
    for (const { text } of answers) expect(text).not.toMatch(/parley_|s3cret/);
  });
});

describe('the X-Request-Id', () => {
  const idOf = async (given?: string) => {
    const { headers } = await workspace.api.send('GET', 'contacts', {
      headers: given === undefined ? {} : { 'x-request-id': given },
    });
    return headers.get('x-request-id');
  };

  it.each(['1', 'a'.repeat(255), '6f1c-22:@/=+', '"quoted"', '{}', 'two words'])(
    '%s is echoed on success',
    async (given) => {
      expect(await idOf(given)).toBe(given);
    },
  );

  it.each([undefined, 'a'.repeat(256), 'gr\u00e4ce', ''])('is made where %j is given', async (given) => {
    const made = await idOf(given);
    expect(made).toMatch(/^[\x21-\x7e]{8,}$/);
    expect(made).not.toBe(given);
    expect(await idOf(given)).not.toBe(made);
  });

  it('is on every surface', async () => {
    const open = new Client(sharedUrl(), '');
    for (const path of ['/health/live', '/health/ready', '/openapi.json', '/docs', '/nowhere']) {
      const { headers } = await open.send('GET', path, { headers: { 'x-request-id': 'mine' } });
      expect([path, headers.get('x-request-id')]).toEqual([path, 'mine']);
    }
    expect(
      (await workspace.api.send('HEAD', 'contacts', { headers: { 'x-request-id': 'mine' } })).headers.get(
        'x-request-id',
      ),
    ).toBe('mine');
  });
});

describe('what is no HTTP request', () => {
  /** The answer to bytes that are sent as they are. */
  function exchange(bytes: string): Promise<{ status: number; head: string; body: string }> {
    const { hostname, port } = new URL(sharedUrl());
    return new Promise((resolve, reject) => {
      const socket = connect(Number(port), hostname, () => socket.write(bytes));
      let text = '';
      socket.on('data', (chunk) => (text += String(chunk))).on('error', reject);
      socket.on('close', () => {
        const [head = '', body = ''] = text.split('\r\n\r\n');
        resolve({ status: Number(head.split(' ')[1]), head: head.toLowerCase(), body });
      });
    });
  }

  it.each([
    ['nonsense', 'nonsense\r\n\r\n', 400],
    ['a header without a colon', 'GET / HTTP/1.1\r\nHost: x\r\nnonsense\r\n\r\n', 400],
    ['two lengths', 'POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\nx', 400],
    ['a length that is none', 'POST / HTTP/1.1\r\nHost: x\r\nContent-Length: x\r\n\r\n', 400],
    [
      'a length and a transfer encoding',
      'POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n',
      400,
    ],
    ['no Host', 'GET /health/live HTTP/1.1\r\n\r\n', 400],
    ['no Host, for a page', 'GET /docs HTTP/1.1\r\n\r\n', 400],
    ['two Hosts', 'GET /health/live HTTP/1.1\r\nHost: x\r\nHost: y\r\n\r\n', 400],
    ['the same Host twice', 'GET /docs HTTP/1.1\r\nHost: x\r\nhost: x\r\n\r\n', 400],
    ['two Hosts in HTTP/1.0', 'GET /health/live HTTP/1.0\r\nHost: x\r\nHost: y\r\n\r\n', 400],
    ['headers that are too long', `GET / HTTP/1.1\r\nHost: x\r\nX: ${'x'.repeat(20_000)}\r\n\r\n`, 431],
    ['a URL that is too long', `GET /${'x'.repeat(20_000)} HTTP/1.1\r\nHost: x\r\n\r\n`, 431],
  ])('is a problem as well: %s', async (_, bytes, expected) => {
    const { status, head, body } = await exchange(bytes);
    expect(status).toBe(expected);
    expect(head).toContain('content-type: application/problem+json');
    const problem = JSON.parse(body);
    expect(problem).toMatchObject({
      status: expected,
      code: expect.any(String),
      detail: expect.stringMatching(/\S/),
    });
    expect(head).toContain(`x-request-id: ${problem.request_id}`);
  });

  it('is not an expectation that nobody knows: it is left aside', async () => {
    const { status, head } = await exchange(
      'GET /health/live HTTP/1.1\r\nHost: x\r\nExpect: miracles\r\nX-Request-Id: mine\r\nConnection: close\r\n\r\n',
    );
    expect([status, head.includes('x-request-id: mine')]).toEqual([200, true]);
  });

  it('does not disturb other connections', async () => {
    const answer = await new Promise<number | undefined>((resolve, reject) => {
      const asked = request(`${sharedUrl()}/health/live`, (got) => resolve(got.resume().statusCode));
      asked.on('error', reject).end();
    });
    expect(answer).toBe(200);
  });
});

describe('without its database', () => {
  let proxy: Proxy;
  let server: Server;
  let dataDir: string;
  let api: Client;
  beforeAll(async () => {
    dataDir = newDataDir();
    const url = new URL(await databaseUrl(process.env['PARLEY_TEST_DATA_DIR']!));
    proxy = await startProxy(Number(url.port));
    url.port = String(proxy.port);
    server = await startServer({
      entry: 'api',
      dataDir,
      env: { DATABASE_URL: url.href, LOG_LEVEL: 'fatal' },
    });
    api = apiOf(workspace.organizationId, workspace.key, server.url);
    expect((await api.get('contacts')).status).toBe(200);
    proxy.cut();
  });
  afterAll(async () => {
    proxy.mend();
    await server.stop();
    await proxy.close();
    removeDataDir(dataDir);
  });

  it('the service answers 503 and when to come back, and 200 once the database is there again', async () => {
    // The first answer may still come from a connection that has not noticed.
    let answer = await api.get('contacts');
    await until(async () => (answer = await api.get('contacts')).status !== 200);
    for (const refused of [
      answer,
      await api.post('contacts', { name: 'Grace' }),
      await api.get('/api/v2/organizations'),
    ]) {
      expectProblem(refused, 503, 'unavailable');
      expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
    }
    const open = new Client(server.url, '');
    expectProblem(await open.get('/health/ready'), 503, 'unavailable');
    expect((await open.get('/health/live')).status).toBe(200);

    proxy.mend();
    await until(async () => (await open.get('/health/ready')).status === 200);
    expect((await api.post('contacts', { name: 'Grace' })).status).toBe(201);
    expect(server.ended()).toBeNull();
  });
});

interface Proxy {
  port: number;
  /** Breaks every connection and refuses new ones. */
  cut(): void;
  mend(): void;
  close(): Promise<void>;
}

/** Stands between a server and its database. */
async function startProxy(target: number): Promise<Proxy> {
  const sockets = new Set<Socket>();
  let whole = true;
  const proxy: Net = createServer((client) => {
    if (!whole) return void client.destroy();
    const database = connect(target, '127.0.0.1');
    for (const [one, other] of [
      [client, database],
      [database, client],
    ] as const) {
      sockets.add(one);
      one.pipe(other);
      one.on('error', () => other.destroy());
      one.on('close', () => {
        sockets.delete(one);
        other.destroy();
      });
    }
  });
  await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve));
  const cut = () => {
    whole = false;
    for (const socket of sockets) socket.destroy();
  };
  return {
    port: (proxy.address() as { port: number }).port,
    cut,
    mend: () => (whole = true),
    close() {
      cut();
      return new Promise((resolve) => proxy.close(() => resolve()));
    },
  };
}
