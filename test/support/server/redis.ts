import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { Redis } from 'ioredis';

const run = promisify(execFile);

export const REDIS_DATABASES = 1_000;

/** A Redis server of this run, forgetful on purpose: nothing may depend on what it keeps. */
export interface TestRedis {
  url: string;
  /** Forgets everything. */
  flush(): Promise<void>;
  /** Ends it; it starts again on the same port. */
  stop(): Promise<void>;
  start(): Promise<void>;
  /** Ends it for good. */
  close(): Promise<void>;
}

export async function startRedis(): Promise<TestRedis> {
  return startWith([]);
}

/** A primary with a replica, and a Sentinel that knows the primary as `parley` and promotes the replica in its place. */
export interface TestSentinel {
  /** As REDIS_URL names it. */
  url: string;
  /** Ends the primary at once, for good. */
  killPrimary(): Promise<void>;
  close(): Promise<void>;
}

export async function startSentinel(): Promise<TestSentinel> {
  const [primary, replica] = [await startRedis(), await startRedis()];
  const port = portOf(primary);
  await withClient(portOf(replica), (client) => client.replicaof('127.0.0.1', port));
  await withClient(port, (client) => client.set('there', '1'));
  await withClient(port, (client) => client.wait(1, 5_000));
  const sentinel = await startWith(
    ['--sentinel'],
    [
      `sentinel monitor parley 127.0.0.1 ${port} 1`,
      'sentinel down-after-milliseconds parley 500',
      'sentinel failover-timeout parley 2000',
    ],
  );
  await withClient(portOf(sentinel), async (client) => {
    const knowsReplica = async () => ((await client.call('SENTINEL', 'REPLICAS', 'parley')) as []).length > 0;
    while (!(await knowsReplica())) await sleep(50);
  });
  return {
    url: `redis+sentinel://127.0.0.1:${portOf(sentinel)}/parley`,
    killPrimary: () => primary.stop(),
    async close() {
      for (const one of [sentinel, replica, primary]) await one.close();
    },
  };
}

/** Three primaries that share the slots, and a replica for each. */
export interface TestRedisCluster {
  url: string;
  /** Ends the primary of a key's slot at once, for good; its replica takes its place. */
  killPrimaryOf(key: string): Promise<void>;
  close(): Promise<void>;
}

export async function startRedisCluster(): Promise<TestRedisCluster> {
  const settings = ['cluster-enabled yes', 'cluster-node-timeout 1000', 'cluster-config-file nodes.conf'];
  const nodes = await Promise.all(Array.from({ length: 6 }, () => startWith([], settings)));
  const hosts = nodes.map((node) => `127.0.0.1:${portOf(node)}`);
  await run('redis-cli', ['--cluster', 'create', ...hosts, '--cluster-replicas', '1', '--cluster-yes']);
  return {
    url: `redis+cluster://${hosts.join(',')}`,
    async killPrimaryOf(key) {
      let port = 0;
      await withClient(portOf(nodes[0]!), async (client) => {
        const slot = await client.cluster('KEYSLOT', key);
        const ranges = await client.cluster('SLOTS');
        port = ranges.find(([first, last]) => first <= slot && slot <= last)![2]![1];
      });
      await nodes.find((node) => portOf(node) === port)!.stop();
    },
    async close() {
      for (const node of nodes) await node.close();
    },
  };
}

const portOf = ({ url }: TestRedis): number => Number(new URL(url).port);

/** A server that has these settings in its file, beside the usual ones unless it is a Sentinel. */
async function startWith(given: string[], settings?: string[]): Promise<TestRedis> {
  const dir = mkdtempSync(join(tmpdir(), 'parley-redis-'));
  const port = await unusedPort();
  const isSentinel = given.includes('--sentinel');
  const isNode = settings?.some((line) => line.startsWith('cluster-')) === true;
  const usual = [`databases ${isNode ? 1 : REDIS_DATABASES}`, 'appendonly no', 'save ""'];
  const lines = [
    `port ${port}`,
    'bind 127.0.0.1',
    `dir ${dir}`,
    ...(isSentinel ? [] : usual),
    ...(settings ?? []),
  ];
  const file = join(dir, 'redis.conf');
  writeFileSync(file, lines.join('\n'));
  let server: ChildProcess | null = null;
  const redis: TestRedis = {
    url: `redis://127.0.0.1:${port}`,
    flush: () => withClient(port, (client) => client.flushall()),
    async stop() {
      if (!server) return;
      const ended = new Promise((resolve) => server!.once('exit', resolve));
      server.kill('SIGKILL');
      await ended;
      server = null;
    },
    async start() {
      server = spawn('redis-server', [file, ...given], { stdio: 'ignore' });
      await withClient(port, (client) => client.ping());
    },
    async close() {
      await redis.stop();
      rmSync(dir, { recursive: true, force: true });
    },
  };
  await redis.start();
  return redis;
}

/** Waits for the server as long as it takes. */
async function withClient(port: number, work: (client: Redis) => Promise<unknown>): Promise<void> {
  const client = new Redis(port, '127.0.0.1', { maxRetriesPerRequest: null, retryStrategy: () => 50 });
  client.on('error', () => {});
  await work(client);
  client.disconnect();
}

function unusedPort(): Promise<number> {
  return new Promise((resolve) => {
    const probe = createServer().listen({ port: 0, host: '127.0.0.1' }, () => {
      const { port } = probe.address() as { port: number };
      probe.close(() => resolve(port));
    });
  });
}
