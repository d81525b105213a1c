import { readFileSync } from 'node:fs';
import { Client as Database } from 'pg';
import { startEmbeddedPostgres } from '#embedded-postgres/postgres.js';
import { Client, newWorkspace, ok, sharedUrl } from '../support/clients/client.js';
import { inDatabase } from '../support/database/database.js';
import { expectProblem } from '../support/clients/expectations.js';
import { readyDataDir, removeDataDir } from '../support/server/data-dir.js';
import { freePort, startServer } from '../support/server/server.js';
import { until } from '../support/until.js';

const shared = new Client(sharedUrl(), '');

describe('GET /health/ready', () => {
  it('tells of database, migrations, queue and event feed', async () =>
    expect(await ok(shared.get('/health/ready'))).toMatchObject({
      checks: { database: 'ok', migrations: 'ok', queue: 'ok', event_feed: expect.any(String) },
      watermark_age_seconds: expect.any(Number),
    }));

  it('is well with migrations of a newer version, as while it is rolled out', async () => {
    await inDatabase((database) =>
      database.query(`INSERT INTO migrations (timestamp, name) VALUES (9, 'Teleporting9000000000000')`),
    );
    try {
      expect((await shared.get('/health/ready')).status).toBe(200);
    } finally {
      await inDatabase((database) => database.query('DELETE FROM migrations WHERE timestamp = 9'));
    }
  });

  it('is 503 while the database is away, which an alert sees in the metrics, and 200 when it is back', async () => {
    const missed = /expr: absent\((\w+)\)$/m.exec(readFileSync('docs/prometheus/alerts.yml', 'utf8'))![1];
    const dataDir = readyDataDir();
    const postgres = await startEmbeddedPostgres({ dataDir });
    const env = { DATABASE_URL: postgres.url, LOG_LEVEL: 'silent' };
    const server = await startServer({ dataDir, entry: 'api', env });
    const own = new Client(server.url, '');
    await postgres.stop();
    const answer = await own.get('/health/ready');
    expectProblem(answer, 503, 'unavailable');
    expect((await own.get('/health/live')).status).toBe(200);
    const { status, text: metrics } = await own.get('/metrics');
    expect(status).toBe(200);
    expect(metrics).toMatch(/^process_cpu_seconds_total /m);
    for (const unknown of [missed, 'parley_delivery_oldest_due_seconds', 'parley_webhooks'])
      expect(metrics).not.toMatch(new RegExp(`^${unknown}[ {]`, 'm'));
    const again = await startEmbeddedPostgres({ dataDir, port: Number(new URL(postgres.url).port) });
    await until(async () => (await own.get('/health/ready')).status === 200);
    expect((await own.get('/metrics')).text).toMatch(new RegExp(`^${missed} \\d`, 'm'));
    await server.stop();
    await again.stop();
    removeDataDir(dataDir);
  });

  it('is 503 while the database takes no writes, as the writes are', async () => {
    const dataDir = readyDataDir();
    const postgres = await startEmbeddedPostgres({ dataDir });
    const env = { DATABASE_URL: postgres.url, LOG_LEVEL: 'silent' };
    const server = await startServer({ dataDir, entry: 'api', env });
    const { api } = await newWorkspace({ url: server.url });
    const own = new Client(server.url, '');
    await withoutWrites(postgres.url, true);
    await until(async () => (await own.get('/health/ready')).status === 503);
    expectProblem(await own.get('/health/ready'), 503, 'unavailable');
    expectProblem(await api.post('contacts', { name: 'Grace' }), 503, 'unavailable');
    await withoutWrites(postgres.url, false);
    await until(async () => (await own.get('/health/ready')).status === 200);
    await server.stop();
    await postgres.stop();
    removeDataDir(dataDir);
  });
});

describe('an API whose only worker is killed', () => {
  it('answers on, and says so in its readiness and its metrics though nothing is due', async () => {
    const dataDir = readyDataDir();
    const postgres = await startEmbeddedPostgres({ dataDir });
    const env = { DATABASE_URL: postgres.url };
    const api = await startServer({ dataDir, entry: 'api', env });
    const own = new Client(api.url, '');
    const isSeen = async (state: string, workers: number) => {
      const { checks, workers: seen } = await ok(own.get('/health/ready'));
      const { text } = await own.get('/metrics');
      return (
        checks.workers === state && seen.count === workers && text.includes(`\nparley_workers ${workers}\n`)
      );
    };
    expect(await ok(own.get('/health/ready'))).toMatchObject({
      status: 'degraded',
      checks: { workers: 'away' },
      workers: { count: 0, heartbeat_age_seconds: null },
    });
    const workerPort = await freePort();
    const worker = await startServer({
      dataDir,
      entry: 'worker',
      env: { ...env, WORKER_PORT: String(workerPort) },
    });
    await until(() => isSeen('ok', 1));
    const door = new Client(`http://127.0.0.1:${workerPort}`, '');
    await until(() =>
      door.get('/health/live').then(
        () => true,
        () => false,
      ),
    );
    for (const path of ['/health', '/health/ready'])
      expect(await ok(door.get(path))).toMatchObject({ status: 'ok', workers: { count: 1 } });
    expect(await ok(door.get('/health/live'))).toMatchObject({ status: 'ok' });
    expect((await door.get('/metrics')).text).toContain('\nparley_workers 1\n');
    expect((await fetch(`${door.url}/api/v2/me`)).status).toBe(404);
    await worker.kill();
    await until(() => isSeen('away', 0));
    await api.stop();
    await postgres.stop();
    removeDataDir(dataDir);
  });
});

/** As on a server that has become a replica, or is one no longer; ends all sessions, so that it holds for those that follow. */
async function withoutWrites(url: string, isReadOnly: boolean): Promise<void> {
  const database = new Database({ connectionString: url, options: '-c default_transaction_read_only=off' });
  await database.connect();
  await database.query(`ALTER ROLE CURRENT_USER SET default_transaction_read_only = ${isReadOnly}`);
  await database.query(
    'SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE usename = current_user AND pid <> pg_backend_pid()',
  );
  await database.end();
}
