import { spawn, spawnSync } from 'node:child_process';
import { chmodSync, chownSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client } from 'pg';
import { accountFor, commandAs } from '#embedded-postgres/account.js';
import { freePort } from '../server/server.js';
import { until } from '../until.js';

/** PGBOUNCER names another program than the one on the PATH. */
const PROGRAM = process.env['PGBOUNCER'] ?? 'pgbouncer';
const OLDEST = [1, 21];

/** Whether there is a PgBouncer that keeps track of prepared statements; what tests say that they need. */
export const PGBOUNCER = 'pgbouncer 1.21 or later on the PATH or in PGBOUNCER';
export const hasPgBouncer = isRecent(spawnSync(PROGRAM, ['--version'], { encoding: 'utf8' }).stdout);

function isRecent(version: string | null): boolean {
  const [major = 0, minor = 0] = (/^PgBouncer (\d+)\.(\d+)/.exec(version ?? '') ?? []).slice(1).map(Number);
  return major > OLDEST[0]! || (major === OLDEST[0] && minor >= OLDEST[1]!);
}

export interface PgBouncer {
  /** The URL of the server, by way of the pooler. */
  url: string;
  /** Runs a command of its console. */
  command: (text: string) => Promise<void>;
  close(): Promise<void>;
}

/** A PgBouncer in transaction mode before the server at `url`; `settings` override these, `database` is the only one it leads to. */
export async function startPgBouncer(
  url: string,
  settings: Record<string, string> = {},
  { database = '' }: { database?: string } = {},
): Promise<PgBouncer> {
  const { hostname, port, username, password } = new URL(url);
  const dir = mkdtempSync(join(tmpdir(), 'parley-pgbouncer-'));
  const listenPort = await freePort();
  const all = {
    listen_addr: '127.0.0.1',
    listen_port: String(listenPort),
    unix_socket_dir: '',
    auth_type: 'scram-sha-256',
    auth_file: join(dir, 'users'),
    admin_users: username,
    pool_mode: 'transaction',
    default_pool_size: '20',
    max_client_conn: '1000',
    max_prepared_statements: '200',
    ...settings,
  };
  const files = {
    users: `"${username}" "${password}"\n`,
    'pgbouncer.ini': [
      '[databases]',
      `* = host=${hostname} port=${port}${database && ` dbname=${database}`}`,
      '[pgbouncer]',
      ...Object.entries(all).map(([name, value]) => `${name} = ${value}`),
    ].join('\n'),
  };
  for (const [name, text] of Object.entries(files)) writeFileSync(join(dir, name), text);
  chmodSync(dir, 0o755);
  // It refuses to run as root, as PostgreSQL does.
  const account = accountFor('/bin/true', dir, null);
  if (account.ids)
    for (const name of Object.keys(files)) chownSync(join(dir, name), account.ids.uid, account.ids.gid);
  const { file, args, options } = commandAs(account, PROGRAM, [join(dir, 'pgbouncer.ini')]);
  const child = spawn(file, args, { ...options, stdio: ['ignore', 'ignore', 'pipe'] });
  let log = '';
  child.stderr.setEncoding('utf8').on('data', (part) => (log += part));
  const exited = new Promise<void>((resolve) => child.once('close', () => resolve()));
  const own = Object.assign(new URL(url), { host: `127.0.0.1:${listenPort}` }).href;
  const command = (text: string) => ask(Object.assign(new URL(own), { pathname: '/pgbouncer' }).href, text);
  await until(() => {
    if (child.exitCode !== null) throw new Error(`PgBouncer did not start:\n${log}`);
    return command('SHOW VERSION').then(
      () => true,
      () => false,
    );
  });
  return {
    url: own,
    command,
    async close() {
      child.kill('SIGKILL');
      await exited;
      rmSync(dir, { recursive: true, force: true });
    },
  };
}

async function ask(url: string, text: string): Promise<void> {
  const client = new Client({ connectionString: url });
  client.on('error', () => {});
  await client.connect();
  await client.query(text).finally(() => client.end());
}
