import { lchownSync, mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { readIfThere } from '#config/kept-file.js';
import { makeDirectory } from '#config/make-directory.js';
import { accountFor } from './account.js';
import { type Backup, copyDirectory, extentOf, liesIn, MANIFEST, requireEmpty } from './backup.js';
import { filesIn, UNFINISHED } from './files.js';
import { programs } from './programs.js';
import { DATA_DIR_VARIABLE } from '#config/product.js';

/**
 * Restores a backup into `dataDir`, which must not exist or be empty; the server replays its log to the backup's end when
 * it starts. If cut off, it leaves a directory on which no server starts.
 */
export async function restore(source: string, dataDir: string): Promise<Backup> {
  const backup = manifestOf(source);
  if (liesIn(dataDir, source))
    throw new Error(`${dataDir} lies in the backup itself. Choose another ${DATA_DIR_VARIABLE}.`);
  await requireEmpty(dataDir);
  await requireWhole(source, backup);
  makeDirectory(dataDir);
  const files = filesIn(dataDir);
  const unfinished = join(files.root, UNFINISHED);
  writeFileSync(unfinished, '', { flush: true });
  await copyDirectory(source, files.root, (name) => (name === MANIFEST ? 'nothing' : 'all'));
  for (const dir of [
    'pg_wal/archive_status',
    'pg_wal/summaries',
    'pg_logical/snapshots',
    'pg_logical/mappings',
  ])
    mkdirSync(join(files.cluster, dir), { recursive: true, mode: 0o700 });
  const { ids } = accountFor(programs().postgres, files.root, null);
  if (ids) for (const path of [files.password, ...below(files.cluster)]) lchownSync(path, ids.uid, ids.gid);
  rmSync(unfinished);
  return backup;
}

/** Reads the manifest, which a backup writes last. */
function manifestOf(source: string): Backup {
  try {
    return JSON.parse(readIfThere(join(source, MANIFEST)) ?? '') as Backup;
  } catch (cause) {
    throw new Error(`${source} is no backup, or one that was not finished.`, { cause });
  }
}

/** Refuses a copy of a backup that was cut off, or that left out empty directories, which the server needs. */
async function requireWhole(source: string, { entries, bytes }: Backup): Promise<void> {
  const found = await extentOf(source);
  if (found.entries === entries && found.bytes === bytes) return;
  throw new Error(
    `${source} is not as it was written: ${found.entries} files and directories of ${entries}, ${found.bytes} bytes of ${bytes}. ` +
      'Copy the backup again, whole.',
  );
}

function below(dir: string): string[] {
  const names = readdirSync(dir, { recursive: true, encoding: 'utf8' });
  return [dir, ...names.map((name) => join(dir, name))];
}
