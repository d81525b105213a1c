import {
  emailChannel,
  type Json,
  newWorkspace,
  ok,
  unique,
  type Workspace,
} from '../support/clients/client.js';
import { firstMessage, openedBy } from '../support/data/message-drafts.js';
import { removeDataDir } from '../support/server/data-dir.js';
import { startRedisCluster, startSentinel } from '../support/server/redis.js';
import { type Server, startServer } from '../support/server/server.js';
import { startSmtp, type TestSmtp } from '../support/stand-ins/smtp.js';
import { until } from '../support/until.js';

const KINDS = [
  {
    kind: 'a primary that Sentinels know',
    start: async () => {
      const sentinel = await startSentinel();
      return { ...sentinel, fail: () => sentinel.killPrimary() };
    },
  },
  {
    kind: 'a cluster',
    start: async () => {
      const cluster = await startRedisCluster();
      return { ...cluster, fail: () => cluster.killPrimaryOf('{bull}') };
    },
  },
];

describe.each(KINDS)('with the queue on $kind', ({ kind, start }) => {
  let redis: Awaited<ReturnType<typeof start>>;
  let server: Server;
  let smtp: TestSmtp;
  let workspace: Workspace;

  beforeAll(async () => {
    redis = await start();
    smtp = await startSmtp();
    server = await startServer({ env: { REDIS_URL: redis.url, LOG_LEVEL: 'fatal', RATE_LIMIT_RPS: '200' } });
    workspace = await newWorkspace({ url: server.url });
    await emailChannel(workspace, smtp.port);
  });
  afterAll(async () => {
    await server.stop();
    removeDataDir(server.dataDir);
    await smtp.close();
    await redis.close();
  });

  const queueIs = async () => {
    const answer = await fetch(`${server.url}/health/ready`);
    return ((await answer.json()) as { checks: { queue: string } }).checks.queue;
  };

  it('is ready', async () => expect(await queueIs()).toBe('ok'));

  it('sends each draft once, also while its primary dies and a replica takes its place', async () => {
    const drafts: Json[] = [];
    const acceptedAt = new Map<string, number>();
    const waits: number[] = [];
    smtp.respond.data = ({ parsed }) => {
      waits.push(performance.now() - acceptedAt.get(parsed.subject!)!);
      return undefined;
    };
    for (let nr = 0; nr < 60; nr++) {
      if (nr === 20) await redis.fail();
      const subject = unique('subject');
      acceptedAt.set(subject, performance.now());
      drafts.push(await ok(workspace.api.post('message-drafts', firstMessage({ subject }))));
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
    for (const draft of drafts) await openedBy(workspace, draft);
    expect(smtp.seen).toHaveLength(drafts.length);
    expect(new Set(smtp.seen.map(({ messageId }) => messageId)).size).toBe(drafts.length);
    console.log(`${kind}: the longest wait of a draft ${(Math.max(...waits) / 1_000).toFixed(1)} s`);
    await until(async () => (await queueIs()) === 'ok');
  });
});
