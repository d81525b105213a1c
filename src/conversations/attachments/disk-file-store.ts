import { randomUUID } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { mkdir, open, rename, rm, stat, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { Readable } from 'node:stream';
import type { FileStore } from './file-store.js';

/** Files below a folder, on this machine or shared by several. */
export class DiskFileStore implements FileStore {
  constructor(private readonly root: string) {}

  /** Writes under a temporary name and renames: a file under its key is whole, even after a crash or beside a rival. */
  async put(key: string, bytes: Uint8Array): Promise<void> {
    const path = join(this.root, key);
    if (await exists(path)) return;
    await mkdir(dirname(path), { recursive: true, mode: 0o700 });
    const making = `${path}.${randomUUID()}`;
    try {
      await writeFile(making, bytes, { flag: 'wx', mode: 0o600, flush: true });
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
}

/** Syncs the folder: until then a crash may lose the new name. */
async function synced(folder: string): Promise<void> {
  const handle = await open(folder, 'r');
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
