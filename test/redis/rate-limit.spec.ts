import { apiOf, newKey, newWorkspace, ok, type Workspace } from '../support/clients/client.js';
import { newDataDir, removeDataDir } from '../support/server/data-dir.js';
import { startRedis, type TestRedis } from '../support/server/redis.js';
import { databaseUrl, type Server, startServer } from '../support/server/server.js';
import { until } from '../support/until.js';

const RATE = 1;
const BURST = 2;

let redis: TestRedis;
let servers: Server[];
let workspace: Workspace;

beforeAll(async () => {
  redis = await startRedis();
  workspace = await newWorkspace();
  const env = {
    DATABASE_URL: await databaseUrl(process.env['PARLEY_TEST_DATA_DIR']!),
    REDIS_URL: redis.url,
    RATE_LIMIT_RPS: String(RATE),
    LOG_LEVEL: 'fatal',
  };
  servers = await Promise.all([1, 2].map(() => startServer({ entry: 'api', dataDir: newDataDir(), env })));
});

afterAll(async () => {
  for (const server of servers) {
    await server.stop();
    removeDataDir(server.dataDir);
  }
  await redis.close();
});

/** How many requests of a new key two processes admit of a crowd of each, and how many a bucket could give in that time. */
async function crowd(): Promise<{ admitted: number[]; most: number }> {
  const { organizationId, admin } = workspace;
  const { api_key } = await ok(newKey(admin, organizationId));
  const begun = performance.now();
  const admitted = await Promise.all(
    servers.map(async ({ url }) => {
      const api = apiOf(organizationId, api_key, url);
      const answers = await Promise.all(Array.from({ length: 20 }, () => api.get('contacts')));
      return answers.filter(({ status }) => status === 200).length;
    }),
  );
  return { admitted, most: BURST + ((performance.now() - begun) / 1_000) * RATE };
}

const sum = (numbers: number[]) => numbers.reduce((one, other) => one + other);

describe('with Redis, the rate limit of a key', () => {
  it('is one for all processes', async () => {
    const { admitted, most } = await crowd();
    expect(sum(admitted)).toBeGreaterThanOrEqual(BURST);
    expect(sum(admitted)).toBeLessThanOrEqual(most);
  });

  it('is counted by each process while Redis is away, and together again when it is back', async () => {
    await redis.stop();
    const { admitted } = await crowd();
    expect(Math.min(...admitted)).toBeGreaterThanOrEqual(BURST);
    await redis.start();
    await until(async () => {
      const { admitted: again, most } = await crowd();
      return sum(again) <= most;
    });
  });
});
