import { execFileSync } from 'node:child_process';
import { chmodSync, existsSync, mkdtempSync, readdirSync, rmSync, statfsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { dropGivenDatabase } from './given-database.js';
import { signal } from './signals.js';

/** A file system in memory, on which nothing waits for a disk: what is shown here of killed processes holds there, too. */
const MEMORY = '/dev/shm';
/** So much has to be free there; a run takes a fraction of it. */
const ROOM_BYTES = 4 * 1024 ** 3;

const place = hasRoom(MEMORY) ? MEMORY : tmpdir();

function hasRoom(path: string): boolean {
  if (!existsSync(path)) return false;
  const { bavail, bsize } = statfsSync(path);
  return bavail * bsize >= ROOM_BYTES;
}

/** An empty data directory. */
export function newDataDir(): string {
  const dataDir = mkdtempSync(join(place, `parley-e2e-${process.pid}-`));
  // When we are root the embedded PostgreSQL runs under another account.
  chmodSync(dataDir, 0o755);
  return dataDir;
}

/**
 * A data directory with a database, and an organization in it, for which a start makes no demo: a copy of the one that the run's setup
 * has made. Without such a setup it is empty, and what starts on it makes all that first, demo included.
 */
export function readyDataDir(): string {
  const template = process.env['PARLEY_TEST_TEMPLATE_DIR'];
  const dataDir = newDataDir();
  if (template === undefined) return dataDir;
  // With its owners, which Node's own copying would lose.
  execFileSync('cp', ['-a', `${template}/.`, dataDir]);
  return dataDir;
}

/** Removes what runs that were killed have left; it would stay in memory. */
export function removeLeftovers(): void {
  for (const name of readdirSync(place)) {
    const [, pid] = /^parley-e2e-(\d+)-/.exec(name) ?? [];
    if (pid !== undefined && !signal(Number(pid), 0)) removeDataDir(join(place, name));
  }
}

export function removeDataDir(dataDir: string): void {
  dropGivenDatabase(dataDir);
  rmSync(dataDir, { recursive: true, force: true, maxRetries: 5, retryDelay: 200 });
}
