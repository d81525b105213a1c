import { randomUUID } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { mkdir, open, rename, rm, stat, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { Readable } from 'node:stream';
import type { FileStore } from './file-store.js';

/** Files below a folder of this machine, or one that several share. */
export class DiskFileStore implements FileStore {
  constructor(private readonly root: string) {}

  /** By a name of its own first: a file that is there is whole, also after a crash or a rival. */
  async put(key: string, bytes: Uint8Array): Promise<void> {
    const path = join(this.root, key);
    if (await exists(path)) return;
    await mkdir(dirname(path), { recursive: true, mode: 0o700 });
    const making = `${path}.${randomUUID()}`;
    try {
      await writeFile(making, bytes, { flag: 'wx', mode: 0o600, flush: true });
      await rename(making, path);
    } catch (error) {
      // What a full disk has no room for must not fill it further each time it is tried again.
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

/** A name, too, is on disk only when its folder is. */
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
