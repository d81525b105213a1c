import {
  type Answer,
  apiOf,
  Client,
  newWorkspace,
  sharedUrl,
  type Workspace,
} from '../support/clients/client.js';
import { newDataDir, removeDataDir } from '../support/server/data-dir.js';
import { expectProblem } from '../support/clients/expectations.js';
import { databaseUrl, type Server, startServer } from '../support/server/server.js';
import { until } from '../support/until.js';

const OURS = 'https://app.acme.example';
const RATE = 5;
const EXPOSED = [
  ...['ETag', 'Link', 'Location', 'RateLimit', 'RateLimit-Policy', 'Retry-After', 'X-Request-Id'],
  'Idempotency-Replayed',
];

let server: Server;
let dataDir: string;
let workspace: Workspace;
let api: Client;
beforeAll(async () => {
  dataDir = newDataDir();
  workspace = await newWorkspace();
  const DATABASE_URL = await databaseUrl(process.env['PARLEY_TEST_DATA_DIR']!);
  const CORS_ORIGINS = `${OURS}, http://localhost:5173`;
  server = await startServer({
    entry: 'api',
    dataDir,
    env: { DATABASE_URL, CORS_ORIGINS, RATE_LIMIT_RPS: String(RATE) },
  });
  api = apiOf(workspace.organizationId, workspace.key, server.url).with({ origin: OURS });
});
afterAll(async () => {
  await server.stop();
  removeDataDir(dataDir);
});

const listed = (answer: Answer, name: string) => answer.headers.get(name)?.split(', ') ?? [];

function preflight(url: string, origin: string, path: string, method = 'PATCH'): Promise<Answer> {
  const headers = { origin, 'access-control-request-method': method };
  return new Client(url, '').send('OPTIONS', path, { headers });
}

function expectReadable(answer: Answer): void {
  expect(answer.headers.get('access-control-allow-origin')).toBe(OURS);
  expect(listed(answer, 'access-control-expose-headers')).toEqual(EXPOSED);
  expect(answer.headers.get('vary')).toBe('Origin');
}

describe('a preflight', () => {
  const contacts = () => api.path('contacts');

  it.each([
    ['a route', () => contacts()],
    ['a route of the legacy surface', () => '/api/v1/solutions/x/analytics'],
    ['a path that leads nowhere', () => '/api/v2/nowhere'],
    ['an organization that is not there', () => '/api/v2/organizations/x/contacts/y'],
    ['another spelling of a path', () => contacts().replace('api', '%61pi')],
  ])('below /api from one of the origins is answered 204 without a key: %s', async (_, path) => {
    const answer = await preflight(server.url, OURS, path());
    expect([answer.status, answer.text]).toEqual([204, '']);
    expectReadable(answer);
    expect(listed(answer, 'access-control-allow-methods')).toEqual(
      expect.arrayContaining(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE']),
    );
    expect(listed(answer, 'access-control-allow-headers').map((name) => name.toLowerCase())).toEqual(
      expect.arrayContaining([
        ...['x-api-key', 'content-type', 'idempotency-key', 'if-match', 'x-request-id', 'traceparent'],
      ]),
    );
    expect(Number(answer.headers.get('access-control-max-age'))).toBeGreaterThan(0);
  });

  it.each([
    ['from another origin', () => server.url, 'https://evil.example', contacts],
    ['from the origin by another protocol', () => server.url, OURS.replace('https', 'http'), contacts],
    ['from an origin that ends like it', () => server.url, 'https://app.acme.example.evil', contacts],
    ['from a page without an origin', () => server.url, 'null', contacts],
    ['of an operator', () => server.url, OURS, () => '/admin/v1/organizations'],
    ['of a hook', () => server.url, OURS, () => '/hooks/v1/channels/x/form'],
    ['of a tracked link', () => server.url, OURS, () => '/l/x'],
    ['of the page that unsubscribes', () => server.url, OURS, () => '/u/x'],
    ['where no origin is set', () => sharedUrl(), OURS, contacts],
  ])('is 405 %s', async (_, url, origin, path) => {
    const answer = await preflight(url(), origin, path());
    expectProblem(answer, 405, 'method_not_allowed');
    expect(answer.headers.get('allow')).toMatch(/GET|POST/);
    expect(answer.headers.get('access-control-allow-origin')).toBeNull();
  });

  it('is one only if it asks for a method: any other OPTIONS needs a key, and is 405', async () => {
    const bare = new Client(server.url, '').with({ origin: OURS });
    expectProblem(await bare.send('OPTIONS', contacts()), 401, 'unauthorized');
    expectProblem(await api.send('OPTIONS', 'contacts'), 405, 'method_not_allowed');
  });
});

describe('an answer below /api', () => {
  const refusals: [status: number, ask: () => Promise<Answer>][] = [
    [200, () => api.get('contacts')],
    [201, () => api.post('contacts', { name: 'Grace' })],
    [400, () => api.get('contacts?limit=0')],
    [400, () => api.get('contacts/%')],
    [401, () => api.with({ 'x-api-key': '' }).get('contacts')],
    [404, () => api.get('contacts/x')],
    [404, () => api.get('/api/v2/nowhere')],
    [404, () => api.get('/api/v2/organizations/x/contacts')],
    [405, () => api.put('contacts')],
    [415, () => api.send('POST', 'contacts', { raw: 'x', headers: { 'content-type': 'text/csv' } })],
  ];

  it.each(refusals)('can be read by a page of the origin: %i', async (status, ask) => {
    let answer = await ask();
    await until(async () => answer.status !== 429 || ((answer = await ask()), false));
    expect(answer.status).toBe(status);
    expectReadable(answer);
  });

  it('can be read when there were too many requests', async () => {
    const answers = await Promise.all(Array.from({ length: 4 * RATE }, () => api.get('contacts')));
    const refused = answers.find(({ status }) => status === 429);
    expectReadable(refused!);
  });

  it('says that it depends on the origin, and no more, where the page is of another one', async () => {
    for (const headers of [{ origin: 'https://evil.example' }, { origin: '' }]) {
      const { headers: answered } = await api.with({ ...headers, 'x-api-key': '' }).get('contacts');
      expect(answered.get('vary')).toBe('Origin');
      expect(answered.get('access-control-allow-origin')).toBeNull();
    }
  });

  it('says nothing of origins where none is set, nor outside of /api', async () => {
    for (const answer of [
      await workspace.api.with({ origin: OURS }).get('contacts'),
      await new Client(server.url, '').with({ origin: OURS }).get('/health/live'),
    ]) {
      expect(answer.headers.get('vary')).toBeNull();
      expect(answer.headers.get('access-control-allow-origin')).toBeNull();
    }
  });
});
