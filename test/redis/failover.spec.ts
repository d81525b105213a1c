import { type AddressInfo, connect, createServer, type Server as Proxy, type Socket } from 'node:net';
import { Redis } from 'ioredis';
import { removeDataDir } from '../support/server/data-dir.js';
import { startRedis, type TestRedis } from '../support/server/redis.js';
import { type Server, startServer } from '../support/server/server.js';
import { until } from '../support/until.js';

let first: TestRedis;
let second: TestRedis;
/** Where the address of Redis leads; connections that are there stay where they are. */
let primary: TestRedis;
let address: Proxy;
let server: Server;
const sockets = new Set<Socket>();

beforeAll(async () => {
  [first, second] = await Promise.all([startRedis(), startRedis()]);
  primary = first;
  address = createServer((socket) => {
    const behind = connect(portOf(primary), '127.0.0.1');
    for (const [one, other] of [
      [socket, behind],
      [behind, socket],
    ] as const) {
      sockets.add(one);
      one.pipe(other);
      one.on('error', () => {}).on('close', () => other.destroy());
    }
  });
  await new Promise<void>((listening) => address.listen(0, '127.0.0.1', listening));
  const { port } = address.address() as AddressInfo;
  server = await startServer({ env: { REDIS_URL: `redis://127.0.0.1:${port}`, LOG_LEVEL: 'fatal' } });
});

afterAll(async () => {
  await server.stop();
  removeDataDir(server.dataDir);
  sockets.forEach((socket) => socket.destroy());
  await new Promise((closed) => address.close(closed));
  await Promise.all([first.close(), second.close()]);
});

const portOf = ({ url }: TestRedis) => Number(new URL(url).port);

async function tell({ url }: TestRedis, command: string, ...words: string[]): Promise<void> {
  const client = new Redis(url);
  await client.call(command, ...words);
  client.disconnect();
}

async function untilQueueIs(state: string): Promise<void> {
  await until(async () => {
    const answer = await fetch(`${server.url}/health/ready`);
    const { checks } = (await answer.json()) as { checks: { queue: string } };
    return checks.queue === state;
  });
}

describe('a process with its queue on Redis', () => {
  it('is degraded while Redis is full, and not any more when there is room', async () => {
    await untilQueueIs('ok');
    await tell(first, 'CONFIG', 'SET', 'maxmemory', '1');
    await untilQueueIs('away');
    await tell(first, 'CONFIG', 'SET', 'maxmemory', '0');
    await untilQueueIs('ok');
  });

  it('is degraded while its Redis is a replica, and goes on where the address leads once that is a primary', async () => {
    await tell(first, 'REPLICAOF', '127.0.0.1', String(portOf(second)));
    await untilQueueIs('away');
    primary = second;
    await untilQueueIs('ok');
  });
});
