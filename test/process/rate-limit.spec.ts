import {
  type Answer,
  apiOf,
  Client,
  emailChannel,
  newKey,
  newWorkspace,
  ok,
  type Workspace,
} from '../support/clients/client.js';
import { pathOf } from '../support/clients/doors.js';
import { expectProblem } from '../support/clients/expectations.js';
import { newDataDir, removeDataDir } from '../support/server/data-dir.js';
import { databaseUrl, type Server, startServer } from '../support/server/server.js';
import { until } from '../support/until.js';

const RATE = 5;
const QUOTA = 2 * RATE;
const CROWD = 4 * RATE;

let server: Server;
let dataDir: string;
let workspace: Workspace;
beforeAll(async () => {
  dataDir = newDataDir();
  workspace = await newWorkspace();
  const DATABASE_URL = await databaseUrl(process.env['PARLEY_TEST_DATA_DIR']!);
  server = await startServer({ entry: 'api', dataDir, env: { DATABASE_URL, RATE_LIMIT_RPS: String(RATE) } });
});
afterAll(async () => {
  await server.stop();
  removeDataDir(dataDir);
});

/** A client with a key that nobody has used yet. */
async function fresh(): Promise<Client> {
  const { organizationId, admin } = workspace;
  const { api_key } = await ok(newKey(admin, organizationId));
  return apiOf(organizationId, api_key, server.url);
}

describe('the rate limit of a key', () => {
  it('is told on every answer as the IETF draft has it', async () => {
    const api = await fresh();
    const answers = [
      await api.get('contacts'),
      await api.get('contacts/x'),
      await api.post('contacts', { nonsense: 1 }),
      await api.get('/api/v2/organizations'),
    ];
    expect(answers.map(({ status }) => status)).toEqual([200, 404, 400, 200]);
    for (const { headers } of answers) {
      expect(headers.get('ratelimit-policy')).toBe(`"default";q=${QUOTA};w=2`);
      expect(headers.get('ratelimit')).toMatch(/^"default";r=[6-9];t=[012]$/);
    }
  });

  it('refuses what is over it with 429 and when to come back, and admits again then', async () => {
    const api = await fresh();
    const statuses = (await Promise.all(Array.from({ length: QUOTA }, () => api.get('contacts')))).map(
      ({ status }) => status,
    );
    expect(statuses).toEqual(statuses.map(() => 200));
    let refused: Answer | undefined;
    // On a slow machine there may be room again for as many.
    await until(async () => {
      const crowd = await Promise.all(Array.from({ length: QUOTA + 1 }, () => api.get('contacts')));
      refused = crowd.find(({ status }) => status !== 200);
      return refused !== undefined;
    });
    expectProblem(refused!, 429, 'rate_limited');
    expect(refused!.headers.get('retry-after')).toMatch(/^[12]$/);
    expect(refused!.headers.get('ratelimit')).toMatch(/^"default";r=0;t=[12]$/);
    await until(async () => (await api.get('contacts')).status === 200);
  });

  it.each([
    ['of a known length', (body: Buffer) => body],
    ['of which nobody says how long it is', (body: Buffer) => new Blob([new Uint8Array(body)]).stream()],
  ])(
    'counts a large body %s as many requests, and whoever sent it waits until they are over',
    async (_, bodyOf) => {
      const api = await fresh();
      const large = Buffer.from(JSON.stringify({ name: 'x'.repeat(1_000_000) }));
      const send = () =>
        fetch(`${api.url}${api.path('contacts')}`, {
          method: 'POST',
          headers: { ...api.headers, 'content-type': 'application/json' },
          body: bodyOf(large),
          duplex: 'half',
        } as RequestInit);
      expect((await send()).status).toBe(400);
      expectProblem(await api.get('contacts'), 429, 'rate_limited');
      await until(async () => (await api.get('contacts')).status === 200);
      // As much as there is at the most: the next one is admitted within seconds.
      await until(async () => (await send()).status === 400);
    },
  );

  it('lets refusals leave at the rate, so that who does not heed them waits, and nobody else', async () => {
    const [one, other] = [await fresh(), await fresh()];
    let isOver = false;
    let refused = 0;
    const begun = performance.now();
    // Each asks again as soon as it is refused.
    const crowd = Array.from({ length: CROWD }, async () => {
      while (!isOver) if ((await one.get('contacts')).status === 429) refused++;
    });
    await until(() => refused > 3 * CROWD);
    expect((await other.get('contacts')).status).toBe(200);
    const seconds = (performance.now() - begun) / 1_000;
    isOver = true;
    await Promise.all(crowd);
    // They have waited for nearly a second each time, and never for less than half of one but after a rest.
    expect(refused).toBeLessThanOrEqual(CROWD * (2 + 2 * seconds));
  });

  it('is not shared with other keys, nor counted on other surfaces', async () => {
    const [one, other] = [await fresh(), await fresh()];
    for (let nr = 0; nr <= QUOTA; nr++) await one.get('contacts');
    expect((await other.get('contacts')).status).toBe(200);
    for (let nr = 0; nr <= QUOTA; nr++) {
      const { status, headers } = await one.get('/health/live');
      expect([status, headers.get('ratelimit')]).toEqual([200, null]);
    }
  });
});

describe('the rate limit of a door', () => {
  const pathsOf = async (): Promise<Record<string, string>> => {
    const channel = await emailChannel(await newWorkspace({ url: server.url }), 1);
    return Object.fromEntries(['form', 'email'].map((hook) => [hook, pathOf(channel, hook)]));
  };
  const post = (path: string, sent: object) => new Client(server.url, '').send('POST', path, sent);
  const form = { body: { message: 'Blue?' } };
  const mail = { raw: 'From: a@x.example\r\n\r\nx', headers: { 'content-type': 'message/rfc822' } };

  it('refuses what is over it with 429 and when to come back, at this door alone', async () => {
    const [own, other] = [await pathsOf(), await pathsOf()];
    const first = await post(own['form']!, form);
    expect([first.status, first.headers.get('ratelimit-policy')]).toEqual([201, `"default";q=${QUOTA};w=2`]);
    let refused: Answer | undefined;
    await until(async () => {
      const crowd = await Promise.all(Array.from({ length: QUOTA + 1 }, () => post(own['form']!, form)));
      refused = crowd.find(({ status }) => status !== 201);
      return refused !== undefined;
    });
    expectProblem(refused!, 429, 'rate_limited');
    expect(refused!.headers.get('retry-after')).toMatch(/^[12]$/);
    for (const [path, sent] of [
      [own['email']!, mail],
      [other['form']!, form],
    ] as const)
      expect((await post(path, sent)).status).toBe(201);
    await until(async () => (await post(own['form']!, form)).status === 201);
  });

  it('counts nothing that comes with a wrong token', async () => {
    const { form: path } = await pathsOf();
    const wrong = `${path!.split('?')[0]}?token=wrong`;
    for (let nr = 0; nr <= QUOTA; nr++) expect((await post(wrong, form)).status).toBe(401);
    expect((await post(path!, form)).status).toBe(201);
  });
});
