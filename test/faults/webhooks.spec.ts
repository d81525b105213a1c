import { apiOf, Client, type Json, newWorkspace, ok } from '../support/clients/client.js';
import { newWebhook, startReceiver, type TestReceiver, verified } from '../support/stand-ins/receiver.js';
import { readyDataDir, removeDataDir } from '../support/server/data-dir.js';
import { type Server, startServer } from '../support/server/server.js';
import { until } from '../support/until.js';

const EVENTS = 200;
const KILL_AFTER = 40;

let dataDir: string;
let server: Server;
let api: Client;
let adminApi: Client;
let webhook: Json;
let receiver: TestReceiver;

beforeAll(async () => {
  dataDir = readyDataDir();
  server = await startServer({ dataDir });
  const workspace = await newWorkspace({ url: server.url });
  ({ api, adminApi } = workspace);
  receiver = await startReceiver();
  webhook = await newWebhook(adminApi, { url: receiver.url });
});

afterAll(async () => {
  await server.stop();
  await receiver.close();
  removeDataDir(dataDir);
});

/** kill -9 and a new process on what it left; nothing waits for a lease of the old one. */
async function killAndRestart(): Promise<void> {
  await server.kill();
  server = await startServer({ dataDir });
  const { organizationId, key } = {
    organizationId: api.base.split('/').at(-1)!,
    key: api.headers['x-api-key']!,
  };
  api = apiOf(organizationId, key, server.url);
  adminApi = new Client(server.url, adminApi.base, adminApi.headers);
}

const log = async (): Promise<Json[]> =>
  (await ok(adminApi.get(`webhooks/${webhook.webhook_id}/deliveries`, { limit: 200 }))).data;

describe('kill -9 of the worker', () => {
  it('between the claim and the answer: the event arrives again under the same webhook-id', async () => {
    receiver.respond = () => {};
    await ok(api.post('contacts', { name: 'Grace' }));
    await receiver.waitFor(1);
    receiver.respond = undefined;
    await killAndRestart();
    await receiver.waitFor(2);
    expect(receiver.seen[1]!.id).toBe(receiver.seen[0]!.id);
    expect(receiver.seen[1]!.raw).toBe(receiver.seen[0]!.raw);
    for (const received of receiver.seen) verified(webhook.secret, received);
    await until(async () => (await log())[0].status === 'delivered');
  });

  it('amid many events: each arrives, and one of them twice at most for each that was under way', async () => {
    receiver.seen.length = 0;
    const writes = Array.from({ length: EVENTS }, (_, nr) =>
      api.post('contacts', { name: `Contact ${nr}` }).then(
        ({ status }) => status === 201,
        () => false,
      ),
    );
    await receiver.waitFor(KILL_AFTER);
    await killAndRestart();
    expect((await Promise.all(writes)).filter((acknowledged) => acknowledged).length).toBeGreaterThan(0);
    let events: Json[] = [];
    await until(async () => {
      events = (await ok(api.get('events', { limit: 200 }))).data.slice(1);
      const arrived = new Set(receiver.seen.map(({ id }) => id));
      return events.every(({ event_id }) => arrived.has(event_id));
    });
    expect(events.length).toBeGreaterThanOrEqual(KILL_AFTER);
    await until(async () => (await log()).every(({ status }) => status === 'delivered'));
    // At most so many are under way at a time (see Sender).
    expect(receiver.seen.length - new Set(receiver.seen.map(({ id }) => id)).size).toBeLessThanOrEqual(8);
  });
});
