import { createHash, randomUUID } from 'node:crypto';
import { createReadStream, type ReadStream } from 'node:fs';
import { mkdir, open, rename, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { Inject, Injectable } from '@nestjs/common';
import { CONFIG, type Config } from '#config/config.js';
import { newId } from '#kernel/id.js';
import { cut, type IncomingFile, storable } from './mail.js';
import type { Attachment } from './message.js';

/** Nobody attaches more to one mail; each file costs two visits to the disk. */
const MOST_FILES = 100;
const TYPE = /^[\w.+-]{1,63}\/[\w.+-]{1,63}$/;
/** What would let a name show as another, or break out of the folder it is saved in. */
// eslint-disable-next-line no-control-regex -- they are what is taken out
const UNSAFE = /[\u0000-\u001f\u007f-\u009f\u200e\u200f\u202a-\u202e\u2066-\u2069]|^.*[/\\]/g;

/** Files of messages in the data directory, each organization's own, named by the hash of their bytes. */
@Injectable()
export class AttachmentFiles {
  private readonly root: string;

  constructor(@Inject(CONFIG) { dataDir }: Config) {
    this.root = join(dataDir, 'attachments');
  }

  /** Puts the files on disk, where they are when this returns, and gives what a message says of them. */
  async keep(organizationId: string, files: IncomingFile[]): Promise<Attachment[]> {
    const attachments: Attachment[] = [];
    for (const { name, type, bytes, isInline, contentId } of files.slice(0, MOST_FILES)) {
      const sha256 = createHash('sha256').update(bytes).digest('hex');
      await this.write(this.pathOf(organizationId, sha256), bytes);
      attachments.push({
        attachment_id: newId('attachment'),
        file_name: name === null ? null : cut(storable(name).replace(UNSAFE, '').trim(), 255) || null,
        content_type: TYPE.test(type) ? type.toLowerCase() : 'application/octet-stream',
        size: bytes.byteLength,
        sha256,
        is_inline: isInline,
        content_id: contentId === null ? null : cut(contentId, 1_000),
      });
    }
    return attachments;
  }

  /** The bytes of a file; null when this machine does not have them. */
  async read(organizationId: string, { sha256 }: Attachment): Promise<ReadStream | null> {
    const path = this.pathOf(organizationId, sha256);
    return (await exists(path)) ? createReadStream(path) : null;
  }

  private pathOf(organizationId: string, sha256: string): string {
    return join(this.root, organizationId, sha256.slice(0, 2), sha256);
  }

  /** By a name of its own first: a file that is there is whole, also after a crash or a rival. */
  private async write(path: string, bytes: Uint8Array): Promise<void> {
    if (await exists(path)) return;
    await mkdir(dirname(path), { recursive: true, mode: 0o700 });
    const making = `${path}.${randomUUID()}`;
    const file = await open(making, 'wx', 0o600);
    try {
      await file.writeFile(bytes);
      await file.sync();
    } finally {
      await file.close();
    }
    await rename(making, path);
    await synced(dirname(path));
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
