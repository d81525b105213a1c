import { createHash } from 'node:crypto';
import { type Answer, Client, newKey, newWorkspace, ok, type Workspace } from '../support/clients/client.js';
import { openStream } from '../support/clients/event-stream.js';
import { expectProblem } from '../support/clients/expectations.js';
import { byCookie, cookieOf, signedIn, signIn } from '../support/clients/sessions.js';
import { inDatabase } from '../support/database/database.js';
import { newDataDir, removeDataDir } from '../support/server/data-dir.js';
import { databaseUrl, type Server, startServer } from '../support/server/server.js';
import { until } from '../support/until.js';

const ATTRIBUTES = ['HttpOnly', 'Max-Age=43200', 'Path=/', 'SameSite=Strict'];

let workspace: Workspace;
/** The workspace's key by a session. */
let browser: Client;
beforeEach(async () => {
  workspace = await newWorkspace();
  browser = await signedIn(workspace.api);
});

/** Without any key. */
const bare = () => workspace.api.with({ 'x-api-key': '' });

function expectUnauthorized(answer: Answer): void {
  expectProblem(answer, 401, 'unauthorized');
  expect(answer.headers.get('www-authenticate')).toBe('ApiKey');
}

const tokenHash = (client: Client): Buffer =>
  createHash('sha256').update(client.headers['cookie']!.split('=')[1]!).digest();

async function newBrowser(key: object = {}): Promise<{ client: Client; key_id: string }> {
  const { admin, organizationId, api } = workspace;
  const { key_id, api_key } = await ok(newKey(admin, organizationId, key));
  return { key_id, client: await signedIn(api.with({ 'x-api-key': api_key })) };
}

describe('signing in', () => {
  it('with an API key or the admin key is answered 204 with a cookie for 12 hours that no script and no other site has', async () => {
    for (const client of [workspace.api, workspace.admin]) {
      const answer = await signIn(client);
      expect([answer.status, answer.text]).toEqual([204, '']);
      const { pair, attributes } = cookieOf(answer);
      expect(pair).toMatch(/^parley_session=[\w-]{43}$/);
      expect(attributes).toEqual(ATTRIBUTES);
    }
  });

  it('gives no Secure cookie to whom only the caller says that it is https', async () => {
    const answer = await signIn(workspace.api.with({ 'x-forwarded-proto': 'https' }));
    expect(cookieOf(answer).attributes).toEqual(ATTRIBUTES);
  });

  it('gives another token each time, of which the database has the hash only', async () => {
    const other = await signedIn(workspace.api);
    expect(other.headers['cookie']).not.toBe(browser.headers['cookie']);
    const token = other.headers['cookie']!.split('=')[1]!;
    const rows = await inDatabase((database) =>
      database.query('SELECT s::text AS row FROM console_session s WHERE token_hash = $1', [
        tokenHash(other),
      ]),
    );
    expect(rows.rows).toHaveLength(1);
    for (const secret of [token, workspace.key, Buffer.from(token).toString('hex')])
      expect(rows.rows[0].row).not.toContain(secret);
  });

  it('needs a valid key: a cookie is none', async () => {
    const wrong = { 'x-api-key': `${workspace.key}0` };
    expectUnauthorized(await signIn(bare()));
    expectUnauthorized(await signIn(bare().with(wrong)));
    expectUnauthorized(await signIn(bare().with({ 'x-admin-key': 'x' })));
    expectUnauthorized(await signIn(bare().with({ 'x-api-key': workspace.admin.headers['x-admin-key']! })));
    expectUnauthorized(await signIn(browser));
    for (const answer of [await signIn(browser), await signIn(bare().with(wrong))])
      expect(answer.headers.get('set-cookie')).toBeNull();
  });

  it('is refused with both keys, which would leave open whose session it is', async () => {
    const both = workspace.api.with(workspace.admin.headers);
    expectProblem(await signIn(both), 400, 'validation_failed', 'X-ADMIN-KEY');
  });

  it('takes neither query nor body', async () => {
    const api = new Client(workspace.api.url, '', workspace.api.headers);
    expectProblem(await api.post('/console/session?name=x'), 400, 'validation_failed', 'name');
    expectProblem(await api.post('/console/session', { name: 'x' }), 400, 'validation_failed', 'name');
    expect((await api.post('/console/session', {})).status).toBe(204);
    expectProblem(await api.get('/console/session'), 405, 'method_not_allowed');
  });

  it('with a key beside an old cookie begins a session of that key', async () => {
    const other = await newWorkspace();
    const next = await signedIn(browser.with({ 'x-api-key': other.key }));
    expect((await ok(next.get('/api/v2/me'))).key.key_id).toBe(other.keyId);
  });
});

describe('a request by cookie', () => {
  it('needs the header X-Parley-Console: 1, whatever it asks for, before anything else of it counts', async () => {
    for (const value of ['', '0', 'true', '1, 1']) {
      const without = browser.with({ 'x-parley-console': value });
      for (const answer of [
        await without.get('contacts'),
        await without.get('contacts?limit=x'),
        await without.get('/api/v2/me'),
        await without.get('/api/v2/organizations/org_nobody/contacts'),
        await without.post('contacts', { name: 'Grace' }),
        await without.get('/admin/v1/organizations'),
        await without.delete('/console/session'),
        await byCookie(without, 'parley_session=x').with({ 'x-parley-console': value }).get('contacts'),
      ])
        expectProblem(answer, 403, 'console_header_missing');
    }
    expect((await browser.get('contacts')).body.data).toEqual([]);
  });

  it('is of the session that its page names, and of no other that the browser has been given meanwhile', async () => {
    const { client: other } = await newBrowser();
    const nameOf = async (client: Client) => (await client.get('contacts')).headers.get('x-parley-session')!;
    const [ours, theirs] = [await nameOf(browser), await nameOf(other)];
    expect(ours).toMatch(/^[\w-]{22}$/);
    expect(theirs).not.toBe(ours);
    expect((await browser.with({ 'x-parley-session': ours }).get('contacts')).status).toBe(200);
    for (const [client, name] of [
      [browser, theirs],
      [other, ours],
    ] as const) {
      const page = client.with({ 'x-parley-session': name });
      expectUnauthorized(await page.get('contacts'));
      expectUnauthorized(await page.post('contacts', { name: 'Grace' }));
      expectUnauthorized(await page.delete('/console/session'));
    }
    expect((await signIn(workspace.api)).headers.get('x-parley-session')).toMatch(/^[\w-]{22}$/);
    expect((await workspace.api.get('contacts')).headers.get('x-parley-session')).toBeNull();
  });

  it('is carried out as one with the key: same organizations, agent and audit record', async () => {
    const [ours, theirs] = [await ok(browser.get('/api/v2/me')), await ok(workspace.api.get('/api/v2/me'))];
    expect(ours).toEqual(theirs);
    const { contact_id } = await ok(browser.post('contacts', { name: 'Grace' }));
    const audited = async () =>
      (await ok(workspace.api.get('audit-logs', { record_type: 'contact', record_id: contact_id }))).data;
    await until(async () => (await audited()).length > 0);
    expect((await audited())[0]).toMatchObject({
      agent_id: workspace.agentId,
      key_id: workspace.keyId,
      actor: { type: 'agent', id: workspace.agentId },
    });
    const other = await newWorkspace();
    expectProblem(await browser.get(other.api.path('contacts')), 404, 'organization_not_found');
  });

  it('may only read where its key may only read, which may sign in nevertheless', async () => {
    const { client } = await newBrowser({ read_only: true });
    expect((await client.get('contacts')).status).toBe(200);
    expectProblem(await client.post('contacts', { name: 'Grace' }), 403, 'read_only_key');
  });

  it('of the operators works below /admin/v1 only, and one of a key below /api only', async () => {
    const operator = await signedIn(workspace.admin);
    expect((await operator.get('organizations')).status).toBe(200);
    await ok(operator.post('organizations', { name: 'Navy' }));
    expectUnauthorized(await operator.get('/api/v2/organizations'));
    expectUnauthorized(await operator.get('/api/v2/me'));
    expectUnauthorized(await browser.get('/admin/v1/organizations'));
    const queues = await operator.get('/admin/queues');
    expect(queues.status).toBe(401);
  });

  it('is refused as with a wrong key where the cookie is garbage or nobody’s', async () => {
    const [name, token] = browser.headers['cookie']!.split('=') as [string, string];
    for (const value of ['', 'x', token.slice(1), `${token}=`, `"${token}"`, 'A'.repeat(43), '%00', '\u00e9'])
      for (const path of ['contacts', '/admin/v1/organizations'])
        expectUnauthorized(await byCookie(browser, `${name}=${value}`).get(path));
    for (const other of ['parley_sessions=x', 'x=parley_session', `x${name}=${token}`])
      expectUnauthorized(await byCookie(browser, other).get('contacts'));
  });

  it('finds its session among other cookies', async () => {
    const cookie = `theme=dark; a="b=c";${browser.headers['cookie']} ; parley=1`;
    expect((await byCookie(browser, cookie).get('contacts')).status).toBe(200);
  });

  it('with a key beside the cookie is one with the key', async () => {
    const other = await newWorkspace();
    const both = browser.with({ 'x-api-key': other.key, 'x-parley-console': '' });
    expect((await ok(both.get('/api/v2/me'))).key.key_id).toBe(other.keyId);
    expectUnauthorized(await browser.with({ 'x-api-key': 'wrong' }).get('contacts'));
    const operator = await signedIn(workspace.admin);
    expectUnauthorized(await operator.with({ 'x-admin-key': 'wrong' }).get('organizations'));
  });

  it('is not for pages of other origins: no answer allows them to send cookies', async () => {
    const answers = [await browser.get('contacts'), await signIn(workspace.api)];
    for (const { headers } of answers) expect(headers.get('access-control-allow-credentials')).toBeNull();
  });
});

describe('a session', () => {
  it('is ended by signing out, also for whoever has a copy of the cookie', async () => {
    const answer = await browser.delete('/console/session');
    expect([answer.status, answer.text]).toEqual([204, '']);
    const { pair, attributes } = cookieOf(answer);
    expect([pair, attributes]).toEqual([
      'parley_session=',
      ['HttpOnly', 'Max-Age=0', 'Path=/', 'SameSite=Strict'],
    ]);
    expectUnauthorized(await browser.get('contacts'));
    expectUnauthorized(await browser.delete('/console/session'));
    expect((await workspace.api.get('contacts')).status).toBe(200);
  });

  it('can be ended by its cookie only', async () => {
    expectUnauthorized(await bare().delete('/console/session'));
    expectUnauthorized(await workspace.api.delete('/console/session'));
    expectUnauthorized(await byCookie(browser, 'parley_session=x').delete('/console/session'));
    expect((await browser.get('contacts')).status).toBe(200);
  });

  it('is not ended by the end of another one of the same key', async () => {
    const other = await signedIn(workspace.api);
    await ok(other.delete('/console/session'));
    expect((await browser.get('contacts')).status).toBe(200);
  });

  it('ends after 12 hours', async () => {
    const [row] = await inDatabase(async (database) => {
      const found = await database.query(
        `UPDATE console_session SET expires_at = now() WHERE token_hash = $1
          RETURNING extract(epoch FROM expires_at - created_at) AS passed`,
        [tokenHash(browser)],
      );
      return found.rows;
    });
    expect(Number(row.passed)).toBeLessThan(60);
    expectUnauthorized(await browser.get('contacts'));
    expectUnauthorized(await browser.delete('/console/session'));
  });

  it('ends when its key is revoked, expires, or gets another secret', async () => {
    const { admin } = workspace;
    const [revoked, rotated] = [await newBrowser(), await newBrowser()];
    const expires_at = new Date(Date.now() + 8_000).toISOString();
    const brief = await newBrowser({ expires_at });
    for (const { client } of [revoked, rotated, brief]) await ok(client.get('contacts'));
    await ok(admin.delete(`api-keys/${revoked.key_id}`));
    await ok(admin.post(`api-keys/${rotated.key_id}/rotate`, { overlap_seconds: 0 }));
    await until(() => Date.now() > Date.parse(expires_at));
    for (const { client } of [revoked, rotated, brief]) expectUnauthorized(await client.get('contacts'));
  });

  it('ends the live events that are read with it within five seconds, as the revocation of its key does', async () => {
    const [out, revoked] = [await newBrowser(), await newBrowser()];
    const streams = await Promise.all([out.client, revoked.client, browser].map((one) => openStream(one)));
    const [first, second, other] = streams;
    expect(streams.map(({ status }) => status)).toEqual([200, 200, 200]);
    await ok(out.client.delete('/console/session'));
    await ok(workspace.admin.delete(`api-keys/${revoked.key_id}`));
    await until(() => first!.ended() && second!.ended());
    expect(other!.ended()).toBe(false);
    other!.close();
  });
});

describe('in processes on one database', () => {
  let dataDir: string;
  let server: Server;
  const start = async (env: Record<string, string> = {}) => {
    const DATABASE_URL = await databaseUrl(process.env['PARLEY_TEST_DATA_DIR']!);
    return startServer({ entry: 'api', dataDir, env: { DATABASE_URL, ...env } });
  };
  /** The same session by the name that its cookie has on https. */
  const elsewhere = ({ base, headers }: Client) => {
    const cookie = headers['cookie']?.replace(/^parley_session/, '__Host-parley_session');
    return at({ base, headers: { ...headers, ...(cookie !== undefined && { cookie }) } });
  };
  const at = ({ base, headers }: Pick<Client, 'base' | 'headers'>) => new Client(server.url, base, headers);
  beforeAll(async () => {
    dataDir = newDataDir();
    server = await start({
      PARLEY_PUBLIC_URL: 'https://parley.example',
      LOG_LEVEL: 'debug',
      CORS_ORIGINS: 'https://app.example',
      RATE_LIMIT_RPS: '500',
    });
  });
  afterAll(async () => {
    await server.stop();
    removeDataDir(dataDir);
  });

  it('a session is one of each, and its end, or that of its key, is known to each', async () => {
    const { client, key_id } = await newBrowser();
    for (const one of [client, browser]) expect((await elsewhere(one).get('contacts')).status).toBe(200);
    await ok(browser.delete('/console/session'));
    expectUnauthorized(await elsewhere(browser).get('contacts'));
    await ok(workspace.admin.delete(`api-keys/${key_id}`));
    await until(async () => (await elsewhere(client).get('contacts')).status === 401);
  });

  it('requests by cookie count at the rate of its key', async () => {
    const left = ({ headers }: Answer) => Number(/;r=(\d+)/.exec(headers.get('ratelimit')!)![1]);
    const [first, ...others] = [
      await signIn(elsewhere(workspace.api)),
      ...(await Promise.all(Array.from({ length: 20 }, () => elsewhere(browser).get('contacts')))),
    ];
    expect(Math.min(...others.map(left))).toBeLessThan(left(first));
  });

  it('where the public URL is of https, the cookie is Secure and this host’s alone', async () => {
    const { pair, attributes } = cookieOf(await signIn(elsewhere(workspace.api)));
    expect(pair).toMatch(/^__Host-parley_session=[\w-]{43}$/);
    expect(attributes).toEqual([...ATTRIBUTES, 'Secure']);
    // As a page of a neighbouring host could have set it.
    const tossed = browser.headers['cookie']!;
    expectUnauthorized(await at(byCookie(browser, tossed)).get('contacts'));
    expectUnauthorized(await at(byCookie(browser, `${pair}; ${tossed}`)).get('contacts'));
  });

  it('pages of other origins that may call the API may not do so by cookie', async () => {
    const answer = await elsewhere(browser.with({ origin: 'https://app.example' })).get('contacts');
    expect(answer.headers.get('access-control-allow-origin')).toBe('https://app.example');
    expect(answer.headers.get('access-control-allow-credentials')).toBeNull();
    const preflight = await new Client(server.url, '').send('OPTIONS', '/console/session', {
      headers: { origin: 'https://app.example', 'access-control-request-method': 'POST' },
    });
    expect([preflight.status, preflight.headers.get('access-control-allow-origin')]).toEqual([405, null]);
  });

  it('the log has neither token nor key, at any level', async () => {
    const own = await signedIn(elsewhere(workspace.api).with({ 'x-request-id': 'signs-in' }));
    await ok(own.get('contacts'));
    await until(() => server.output().includes('signs-in'));
    for (const secret of [own.headers['cookie']!.split('=')[1]!, workspace.key])
      expect(server.output()).not.toContain(secret);
  });

  it('a restart keeps sessions, unless the operators have another key then', async () => {
    const operator = await signedIn(workspace.admin);
    await server.stop();
    server = await start();
    for (const [one, path] of [
      [operator, 'organizations'],
      [browser, 'contacts'],
    ] as const)
      expect((await at(one).get(path)).status).toBe(200);
    await server.stop();
    server = await start({ PARLEY_ADMIN_KEY: 'another-admin-key-of-the-tests' });
    expectUnauthorized(await at(operator).get('organizations'));
    expect((await at(browser).get('contacts')).status).toBe(200);
    expect((await operator.get('organizations')).status).toBe(200);
  });

  it('where there is no admin key nobody signs in as an operator, and there is no /admin', async () => {
    const operator = await signedIn(workspace.admin);
    await server.stop();
    server = await start({ PARLEY_ADMIN_KEY: '' });
    expectUnauthorized(await signIn(at(workspace.admin)));
    expectProblem(await at(operator).get('organizations'), 404, 'not_found');
  });
});
