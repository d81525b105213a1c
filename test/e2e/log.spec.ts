import { apiOf, newWorkspace, ok } from '../support/client.js';
import { removeDataDir } from '../support/data-dir.js';
import { type Server, startServer } from '../support/server.js';
import { until } from '../support/until.js';

let server: Server;
beforeAll(async () => {
  server = await startServer({ env: { LOG_LEVEL: 'debug' } });
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

it('has each answer at debug under its request id, and neither secrets nor what was said', async () => {
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
