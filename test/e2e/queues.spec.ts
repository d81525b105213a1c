import { Client, sharedUrl } from '../support/clients/client.js';
import { expectProblem } from '../support/clients/expectations.js';
import { readyDataDir, removeDataDir } from '../support/server/data-dir.js';
import { ADMIN_KEY, startServer } from '../support/server/server.js';
import { startEmbeddedPostgres } from '#embedded-postgres/postgres.js';

const open = new Client(sharedUrl(), '/admin/queues');
const basic = (password: string, name = 'operator') => ({
  authorization: `Basic ${Buffer.from(`${name}:${password}`).toString('base64')}`,
});

describe('/admin/queues', () => {
  it('asks a browser for a password, which is the admin key', async () => {
    for (const headers of [
      {},
      basic('wrong'),
      basic(''),
      { authorization: 'Basic !' },
      { authorization: 'Bearer x' },
    ]) {
      const answer = await open.with(headers).get();
      expectProblem(answer, 401, 'unauthorized');
      expect(answer.headers.get('www-authenticate')).toMatch(/^Basic realm="/);
    }
    const page = await open.with(basic(ADMIN_KEY, '')).get();
    expect([page.status, page.headers.get('content-type')]).toEqual([
      200,
      expect.stringMatching(/^text\/html/),
    ]);
    expect(page.headers.get('content-security-policy')).toContain("default-src 'self'");
    expect(page.headers.get('x-frame-options')).toBe('SAMEORIGIN');
  });

  it('takes the admin key in its header, too', async () =>
    expect((await open.with({ 'x-admin-key': ADMIN_KEY }).get()).status).toBe(200));

  it('shows the queue of deliveries, with what the page is made of', async () => {
    const admin = open.with(basic(ADMIN_KEY));
    const { queues } = (await admin.get('api/queues')).body;
    expect(queues).toContainEqual(expect.objectContaining({ name: 'delivery', readOnlyMode: true }));
    const { text } = await admin.get();
    const script = /src="[^"]*(static\/[^"]+\.js)"/.exec(text)![1]!;
    expect((await admin.get(script)).status).toBe(200);
    expect((await open.get(script)).status).toBe(401);
  });

  it('changes nothing', async () => {
    const admin = open.with(basic(ADMIN_KEY));
    for (const path of [
      'api/queues/delivery/pause',
      'api/queues/delivery/empty',
      'api/queues/delivery/clean/failed',
    ])
      expect((await admin.send('PUT', path)).status).toBe(405);
  });

  it('leaves the rest of /admin to the header alone', async () => {
    const admin = new Client(sharedUrl(), '/admin/v1', basic(ADMIN_KEY));
    expectProblem(await admin.get('organizations'), 401, 'unauthorized');
  });

  it('is not there without an admin key', async () => {
    const dataDir = readyDataDir();
    const postgres = await startEmbeddedPostgres({ dataDir });
    const env = { DATABASE_URL: postgres.url, PARLEY_ADMIN_KEY: undefined };
    const server = await startServer({ dataDir, entry: 'api', env });
    expectProblem(await new Client(server.url, '').get('/admin/queues'), 404, 'not_found');
    await server.stop();
    await postgres.stop();
    removeDataDir(dataDir);
  });
});
