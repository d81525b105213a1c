import { realpathSync, rmSync, statSync } from 'node:fs';
import { createServer } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { Client } from 'pg';
import { makeDirectory } from '#config/make-directory.js';
import { hasCode } from '#kernel/error-code.js';
import { accountFor } from './account.js';
import { filesIn, initialise, logSize, logTail, readPidFile, urlOf, type Files } from './files.js';
import { claim, commandLineOf, isClaimed } from './owner.js';
import { type Programs, programs } from './programs.js';
import { spawnServer, type Server } from './server.js';
import { NAME } from '#config/product.js';

const PORT_ATTEMPTS = 5;
const SILENCE_LIMIT_MS = 60_000;
const SHUTDOWN_LIMIT_MS = 15_000;

const SETTINGS = {
  listen_addresses: '127.0.0.1',
  unix_socket_directories: '',
  timezone: 'UTC',
  log_timezone: 'UTC',
  max_connections: '200',
  shared_buffers: '256MB',
  max_wal_size: '1GB',
  idle_in_transaction_session_timeout: '60s',
  // Refused statements are everyday, and the caller is told: a log line for each, with its text, would fill the disk.
  log_min_messages: 'log',
};

export interface EmbeddedPostgres {
  /** Connection URL of the product's database, password included. */
  url: string;
  /** Fast shutdown: ends all sessions; resolves when the server has exited. */
  stop(): Promise<void>;
  /** Resolves when the server has exited, whoever ended it. */
  exited: Promise<void>;
}

/**
 * Starts the PostgreSQL of `dataDir`, creating it on first use, and resolves when it accepts connections. It listens on
 * 127.0.0.1 only, at `port` or a free one; `settings`, `programs` and the `locale` of initdb override ours. It survives Ctrl-C, so
 * that the service can drain, but
 * not the end of this process, however it ends. Throws with advice when another process uses `dataDir`, when `port` is
 * taken, or when the server does not start (with the end of its log).
 */
export async function startEmbeddedPostgres(options: {
  dataDir: string;
  port?: number;
  settings?: Record<string, string>;
  programs?: Programs;
  locale?: string[];
}): Promise<EmbeddedPostgres> {
  const { initdb, postgres } = options.programs ?? programs();
  makeDirectory(options.dataDir);
  const files = filesIn(options.dataDir);
  const dataOwner = statSync(files.cluster, { throwIfNoEntry: false }) ?? null;
  const account = accountFor(postgres, files.root, dataOwner);
  const release = claim(files.owner);
  try {
    await endStaleServer(files);
    await initialise(files, account, initdb, options.locale);
    const settings = { ...SETTINGS, ...options.settings };
    const server = await launch(files, options.port, (port) =>
      spawnServer(account, postgres, files, { ...settings, port: String(port) }),
    );
    const ended = server.exited.then(release);
    return { url: urlOf(files, server.port), stop: () => server.stop().then(() => ended), exited: ended };
  } catch (error) {
    release();
    throw error;
  }
}

/** URL of the server that a living process runs on `dataDir` right now, else null. */
export async function runningEmbeddedPostgres(dataDir: string): Promise<string | null> {
  if (!statSync(dataDir, { throwIfNoEntry: false })) return null;
  const files = filesIn(dataDir);
  const server = readPidFile(files);
  if (!server?.ready || !isClaimed(files.owner) || !isServerOf(files, server.pid)) return null;
  const url = urlOf(files, server.port);
  return connect(url).then(
    () => url,
    () => null,
  );
}

/** Ends a server that is left over or that its watchdog is stopping. We hold the claim, so the server's owner is dead. */
async function endStaleServer(files: Files): Promise<void> {
  const pid = readPidFile(files)?.pid;
  if (pid === undefined) return;
  if (!isServerOf(files, pid)) {
    // The pid now belongs to another program or to a zombie, either of which PostgreSQL would take for a server. If a
    // server runs all the same, PostgreSQL finds its shared memory in use and does not start.
    if (!(pid > 0) || send(pid, 0)) rmSync(files.pidFile, { force: true });
    return;
  }
  for (const signal of ['SIGINT', 'SIGQUIT'] as const) {
    send(pid, signal);
    for (const start = performance.now(); performance.now() - start < SHUTDOWN_LIMIT_MS; await sleep(50))
      if (!isServerOf(files, pid)) return;
  }
  throw new Error(
    `The PostgreSQL server of ${files.root} (process ${pid}) does not stop. End it, then start again.`,
  );
}

/** Whether the signal reached a process: that may have just ended, or belong to somebody else. */
function send(pid: number, signal: NodeJS.Signals | 0): boolean {
  try {
    return process.kill(pid, signal);
  } catch {
    return false;
  }
}

function isServerOf(files: Files, pid: number): boolean {
  const command = commandLineOf(pid);
  if (`${command} `.includes(`postgres -D ${files.cluster} `)) return true;
  if (!/^\S*postgres /.test(command)) return false;
  try {
    // The server may have been started by hand with another spelling of the path; it works in its data directory (Linux
    // only).
    return realpathSync(`/proc/${pid}/cwd`) === files.cluster;
  } catch {
    return false;
  }
}

async function launch(
  files: Files,
  wantedPort: number | undefined,
  spawn: (port: number) => Server,
): Promise<Server & { port: number }> {
  const start = performance.now();
  for (let attempt = 1; ; attempt++) {
    const port = await freePort(wantedPort);
    const server = spawn(port);
    try {
      await becomeReady(files, server, port);
      return { ...server, port };
    } catch (error) {
      await server.stop();
      const log = logTail(files, server.logOffset);
      // Another program took the port after we looked and before the server did.
      if (/Address already in use/.test(log) && attempt < PORT_ATTEMPTS) continue;
      // Sessions of a killed server hold its shared memory until they notice.
      if (/shared memory block .* still in use/.test(log) && performance.now() - start < SHUTDOWN_LIMIT_MS) {
        await sleep(500);
        continue;
      }
      const reason = error instanceof Error ? error.message : String(error);
      const story = `PostgreSQL did not start in ${files.root}: ${reason}\n${files.log} ends with:\n${log}`;
      throw new Error(story, { cause: error });
    }
  }
}

/** Recovery after a crash may take long, but it logs: give up only when the log is silent. */
async function becomeReady(files: Files, server: Server, port: number): Promise<void> {
  let size = 0;
  let lastSign = performance.now();
  for (;;) {
    const ended = await Promise.race([server.exited, sleep(25)]);
    if (ended !== undefined) throw new Error(ended);
    const status = readPidFile(files);
    if (status?.ready && status.pid === server.pid) return createDatabase(files, port);
    const grown = logSize(files);
    if (grown !== size) lastSign = performance.now();
    size = grown;
    if (performance.now() - lastSign > SILENCE_LIMIT_MS)
      throw new Error('no sign of progress for 60 seconds');
  }
}

async function createDatabase(files: Files, port: number): Promise<void> {
  try {
    await connect(urlOf(files, port));
  } catch (error) {
    if (hasCode(error, '28P01'))
      throw new Error(`the password in ${files.password} is not the one of its database`, { cause: error });
    if (!hasCode(error, '3D000')) throw error;
    await connect(urlOf(files, port, 'postgres'), `CREATE DATABASE ${NAME}`);
    await connect(urlOf(files, port));
  }
}

async function connect(url: string, statement = 'SELECT 1'): Promise<void> {
  const client = new Client({ connectionString: url, connectionTimeoutMillis: 10_000 });
  // A server that stops now emits an error event beside the rejected promise.
  client.on('error', () => undefined);
  await client.connect();
  await client.query(statement).finally(() => client.end());
}

/** A port nobody listens on: `wanted`, which throws if taken, or one that the system picks. */
function freePort(wanted = 0): Promise<number> {
  return new Promise((resolve, reject) => {
    const probe = createServer();
    probe.once('error', (error: NodeJS.ErrnoException) =>
      reject(
        error.code === 'EADDRINUSE'
          ? new Error(`Port ${wanted} on 127.0.0.1 is taken. Choose another port for PostgreSQL.`)
          : error,
      ),
    );
    probe.listen({ port: wanted, host: '127.0.0.1' }, () => {
      const address = probe.address();
      probe.close(() => resolve(typeof address === 'object' && address ? address.port : wanted));
    });
  });
}
