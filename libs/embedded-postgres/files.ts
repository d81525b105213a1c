import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import {
  chownSync,
  closeSync,
  existsSync,
  fsyncSync,
  mkdtempSync,
  openSync,
  readdirSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
} from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { bytesIfThere, keepOnce, readIfThere } from '#config/kept-file.js';
import { hasCode } from '#kernel/error-code.js';
import { commandAs, type Account } from './account.js';
import { NAME } from '#config/product.js';

const LOG_LIMIT_BYTES = 10 * 1024 * 1024;
const INIT_PREFIX = 'postgres.init-';

/** Marks a data directory while a backup is being restored into it. */
export const UNFINISHED = 'restore.unfinished';

/** Paths in the data directory, resolved, as the server's command line shows them. */
export interface Files {
  root: string;
  cluster: string;
  pidFile: string;
  password: string;
  log: string;
  owner: string;
}

/** The files below an existing `dataDir`. */
export function filesIn(dataDir: string): Files {
  const root = realpathSync(dataDir);
  const cluster = join(root, 'postgres');
  return {
    root,
    cluster,
    pidFile: join(cluster, 'postmaster.pid'),
    password: join(root, 'postgres.password'),
    log: join(root, 'postgres.log'),
    owner: join(root, 'postgres.owner'),
  };
}

/** Sorts by code point and knows all of Unicode, on whatever system. PostgreSQL 17 and later have it. */
const LOCALE = ['--locale=C', '--locale-provider=builtin', '--builtin-locale=C.UTF-8'];

/** Creates the database cluster unless it is there, as a superuser of the product's name with a random password. */
export async function initialise(
  files: Files,
  account: Account,
  initdb: string,
  locale = LOCALE,
): Promise<void> {
  if (existsSync(join(files.root, UNFINISHED)))
    throw new Error(`A restore into ${files.root} was cut off. Empty the directory and restore again.`);
  for (const name of readdirSync(files.root).filter((entry) => entry.startsWith(INIT_PREFIX)))
    // The initdb of a killed first start may still be writing: retry until it notices.
    rmSync(join(files.root, name), { recursive: true, force: true, maxRetries: 10, retryDelay: 200 });
  if (existsSync(join(files.cluster, 'PG_VERSION'))) {
    passwordOf(files);
    return;
  }
  if (existsSync(files.cluster) && readdirSync(files.cluster).length > 0)
    throw new Error(`${files.cluster} is neither empty nor a PostgreSQL data directory. Move it away.`);

  keepOnce(files.password, () => randomBytes(24).toString('hex'));
  give(account, files.password);
  const fresh = mkdtempSync(join(files.root, INIT_PREFIX));
  give(account, fresh);
  const login = [`--username=${NAME}`, `--pwfile=${files.password}`, '--auth=scram-sha-256'];
  const { file, args, options } = commandAs(account, initdb, [
    '-D',
    fresh,
    '--no-instructions',
    ...login,
    '--encoding=UTF8',
    ...locale,
  ]);
  await promisify(execFile)(file, args, options).catch((error: Error) => {
    throw new Error(
      `initdb could not create the database in ${files.cluster} (its programs need glibc or macOS; with another ` +
        `system, set DATABASE_URL to a PostgreSQL server of your own): ${error.message}`,
    );
  });
  renameSync(fresh, files.cluster);
  // Without the sync a power cut could undo the rename, and the next start would take the data for leftovers.
  syncDirectory(files.root);
}

/** The server that `postmaster.pid` tells of (PostgreSQL's miscadmin.h has the lines), running or not. */
export function readPidFile(files: Files): { pid: number; port: number; ready: boolean } | null {
  // The server writes the file anew, and removes it, whenever it likes.
  const lines = readIfThere(files.pidFile)?.split('\n');
  if (!lines) return null;
  return { pid: Number(lines[0]), port: Number(lines[3]), ready: lines[7]?.trim() === 'ready' };
}

/** Connection URL of `database` on the server at `port`. */
export function urlOf(files: Files, port: number, database = NAME): string {
  return `postgres://${NAME}:${passwordOf(files)}@127.0.0.1:${port}/${database}`;
}

function passwordOf({ password, cluster }: Files): string {
  const kept = readIfThere(password)?.trim();
  if (kept === undefined)
    throw new Error(`${password}, the password of the data in ${cluster}, is missing. Restore it.`);
  return kept;
}

/** Opens the log for appending, keeping one earlier file once it has grown past its limit. */
export function openLog(files: Files): { fd: number; offset: number } {
  if (logSize(files) > LOG_LIMIT_BYTES) renameIfThere(files.log, `${files.log}.1`);
  return { fd: openSync(files.log, 'a', 0o600), offset: logSize(files) };
}

export function logSize(files: Files): number {
  return statSync(files.log, { throwIfNoEntry: false })?.size ?? 0;
}

/** The last lines of the log past `offset` (bytes). */
export function logTail(files: Files, offset: number): string {
  const log = bytesIfThere(files.log) ?? Buffer.alloc(0);
  return log.subarray(offset).toString().trim().split('\n').slice(-20).join('\n');
}

/** A log may be moved away by a program that looks after logs. */
function renameIfThere(path: string, to: string): void {
  try {
    renameSync(path, to);
  } catch (error) {
    if (!hasCode(error, 'ENOENT')) throw error;
  }
}

function give(account: Account, path: string): void {
  if (account.ids) chownSync(path, account.ids.uid, account.ids.gid);
}

function syncDirectory(path: string): void {
  const fd = openSync(path, 'r');
  fsyncSync(fd);
  closeSync(fd);
}
