import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer, type AddressInfo } from 'node:net';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { Client } from 'pg';
import { newDataDir, removeDataDir } from '../../test/support/server/data-dir.js';
import { needs } from '../../test/support/needs.js';
import { until } from '../../test/support/until.js';
import { keepEmbeddedPostgres } from './keeper.js';
import { commandLineOf } from './owner.js';
import { runningEmbeddedPostgres, startEmbeddedPostgres, type EmbeddedPostgres } from './postgres.js';

const asRoot = process.getuid?.() === 0;
const base = newDataDir();

const started: EmbeddedPostgres[] = [];
const processes: number[] = [];
let dirs = 0;
let dataDir: string;

async function start(options: { port?: number; settings?: Record<string, string> } = {}) {
  const server = await startEmbeddedPostgres({ dataDir, ...options });
  started.push(server);
  return server;
}

async function query(url: string, sql: string): Promise<unknown[]> {
  const client = new Client({ connectionString: url });
  client.on('error', () => undefined);
  await client.connect();
  const { rows } = await client.query({ text: sql, rowMode: 'array' }).finally(() => client.end());
  return rows.flat();
}

const note = (url: string) => query(url, 'CREATE TABLE note AS SELECT 42 AS answer');
const recall = (url: string) => query(url, 'SELECT answer FROM note');

const pidFile = () => join(dataDir, 'postgres/postmaster.pid');
const serverPid = () => Number(readFileSync(pidFile(), 'utf8').split('\n')[0]);

const isRunning = (pid: number) => commandLineOf(pid).includes(dataDir);

/** A program that starts a server, and a child of its own that stays. */
function writeRunner(): string {
  const path = join(base, 'run.mjs');
  const root = process.cwd();
  writeFileSync(
    path,
    `import { spawn } from 'node:child_process';
     import { register } from 'node:module';
     register('file://${root}/test/support/jest/typescript-hooks.mjs');
     const { startEmbeddedPostgres } = await import('${root}/libs/embedded-postgres/postgres.ts');
     const { url } = await startEmbeddedPostgres({ dataDir: process.argv[2] });
     const heir = spawn('sleep', ['60'], { detached: true, stdio: 'ignore' });
     console.log(JSON.stringify({ url, heir: heir.pid }));
     setInterval(() => undefined, 1000);`,
  );
  return path;
}

const runner = writeRunner();

/** Starts a server from another process, which also leaves a child behind. */
async function startElsewhere(): Promise<{ owner: ChildProcess; url: string }> {
  const owner = spawn(process.execPath, [runner, dataDir], { stdio: ['ignore', 'pipe', 'inherit'] });
  if (owner.pid) processes.push(owner.pid);
  for await (const line of createInterface(owner.stdout)) {
    const { url, heir } = JSON.parse(line) as { url: string; heir: number };
    processes.push(heir);
    return { owner, url };
  }
  throw new Error('the other process started no server');
}

describe('embedded PostgreSQL', () => {
  beforeEach(() => {
    dataDir = join(base, `data-${++dirs}`);
  });

  afterEach(async () => {
    for (const server of started.splice(0)) await server.stop();
    for (const pid of processes.splice(0))
      try {
        process.kill(pid, 'SIGKILL');
      } catch {
        // It has ended.
      }
  });

  afterAll(() => removeDataDir(base));

  it('starts in an empty directory and keeps its data over a restart', async () => {
    const first = await start({ settings: { work_mem: '7MB' } });
    await note(first.url);
    expect(await query(first.url, 'SHOW work_mem')).toEqual(['7MB']);
    expect(await query(first.url, 'SHOW fsync')).toEqual(['on']);
    expect(await query(first.url, 'SHOW data_checksums')).toEqual(['on']);
    const pid = serverPid();
    expect(isRunning(pid)).toBe(true);
    await first.stop();
    expect(isRunning(pid)).toBe(false);

    expect(await recall((await start()).url)).toEqual([42]);
  });

  it('lets in nobody without the password', async () => {
    const { url } = await start();
    await expect(query(url.replace(/parley:\w+@/, 'parley:guess@'), 'SELECT 1')).rejects.toThrow('password');
  });

  it('tells the URL while the server runs, and null otherwise', async () => {
    expect(await runningEmbeddedPostgres(dataDir)).toBeNull();
    const server = await start();
    expect(await runningEmbeddedPostgres(dataDir)).toBe(server.url);
    await server.stop();
    expect(await runningEmbeddedPostgres(dataDir)).toBeNull();
  });

  it('refuses a second start while the first lives, naming directory and process', async () => {
    const { owner, url } = await startElsewhere();
    await expect(start()).rejects.toThrow(`${dataDir} is in use by process ${owner.pid}`);
    expect(await runningEmbeddedPostgres(dataDir)).toBe(url);
  });

  it('lets exactly one of two simultaneous starts win', async () => {
    const outcomes = await Promise.allSettled([start(), start(), start()]);
    expect(outcomes.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected', 'rejected']);
  });

  it('leaves no server behind when its process is killed, and has the data at the next start', async () => {
    const { owner, url } = await startElsewhere();
    await note(url);
    const pid = serverPid();
    owner.kill('SIGKILL');
    await until(() => !isRunning(pid));
    expect(existsSync(pidFile())).toBe(false);
    expect(await recall((await start()).url)).toEqual([42]);
  });

  it('takes over at once from a killed process whose server is still there', async () => {
    const { owner, url } = await startElsewhere();
    await note(url);
    owner.kill('SIGKILL');
    await once(owner, 'exit');
    expect(await recall((await start()).url)).toEqual([42]);
  });

  it('has the committed data after the server itself was killed', async () => {
    const server = await start();
    await note(server.url);
    process.kill(serverPid(), 'SIGKILL');
    await server.stop();
    expect(await recall((await start()).url)).toEqual([42]);
  });

  it('is not deceived by a pid that another program has taken over', async () => {
    const server = await start();
    await note(server.url);
    const lines = readFileSync(pidFile(), 'utf8').split('\n');
    await server.stop();
    writeFileSync(pidFile(), [process.ppid, ...lines.slice(1)].join('\n'));
    expect(await recall((await start()).url)).toEqual([42]);
  });

  it('starts over from an initialisation that was interrupted', async () => {
    mkdirSync(join(dataDir, 'postgres.init-killed/base'), { recursive: true });
    writeFileSync(join(dataDir, 'postgres.init-killed/PG_VERSION'), '18\n');
    await start();
    expect(readdirSync(dataDir).filter((name) => name.includes('init'))).toEqual([]);
  });

  it('creates the database when it was killed between initialising and creating it', async () => {
    const server = await start();
    await query(server.url.replace(/parley$/, 'postgres'), 'DROP DATABASE parley');
    await server.stop();
    expect(await query((await start()).url, 'SELECT current_database()')).toEqual(['parley']);
  });

  it('does not log what statements are refused for', async () => {
    const { url } = await start();
    await expect(query(url, `SELECT 1 / 0 AS "a secret of somebody"`)).rejects.toThrow('division by zero');
    const log = readFileSync(join(dataDir, 'postgres.log'), 'utf8');
    expect(log).toContain('ready to accept connections');
    expect(log).not.toMatch(/division|secret/);
  });

  it('is stopped even while it is being started again', async () => {
    const stopped = new Promise<void>((resolve, reject) => {
      const kept = keepEmbeddedPostgres(dataDir, () =>
        setImmediate(() => void kept.then((server) => server.stop()).then(resolve, reject)),
      );
      kept.then(() => process.kill(serverPid(), 'SIGKILL'), reject);
    });
    await stopped;
    expect(existsSync(pidFile())).toBe(false);
  });

  it('names the port that is taken', async () => {
    const other = createServer().listen(0, '127.0.0.1');
    await once(other, 'listening');
    const { port } = other.address() as AddressInfo;
    await expect(start({ port })).rejects.toThrow(`Port ${port} on 127.0.0.1 is taken`);
    other.close();
  });

  it('shows the end of the log when the server does not start', async () => {
    await expect(start({ settings: { shared_buffers: 'plenty' } })).rejects.toThrow(
      /invalid value.*shared_buffers/s,
    );
    await start();
  });

  needs('root', asRoot).it('as root, keeps data below a directory that only root may enter', async () => {
    const closed = mkdtempSync(join(base, 'closed-'));
    dataDir = join(closed, 'data');
    const first = await start();
    await note(first.url);
    await first.stop();
    expect(await recall((await start()).url)).toEqual([42]);
  });
});
