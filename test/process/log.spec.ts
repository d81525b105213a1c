import { Client as Database } from 'pg';
import { VERSION } from '#config/product.js';
import { apiOf, Client, newWorkspace, ok } from '../support/clients/client.js';
import { removeDataDir } from '../support/server/data-dir.js';
import { databaseUrl, type Server, startServer } from '../support/server/server.js';
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
    // The last line may still be coming.
    .slice(0, -1)
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

it('tells the settings to whoever looks for faults', async () => {
  const line = server
    .output()
    .split('\n')
    .find((one) => one.includes('"msg":"settings"'));
  expect(JSON.parse(line!)).toMatchObject({ level: 20, settings: { accessLog: false, adminKey: 'set' } });
});

it('has each answer under its request id, too, when only ACCESS_LOG asks for it', async () => {
  const own = await startServer({ env: { LOG_LEVEL: 'info', ACCESS_LOG: 'true' } });
  await new Client(own.url, '').with({ 'x-request-id': 'look-for-me' }).get('/health/live');
  const lines = () => own.output().split('\n');
  await until(() => lines().some((line) => line.includes('look-for-me')));
  await own.stop();
  const find = (text: string): unknown => JSON.parse(lines().find((line) => line.includes(text))!);
  expect(find('look-for-me')).toMatchObject({ level: 30, route: '/health/live', status: 200 });
  expect(find('"started"')).toMatchObject({ level: 30, version: VERSION, role: 'api and worker' });
  // What a start tells in words.
  expect(own.output()).not.toMatch(/Server listening|"settings"/);
  expect(find('"stopped"')).toMatchObject({ level: 30 });
  removeDataDir(own.dataDir);
});

it('tells what failed in the database, and not what people wrote', async () => {
  const { adminApi } = await newWorkspace({ url: server.url });
  const database = new Database({ connectionString: await databaseUrl(server.dataDir) });
  await database.connect();
  await database.query(`ALTER TABLE agent ADD CONSTRAINT no_admirals CHECK (name <> 'Admiral Hopper')`);
  await database.end();
  const agent = { name: 'Admiral Hopper', email: 'admiral@navy.example' };
  expect((await adminApi.with({ 'x-request-id': 'will-fail' }).post('agents', agent)).status).toBe(500);
  await until(() => lineOf('will-fail') !== undefined);
  expect(JSON.parse(lineOf('will-fail')!)).toMatchObject({
    msg: 'request failed',
    err: { code: '23514', message: expect.stringContaining('no_admirals'), stack: expect.any(String) },
  });
  for (const said of ['Admiral Hopper', 'admiral@navy.example']) expect(server.output()).not.toContain(said);
});
