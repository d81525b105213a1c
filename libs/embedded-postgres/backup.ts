import { type Dirent, existsSync, realpathSync } from 'node:fs';
import { copyFile, lstat, mkdir, open, readdir, readlink, symlink, writeFile } from 'node:fs/promises';
import { basename, dirname, join, resolve, sep } from 'node:path';
import { Client } from 'pg';
import { NAME } from '#config/product.js';

/** The file that completes a backup and describes it. */
export const MANIFEST = 'backup.json';

/** Files that the server makes anew; `pg_control` and the write-ahead log are copied last (PostgreSQL, 25.3.3). */
const LEFT_OUT =
  /^(postmaster\.(pid|opts)|pg_internal\.init|backup_label|tablespace_map|pg_control|pgsql_tmp.*)$/;
const EMPTIED = /^pg_(wal|replslot|dynshmem|notify|serial|snapshots|stat_tmp|subtrans)$/;
const CONTROL = 'global/pg_control';
const SEGMENT = /^[0-9A-F]{24}$/;

/** Files that belong to the server or to the process that holds the data directory, not into a backup. */
const PROCESS_FILES = /^(postgres|postgres\.(owner|log(\.1)?|init-.*))$/;

export interface Backup extends Extent {
  taken_at: string;
  server_version: string;
  start_wal: string;
  stop_wal: string;
}

/** How much there is in a backup beside its manifest: files and directories, and the bytes of the files. */
export interface Extent {
  entries: number;
  bytes: number;
}

/**
 * Copies a data directory to `target`, which must not exist or be empty, while its server runs at `url` and is in use:
 * first the database, as it is at the end of its copy, then everything else. An attachment is on disk before its message is
 * recorded, so every attachment that the copied database names is copied, too.
 */
export async function backUp(dataDir: string, url: string, target: string): Promise<Backup> {
  if (liesIn(target, dataDir))
    throw new Error(
      `${target} is within the data directory: a backup there would hold all earlier ones, and itself.`,
    );
  await requireEmpty(target);
  const client = new Client({ connectionString: url });
  let isLost = false;
  client.on('error', () => (isLost = true));
  await client.connect();
  try {
    const server = await copyCluster(client, join(dataDir, 'postgres'), join(target, 'postgres'));
    for (const entry of await readdir(dataDir, { withFileTypes: true }))
      if (!PROCESS_FILES.test(entry.name)) await copyEntry(entry, dataDir, target, whole);
    const backup = { taken_at: new Date().toISOString(), ...server, ...(await extentOf(target)) };
    await writeFile(join(target, MANIFEST), `${JSON.stringify(backup, null, 2)}\n`, { flush: true });
    return backup;
  } catch (error) {
    // The last that a server says to a connection, if it can.
    if (!isLost && (error as { severity?: string }).severity !== 'FATAL') throw error;
    throw new Error(`The database ended while it was copied: ${target} is no backup.`, { cause: error });
  } finally {
    await client.end();
  }
}

/** An online base backup through SQL: the embedded server comes without the programs for it. */
async function copyCluster(
  client: Client,
  from: string,
  to: string,
): Promise<Omit<Backup, 'taken_at' | keyof Extent>> {
  const one = async <Row>(text: string): Promise<Row> => (await client.query(text)).rows[0] as Row;
  // Keeps the log from now on until this session ends, however long the copy takes.
  await client.query(
    `SELECT pg_create_physical_replication_slot('${NAME}_backup_${process.pid}', true, true)`,
  );
  await client.query(`SELECT pg_backup_start('${NAME}', true)`);
  await copyDirectory(from, to, (name) =>
    LEFT_OUT.test(name) ? 'nothing' : EMPTIED.test(name) ? 'empty' : 'all',
  );
  await copyKept(join(from, CONTROL), join(to, CONTROL));
  const stop = await one<{ labelfile: string; wal: string; version: string }>(
    `SELECT labelfile, pg_walfile_name(lsn) AS wal, current_setting('server_version') AS version
       FROM pg_backup_stop(false)`,
  );
  const start = { wal: /^START WAL LOCATION: .*\(file (\w+)\)$/m.exec(stop.labelfile)![1]! };
  await writeFile(join(to, 'backup_label'), stop.labelfile, { mode: 0o600, flush: true });
  const segments = (await readdir(join(from, 'pg_wal'))).filter(
    (name) => SEGMENT.test(name) && name >= start.wal && name <= stop.wal,
  );
  for (const name of segments) await copyKept(join(from, 'pg_wal', name), join(to, 'pg_wal', name));
  return { server_version: stop.version, start_wal: start.wal, stop_wal: stop.wal };
}

/** How much of an entry is copied, by name; `empty` copies a directory without its content. */
type Share = (name: string) => 'all' | 'empty' | 'nothing';

const whole: Share = () => 'all';

/** Copies a directory and its content. A file that vanishes meanwhile was not one to keep. */
export async function copyDirectory(from: string, to: string, share: Share = whole): Promise<void> {
  await mkdir(to, { recursive: true, mode: 0o700 });
  const entries = await readdir(from, { withFileTypes: true }).catch(unlessGone);
  for (const entry of entries ?? []) await copyEntry(entry, from, to, share);
  await synced(to);
}

async function copyEntry(entry: Dirent, from: string, to: string, share: Share): Promise<void> {
  const { name } = entry;
  const [source, target] = [join(from, name), join(to, name)];
  const kept = share(name);
  if (kept === 'nothing') return;
  if (entry.isDirectory()) return copyDirectory(source, target, kept === 'empty' ? () => 'nothing' : share);
  if (entry.isSymbolicLink()) return copyLink(source, target).catch(unlessGone);
  if (entry.isFile()) return copyKept(source, target).catch(unlessGone);
}

const copyLink = async (from: string, to: string): Promise<void> => symlink(await readlink(from), to);

export async function extentOf(dir: string): Promise<Extent> {
  const names = (await readdir(dir, { recursive: true })).filter((name) => name !== MANIFEST);
  let bytes = 0;
  for (const name of names) {
    const found = await lstat(join(dir, name));
    if (found.isFile()) bytes += found.size;
  }
  return { entries: names.length, bytes };
}

/** Copies a file; the copy is on disk when this returns. */
async function copyKept(from: string, to: string): Promise<void> {
  await mkdir(dirname(to), { recursive: true, mode: 0o700 });
  await copyFile(from, to);
  await synced(to);
}

async function synced(path: string): Promise<void> {
  const handle = await open(path, 'r');
  await handle.sync().finally(() => handle.close());
}

/** Whether a path, which need not exist, is a directory or leads into it, by whatever links either is named. */
export const liesIn = (path: string, directory: string): boolean =>
  `${realPath(path)}${sep}`.startsWith(`${realPath(directory)}${sep}`);

function realPath(path: string): string {
  const whole = resolve(path);
  return existsSync(whole) ? realpathSync(whole) : join(realPath(dirname(whole)), basename(whole));
}

export async function requireEmpty(dir: string): Promise<void> {
  if (existsSync(dir) && (await readdir(dir)).length > 0)
    throw new Error(`${dir} is not empty. Name a directory that does not exist or has nothing in it.`);
}

function unlessGone(error: { code?: string }): undefined {
  if (error.code !== 'ENOENT') throw error as Error;
}
