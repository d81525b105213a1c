import { randomUUID } from 'node:crypto';
import { constants, createReadStream } from 'node:fs';
import { copyFile, mkdir, open, rename, rm, stat, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { Readable } from 'node:stream';
import type { Spooled } from '#http/input/spool.js';
import type { FileStore } from './file-store.js';

/** Files below a folder, on this machine or shared by several. */
export class DiskFileStore implements FileStore {
  constructor(private readonly root: string) {}

  put(key: string, bytes: Spooled): Promise<void> {
    return this.write(key, async (making) => {
      if (bytes.path === null)
        return writeFile(making, await bytes.bytes(), { flag: 'wx', mode: 0o600, flush: true });
      await copyFile(bytes.path, making, constants.COPYFILE_EXCL);
      await synced(making);
    });
  }

  /** Writes under a temporary name and renames: a file under its key is whole, even after a crash or beside a rival. */
  private async write(key: string, make: (making: string) => Promise<void>): Promise<void> {
    const path = join(this.root, key);
    if (await exists(path)) return;
    await mkdir(dirname(path), { recursive: true, mode: 0o700 });
    const making = `${path}.${randomUUID()}`;
    try {
      await make(making);
      await rename(making, path);
    } catch (error) {
      // On a full disk, leftovers of each new try would fill it further.
      await rm(making, { force: true });
      throw error;
    }
    await synced(dirname(path));
  }

  async get(key: string): Promise<Readable | null> {
    const path = join(this.root, key);
    return (await exists(path)) ? createReadStream(path) : null;
  }

  has(key: string): Promise<boolean> {
    return exists(join(this.root, key));
  }

  remove(key: string): Promise<void> {
    return rm(join(this.root, key), { force: true });
  }
}

/** Syncs a file, or a folder: until then a crash may lose a new name in it. */
async function synced(path: string): Promise<void> {
  const handle = await open(path, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

const exists = (path: string): Promise<boolean> =>
  stat(path).then(
    () => true,
    (error: { code?: string }) => {
      if (error.code === 'ENOENT') return false;
      throw error;
    },
  );
