import { appendFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Client } from 'pg';
import { accountFor } from '#embedded-postgres/account.js';
import { backUp } from '#embedded-postgres/backup.js';
import { filesIn, readPidFile, urlOf } from '#embedded-postgres/files.js';
import { startEmbeddedPostgres } from '#embedded-postgres/postgres.js';
import { programs } from '#embedded-postgres/programs.js';
import { restore } from '#embedded-postgres/restore.js';
import { spawnServer } from '#embedded-postgres/server.js';
import { newDataDir, readyDataDir, removeDataDir } from '../server/data-dir.js';
import { freePort } from '../server/server.js';
import { until } from '../until.js';

/** A PostgreSQL server with a data directory of its own. */
export interface PostgresServer {
  url: string;
  host: string;
  dataDir: string;
  /** Ends it at once (SIGKILL); resolves when it has exited. */
  kill(): Promise<void>;
  /** Ends it and removes its data. */
  close(): Promise<void>;
}

export interface Primary extends PostgresServer {
  /** Starts it again on its data; it knows nothing of a standby that has taken its place. */
  restart(): Promise<void>;
}

export interface Standby extends PostgresServer {
  /** Makes it take writes; resolves when it does. */
  promote(): Promise<void>;
  /** Resolves when it has replayed all that the primary has written up to now. */
  caughtUp(): Promise<void>;
}

/** The commits of a primary are as safe as its disk is: nothing here survives the machine. */
const SETTINGS = { fsync: 'off', full_page_writes: 'off' };

/** A server that keeps enough of its log for standbys to follow it. The product's database is on it. */
export async function startPrimary(settings: Record<string, string> = {}): Promise<Primary> {
  const dataDir = readyDataDir();
  const port = await freePort();
  const start = () =>
    startEmbeddedPostgres({
      dataDir,
      port,
      settings: { ...SETTINGS, wal_keep_size: '1GB', ...settings },
    });
  let server = await start();
  return {
    url: server.url,
    host: new URL(server.url).host,
    dataDir,
    async kill() {
      process.kill(readPidFile(filesIn(dataDir))!.pid, 'SIGKILL');
      await server.exited;
    },
    async restart() {
      server = await start();
    },
    async close() {
      await server.stop();
      removeDataDir(dataDir);
    },
  };
}

/** A server that follows `primary` and answers reads; its `name` is that by which the primary knows it. */
export async function startStandby(
  primary: PostgresServer,
  { name = 'standby', settings = {} }: { name?: string; settings?: Record<string, string> } = {},
): Promise<Standby> {
  const [dataDir, copy] = [newDataDir(), newDataDir()];
  await backUp(primary.dataDir, primary.url, copy);
  await restore(copy, dataDir);
  removeDataDir(copy);
  const files = filesIn(dataDir);
  writeFileSync(join(files.cluster, 'standby.signal'), '');
  appendFileSync(
    join(files.cluster, 'postgresql.auto.conf'),
    `primary_conninfo = '${conninfo(primary.url, name)}'\n`,
  );
  const port = await freePort();
  const { postgres } = programs();
  const server = spawnServer(accountFor(postgres, files.root, null), postgres, files, {
    listen_addresses: '127.0.0.1',
    unix_socket_directories: '',
    timezone: 'UTC',
    log_timezone: 'UTC',
    max_connections: '200',
    port: String(port),
    ...SETTINGS,
    ...settings,
  });
  const url = urlOf(files, port);
  await until(() => answers(url));
  const caughtUp = async () => {
    const [row] = await ask(primary.url, 'SELECT pg_current_wal_lsn()::text AS value');
    await until(async () => {
      const [replayed] = await ask(
        url,
        `SELECT pg_last_wal_replay_lsn() >= '${String(row!.value)}'::pg_lsn AS value`,
      );
      return replayed!.value === true;
    });
  };
  await caughtUp();
  return {
    url,
    host: new URL(url).host,
    dataDir,
    caughtUp,
    async promote() {
      await ask(url, 'SELECT pg_promote() AS value');
    },
    async kill() {
      process.kill(server.pid!, 'SIGKILL');
      await server.exited;
    },
    async close() {
      await server.stop();
      removeDataDir(dataDir);
    },
  };
}

/** From now on nothing is acknowledged before a standby has it, too. */
export async function replicateSynchronously({ url }: PostgresServer): Promise<void> {
  await ask(url, `ALTER SYSTEM SET synchronous_standby_names = '*'`);
  await ask(url, 'SELECT pg_reload_conf() AS value');
  await until(async () => {
    const [row] = await ask(
      url,
      `SELECT EXISTS (SELECT FROM pg_stat_replication WHERE sync_state = 'sync') AS value`,
    );
    return row!.value === true;
  });
}

function conninfo(url: string, name: string): string {
  const { hostname, port, username, password } = new URL(url);
  return `host=${hostname} port=${port} user=${username} password=${password} application_name=${name}`;
}

const answers = (url: string): Promise<boolean> =>
  ask(url, 'SELECT 1 AS value').then(
    () => true,
    () => false,
  );

async function ask(url: string, text: string): Promise<{ value: unknown }[]> {
  const client = new Client({ connectionString: url });
  client.on('error', () => {});
  await client.connect();
  try {
    return (await client.query<{ value: unknown }>(text)).rows;
  } finally {
    await client.end();
  }
}
