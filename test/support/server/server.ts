import { type ChildProcess, spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { runningEmbeddedPostgres } from '#embedded-postgres/postgres.js';
import { readyDataDir } from './data-dir.js';
import { environment } from './environment.js';
import { makeGivenDatabase } from './given-database.js';
import { givenEnvironment, givenUrl } from './given-environment.js';
import { REDIS_DATABASES } from './redis.js';
import { until } from '../until.js';

/** A process of the compiled product. */
export interface Server {
  url: string;
  adminKey: string;
  dataDir: string;
  pid: number;
  /** Everything it has printed so far. */
  output(): string;
  /** The exit code, or the signal that ended it; null while it runs. */
  ended(): number | string | null;
  /** Ends it in order (SIGTERM); resolves when it has exited. */
  stop(): Promise<void>;
  /** Ends it at once (SIGKILL); resolves when it has exited. */
  kill(): Promise<void>;
}

export interface ServerOptions {
  /** Start on what another process has left there; a `readyDataDir` when left out. */
  dataDir?: string;
  /** `main` is everything in one process; `api` and `worker` need DATABASE_URL. */
  entry?: 'main' | 'api' | 'worker';
  /** On top of the environment below; undefined takes a variable away. */
  env?: Record<string, string | undefined>;
}

export const ADMIN_KEY = 'admin-key-of-the-tests';

const PORT_ATTEMPTS = 5;

/** Starts `node dist/bin/<entry>.js` and resolves when it is ready (a worker: when it runs). */
export async function startServer(options: ServerOptions = {}): Promise<Server> {
  const dataDir = options.dataDir ?? readyDataDir();
  await makeGivenDatabase(dataDir);
  for (let attempt = 1; ; attempt++) {
    const server = launch(dataDir, await freePort(), options);
    await until(
      async () => server.ended() !== null || options.entry === 'worker' || (await isReady(server.url)),
    );
    if (server.ended() === null) return server;
    // Another program took the port between our look and the server's.
    if (/Port \d+ is in use/.test(server.output()) && attempt < PORT_ATTEMPTS) continue;
    throw new Error(`The server ended with ${server.ended()} before it was ready:\n${server.output()}`);
  }
}

/** Where the database of a running server, the embedded one or its like on a given server, can be looked into. */
export async function databaseUrl(dataDir: string): Promise<string> {
  const url = givenUrl(dataDir) ?? (await runningEmbeddedPostgres(dataDir));
  if (url === null) throw new Error(`No embedded PostgreSQL runs in ${dataDir}`);
  return url;
}

function launch(dataDir: string, port: number, { entry = 'main', env }: ServerOptions): Server {
  const child = spawn(process.execPath, [`dist/bin/${entry}.js`], {
    cwd: join(import.meta.dirname, '../../..'),
    env: {
      ...environment(),
      // A server that is told it runs under npm ends with its parent, so that a killed test run leaves none behind.
      npm_lifecycle_event: 'test',
      PORT: String(port),
      HOST: '127.0.0.1',
      PARLEY_DATA_DIR: dataDir,
      PARLEY_ADMIN_KEY: ADMIN_KEY,
      RATE_LIMIT_RPS: '0',
      DUE_POLL_MS: '200',
      DELIVERY_RETRY_BASE_MS: '20',
      // What is to be seen between two tries lasts for some ten seconds.
      DELIVERY_MAX_ATTEMPTS: '10',
      WEBHOOK_RETRY_BASE_MS: '5',
      WEBHOOK_ALLOWED_NETWORKS: '127.0.0.0/8',
      DRAIN_MS: '0',
      LOG_LEVEL: 'error',
      REDIS_URL: redisUrl(dataDir),
      ...givenEnvironment(dataDir, env),
      ...env,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (output += String(chunk)));
  const ended = () => child.exitCode ?? child.signalCode;
  return {
    url: `http://127.0.0.1:${port}`,
    adminKey: env?.['PARLEY_ADMIN_KEY'] ?? ADMIN_KEY,
    dataDir,
    pid: child.pid!,
    output: () => output,
    ended,
    stop: () => end(child, 'SIGTERM'),
    kill: () => end(child, 'SIGKILL'),
  };
}

/** Where the run is about the queue on Redis: a database of it for each data directory, as PostgreSQL would have. */
function redisUrl(dataDir: string): string | undefined {
  const url = process.env['PARLEY_TEST_REDIS'];
  const database = createHash('sha256').update(dataDir).digest().readUInt16BE() % REDIS_DATABASES;
  return url === undefined ? undefined : `${url}/${database}`;
}

async function end(child: ChildProcess, signal: NodeJS.Signals): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const exited = new Promise((resolve) => child.once('exit', resolve));
  child.kill(signal);
  await exited;
}

export const isReady = (url: string): Promise<boolean> =>
  fetch(`${url}/health/ready`).then(
    (answer) => answer.ok,
    () => false,
  );

/** Below those that the system gives to whoever asks for any, and other ones for each run of Jest and each of its workers. */
const PORTS = { from: 10_000, each: 400, workers: 4, runs: 12 };
let portsGiven = 0;

/** A port that nobody listens on, nor will before this process asks for `PORTS.each` more. */
export async function freePort(): Promise<number> {
  const { JEST_WORKER_ID: worker = '0', PARLEY_TEST_RUN: run = '0' } = process.env;
  const block = (Number(run) % PORTS.runs) * PORTS.workers + (Number(worker) % PORTS.workers);
  for (;;) {
    const port = PORTS.from + block * PORTS.each + (portsGiven++ % PORTS.each);
    if (await isFree(port)) return port;
  }
}

function isFree(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const probe = createServer().once('error', () => resolve(false));
    probe.listen({ port, host: '127.0.0.1' }, () => probe.close(() => resolve(true)));
  });
}
