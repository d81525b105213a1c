// Jest loads this file with Node's own `import`; see integration-setup.mjs.
import { register } from 'node:module';

register('./typescript-hooks.mjs', import.meta.url);

/** Starts a Redis server and the product on it, for tests that others make on PostgreSQL alone; see redis-env.mjs. */
export default async function redisSetup() {
  const { startRedis } = await import('../server/redis.ts');
  const { startServer } = await import('../server/server.ts');
  const { makeTemplate } = await import('../server/template.ts');
  await makeTemplate();
  const redis = await startRedis();
  globalThis.parleyRedis = redis;
  const server = await startServer({ env: { REDIS_URL: redis.url } });
  globalThis.parleyOnRedis = server;
  process.env.PARLEY_TEST_ON_REDIS = JSON.stringify({
    PARLEY_TEST_REDIS: redis.url,
    PARLEY_TEST_URL: server.url,
    PARLEY_TEST_DATA_DIR: server.dataDir,
  });
}
