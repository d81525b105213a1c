import { apiOf, newWorkspace, ok } from '../support/client.js';
import { removeDataDir } from '../support/data-dir.js';
import { type Server, startServer } from '../support/server.js';
import { until } from '../support/until.js';

let server: Server;
beforeAll(async () => {
  server = await startServer({ env: { LOG_LEVEL: undefined } });
});
afterAll(async () => {
  await server.stop();
  removeDataDir(server.dataDir);
});

const lineOf = (requestId: string): string | undefined =>
  server
    .output()
    .split('\n')
    .find((line) => line.includes(requestId));

it('has each answer under its request id by default, and neither secrets nor what was said', async () => {
  const { organizationId, key } = await newWorkspace({ url: server.url });
  const api = apiOf(organizationId, key, server.url).with({ 'x-request-id': 'look-for-me' });
  await ok(api.post('contacts', { name: 'Grace Hopper', email: 'grace@navy.example' }));
  await until(() => lineOf('look-for-me') !== undefined);
  expect(JSON.parse(lineOf('look-for-me')!)).toMatchObject({
    request_id: 'look-for-me',
    method: 'POST',
    route: '/api/v2/organizations/:organization_id/contacts',
    status: 201,
    duration_ms: expect.any(Number),
  });
  for (const secret of [key, organizationId, 'Grace', 'navy.example'])
    expect(server.output()).not.toContain(secret);
});

it('has refusals under their request id, too, and leaves out what monitoring asks for', async () => {
  for (const path of ['/health/ready', '/metrics', '/api/v2/nothing'])
    await fetch(server.url + path, { headers: { 'x-request-id': `of${path.replaceAll('/', '-')}` } });
  await until(() => lineOf('of-api-v2-nothing') !== undefined);
  expect(JSON.parse(lineOf('of-api-v2-nothing')!)).toMatchObject({ route: 'unknown', status: 401 });
  expect([lineOf('of-health-ready'), lineOf('of-metrics')]).toEqual([undefined, undefined]);
});
