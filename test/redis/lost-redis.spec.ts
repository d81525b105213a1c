import {
  emailChannel,
  type Json,
  newWorkspace,
  ok,
  unique,
  type Workspace,
} from '../support/clients/client.js';
import { firstMessage, openedBy } from '../support/data/message-drafts.js';
import { startRedis, type TestRedis } from '../support/server/redis.js';
import { removeDataDir } from '../support/server/data-dir.js';
import { type Server, startServer } from '../support/server/server.js';
import { startSmtp, type TestSmtp } from '../support/stand-ins/smtp.js';
import { verify } from '../support/server/verify.js';

let redis: TestRedis;
let server: Server;
let smtp: TestSmtp;
let workspace: Workspace;

beforeAll(async () => {
  redis = await startRedis();
  server = await startServer({ env: { REDIS_URL: redis.url, LOG_LEVEL: 'fatal' } });
});

beforeEach(async () => {
  smtp = await startSmtp();
  workspace = await newWorkspace({ url: server.url });
  await emailChannel(workspace, smtp.port);
});

afterEach(() => smtp.close());

afterAll(async () => {
  await server.stop();
  removeDataDir(server.dataDir);
  await redis.close();
});

const send = (of = workspace): Promise<Json> =>
  ok(of.api.post('message-drafts', firstMessage({ subject: unique('subject') })));

/** Each of the drafts has left, once. */
async function allHaveLeft(drafts: Json[]): Promise<void> {
  for (const draft of drafts) await openedBy(workspace, draft);
  expect(smtp.seen).toHaveLength(drafts.length);
  expect(new Set(smtp.seen.map(({ messageId }) => messageId)).size).toBe(drafts.length);
}

/** So many are accepted that some are queued, some in hand and some sent when `happening` happens in their midst. */
async function acceptedAround(happening: () => Promise<unknown>): Promise<Json[]> {
  const before = await Promise.all(Array.from({ length: 40 }, () => send()));
  await happening();
  return [...before, ...(await Promise.all(Array.from({ length: 20 }, () => send())))];
}

describe('with the queue on Redis', () => {
  it('drafts leave', async () => allHaveLeft(await acceptedAround(async () => {})));

  it('a flushed Redis loses nothing and sends nothing twice', async () =>
    allHaveLeft(
      await acceptedAround(async () => {
        for (let nr = 0; nr < 5; nr++) await redis.flush();
      }),
    ));

  it('a Redis that was away loses nothing and sends nothing twice', async () =>
    allHaveLeft(
      await acceptedAround(async () => {
        await redis.stop();
        await redis.start();
      }),
    ));

  it('a Redis that stays away delays drafts, and no more: they are accepted and they leave', async () => {
    await redis.stop();
    const drafts = await acceptedAround(async () => {});
    // The dashboard says so, instead of waiting for it.
    expect((await workspace.admin.send('GET', '/admin/queues/api/queues')).status).toBe(503);
    await allHaveLeft(drafts);
    await redis.start();
    await allHaveLeft([...drafts, await send()]);
  });

  it('a process ends in order while Redis is away, and the next one finds what it left', async () => {
    const { dataDir } = server;
    smtp.respond.data = () => ({ code: 451 });
    const drafts = await Promise.all(Array.from({ length: 5 }, () => send()));
    await redis.stop();
    await server.stop();
    expect(server.ended()).toBe(0);
    await redis.start();
    smtp.respond.data = undefined;
    smtp.seen.length = 0;
    server = await startServer({ dataDir, env: { REDIS_URL: redis.url, LOG_LEVEL: 'fatal' } });
    workspace = { ...workspace, api: Object.assign(workspace.api.with({}), { url: server.url }) };
    await allHaveLeft(drafts);
  });

  it('leaves rows that are what the events say', async () =>
    expect(await verify(server.dataDir)).not.toContain('DIFFERS'));
});
