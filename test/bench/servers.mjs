import { execFile, fork, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { register } from 'node:module';
import { createServer } from 'node:net';
import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { startEmbeddedPostgres } from '../../dist/libs/embedded-postgres/postgres.js';
import { later } from './clean-up.mjs';

register('../support/jest/typescript-hooks.mjs', import.meta.url);
const { createDatabase, dropDatabases, nodesOf, onDatabase, onEachNode } =
  await import('../support/database/nodes.ts');

const ADMIN_KEY = 'bench-operator';
const POOL_SIZE = '20';
const KILL_AFTER_MS = 15_000;

/** Gives the URL of a database of its own on the server (`startServer`) and the pids of that. */
export async function startPostgres() {
  const { server, pids } = await startServer();
  return { url: await newDatabase(server), pids };
}

/**
 * Starts the embedded PostgreSQL, as durable as in production, in a directory of its own, unless BENCH_DATABASE_URL names a
 * server, which is on this machine with all its nodes; gives its URL, and the pids of its postmasters, one of each node.
 */
export async function startServer() {
  const given = process.env.BENCH_DATABASE_URL;
  if (given) return { server: given, pids: await postmastersOf(given) };
  const dataDir = temporaryDirectory();
  const starting = startEmbeddedPostgres({ dataDir });
  later(async () => (await starting).stop());
  const { url } = await starting;
  return { server: url, pids: await postmastersOf(url) };
}

async function postmastersOf(server) {
  const pids = [];
  await onEachNode(server, async (node) => {
    const { rows } = await node.query(
      `SELECT split_part(pg_read_file('postmaster.pid'), E'\\n', 1)::int AS pid`,
    );
    pids.push(rows[0].pid);
  });
  return pids;
}

/** Makes a database on the server, distributed over the nodes where that coordinates a cluster; gives its URL. */
export async function newDatabase(server) {
  const name = `parley_bench_${randomBytes(4).toString('hex')}`;
  later(() => dropDatabases(server, name));
  await createDatabase(server, name);
  const url = onDatabase(server, name);
  if ((await nodesOf(server)).length > 0)
    // No process of Parley may run meanwhile, so it is done before there is one.
    for (const command of ['migrate', 'distribute']) await runCli(command, url);
  return url;
}

const runCli = (command, databaseUrl) =>
  promisify(execFile)(
    process.execPath,
    [...nodeOptions('cli'), fileURLToPath(new URL('../../dist/bin/cli.js', import.meta.url)), command],
    { env: { PATH: process.env.PATH, DATABASE_URL: databaseUrl } },
  );

/** On every node, so that none writes what was filled in while others are measured; VACUUM goes to all by itself. */
export const checkpoint = (databaseUrl) => onEachNode(databaseUrl, (node) => node.query('CHECKPOINT'));

/**
 * Starts Parley as one process, API and worker, on this database, with `env` on top of its environment; with
 * `profileDir` it leaves a CPU profile there.
 */
export async function startParley(databaseUrl, { profileDir, env } = {}) {
  const main = fileURLToPath(new URL('../../dist/bin/main.js', import.meta.url));
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
      fileURLToPath(new URL(`../../dist/bin/${entry}.js`, import.meta.url)),
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
