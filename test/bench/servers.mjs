import { fork, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:net';
import { chmodSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Client } from 'pg';
import { startEmbeddedPostgres } from '../../dist/libs/embedded-postgres/postgres.js';
import { later } from './clean-up.mjs';

const ADMIN_KEY = 'bench-operator';
const POOL_SIZE = '20';
const KILL_AFTER_MS = 15_000;

/**
 * Starts the embedded PostgreSQL, as durable as in production, in a directory of its own, or makes a database of its own on
 * the server of BENCH_DATABASE_URL, which is on this machine; gives its URL and the pid of the server.
 */
export async function startPostgres() {
  if (process.env.BENCH_DATABASE_URL) return ownDatabase(process.env.BENCH_DATABASE_URL);
  const dataDir = temporaryDirectory();
  const starting = startEmbeddedPostgres({ dataDir });
  later(async () => (await starting).stop());
  const { url } = await starting;
  const pid = Number(readFileSync(join(dataDir, 'postgres/postmaster.pid'), 'utf8').split('\n')[0]);
  return { url, pid };
}

async function ownDatabase(serverUrl) {
  const name = `parley_bench_${randomBytes(4).toString('hex')}`;
  const ask = async (text) => {
    const client = new Client({ connectionString: serverUrl });
    await client.connect();
    return client.query(text).finally(() => client.end());
  };
  await ask(`CREATE DATABASE ${name}`);
  later(() => ask(`DROP DATABASE ${name} WITH (FORCE)`));
  const { rows } = await ask(`SELECT split_part(pg_read_file('postmaster.pid'), E'\\n', 1)::int AS pid`);
  const url = new URL(serverUrl);
  url.pathname = `/${name}`;
  return { url: url.href, pid: rows[0].pid };
}

/**
 * Starts Parley as one process, API and worker, on this database, with `env` on top of its environment; with
 * `profileDir` it leaves a CPU profile there.
 */
export async function startParley(databaseUrl, { profileDir, env } = {}) {
  const main = fileURLToPath(new URL('../../dist/src/main.js', import.meta.url));
  const child = spawn(process.execPath, [...nodeOptions('main', profileDir), main], {
    stdio: ['ignore', 'pipe', 'inherit'],
    env: {
      PATH: process.env.PATH,
      DATABASE_URL: databaseUrl,
      DATABASE_POOL_SIZE: POOL_SIZE,
      PARLEY_DATA_DIR: temporaryDirectory(),
      PARLEY_ADMIN_KEY: ADMIN_KEY,
      RATE_LIMIT_RPS: '0',
      LOG_LEVEL: 'error',
      HOST: '127.0.0.1',
      PORT: '0',
      // Parley ends with the npm that started it; here that is this process, should it be killed.
      npm_lifecycle_event: 'bench',
      ...env,
    },
  });
  later(() => stop(child));
  const url = await new Promise((resolve, reject) => {
    let banner = '';
    child.stdout.setEncoding('utf8').on('data', (text) => {
      banner += text;
      const port = /API\s+http:\/\/localhost:(\d+)/.exec(banner)?.[1];
      if (port) resolve(`http://127.0.0.1:${port}`);
    });
    child.once('exit', () => reject(new Error('Parley has ended')));
  });
  return { url, adminKey: ADMIN_KEY, pid: child.pid };
}

/** Starts the API or the worker alone and resolves when it runs; with `profileDir` it leaves a CPU profile there. */
export async function startHalf(entry, env, profileDir) {
  const child = spawn(
    process.execPath,
    [
      ...nodeOptions(entry, profileDir),
      fileURLToPath(new URL(`../../dist/src/${entry}.js`, import.meta.url)),
    ],
    {
      stdio: ['ignore', 'pipe', 'inherit'],
      env: {
        PATH: process.env.PATH,
        DATABASE_POOL_SIZE: POOL_SIZE,
        PARLEY_DATA_DIR: temporaryDirectory(),
        PARLEY_ADMIN_KEY: ADMIN_KEY,
        RATE_LIMIT_RPS: '0',
        LOG_LEVEL: 'info',
        HOST: '127.0.0.1',
        npm_lifecycle_event: 'bench',
        ...Object.fromEntries(Object.entries(env).filter(([, value]) => value !== undefined)),
      },
    },
  );
  later(() => stop(child));
  await new Promise((resolve, reject) => {
    child.stdout.on('data', (text) => /runs|listens|ready|localhost/.test(text) && resolve());
    child.once('exit', () => reject(new Error(`the ${entry} has ended`)));
  });
  return { adminKey: ADMIN_KEY, pid: child.pid, stop: () => stop(child) };
}

/** What Node is given for an entry, as in package.json, and with `profileDir` to leave a CPU profile there. */
export const nodeOptions = (entry, profileDir) => [
  ...(LARGE_YOUNG_GENERATION.has(entry) ? ['--max-semi-space-size=64'] : []),
  ...(profileDir === undefined ? [] : ['--cpu-prof', `--cpu-prof-dir=${profileDir}`]),
];

const LARGE_YOUNG_GENERATION = new Set(['cli', 'worker']);

/** A port that nobody listens on. */
export async function unusedPort() {
  const probe = createServer().listen(0, '127.0.0.1');
  await once(probe, 'listening');
  const { port } = probe.address();
  probe.close();
  await once(probe, 'close');
  return port;
}

/**
 * Starts the bare server on this database; gives its URL and pid. With `facts` it writes events and audit records, too
 * (bare-write.mjs).
 */
export async function startBare(databaseUrl, facts = false) {
  const child = fork(fileURLToPath(new URL('./bare.mjs', import.meta.url)), {
    env: {
      PATH: process.env.PATH,
      DATABASE_URL: databaseUrl,
      DATABASE_POOL_SIZE: POOL_SIZE,
      ...(facts && { BARE_FACTS: '1' }),
    },
  });
  later(() => stop(child));
  const [port] = await Promise.race([
    once(child, 'message'),
    once(child, 'exit').then(() => Promise.reject(new Error('the bare server has ended'))),
  ]);
  return { url: `http://127.0.0.1:${port}`, pid: child.pid };
}

async function stop(child) {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const ended = once(child, 'exit');
  child.kill('SIGTERM');
  const patience = setTimeout(() => child.kill('SIGKILL'), KILL_AFTER_MS);
  await ended;
  clearTimeout(patience);
}

export function temporaryDirectory() {
  const directory = mkdtempSync(join(tmpdir(), 'parley-bench-'));
  // When we are root the database server runs under another account.
  chmodSync(directory, 0o755);
  later(() => rmSync(directory, { recursive: true, force: true, maxRetries: 5 }));
  return directory;
}
