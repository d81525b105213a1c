import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Redis } from 'ioredis';

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
  const dir = mkdtempSync(join(tmpdir(), 'parley-redis-'));
  const port = await unusedPort();
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
      const options = { port, bind: '127.0.0.1', dir, databases: REDIS_DATABASES, appendonly: 'no' };
      const given = Object.entries(options).flatMap(([name, value]) => [`--${name}`, String(value)]);
      server = spawn('redis-server', [...given, '--save', ''], { stdio: 'ignore' });
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
