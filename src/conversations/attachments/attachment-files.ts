import type { Readable } from 'node:stream';
import { Injectable } from '@nestjs/common';
import { newId } from '#kernel/id.js';
import { cut, storable } from '#kernel/text.js';
import { Spooled } from '#http/input/spool.js';
import { type IncomingFile } from '#mail/mail.js';
import type { Attachment } from '../message.js';
import { FileStore, StoredFiles } from '../../files/files.contract.js';

/** More files than anybody attaches to one mail. Each costs two requests to the store. */
const MOST_FILES = 100;
const TYPE = /^[\w.+-]{1,63}\/[\w.+-]{1,63}$/;
/** Characters that would make a name look like another one. */
// eslint-disable-next-line no-control-regex -- they are what is taken out
const UNSEEN = /[\u0000-\u001f\u007f-\u009f\u200e\u200f\u202a-\u202e\u2066-\u2069]/g;
/** What would let a name leave the folder it is saved in. Removed after `UNSEEN`, which could hide it. */
const FOLDERS = /^(?:.*[/\\])?(?:\s*\.{1,2}\s*$)?/s;

/** Files of messages, in the data directory or an object store, by organization and hash of their bytes. */
@Injectable()
export class AttachmentFiles {
  constructor(
    private readonly store: FileStore,
    private readonly uploads: StoredFiles,
  ) {}

  /** Stores the files and gives what a message says of them. They are safe in the store when this returns. */
  async keep(organizationId: string, files: IncomingFile[]): Promise<Attachment[]> {
    const attachments: Attachment[] = [];
    for (const { name, type, bytes, isInline, contentId } of files.slice(0, MOST_FILES)) {
      const { sha256, size } = await this.keepRaw(organizationId, Spooled.of(bytes));
      attachments.push({
        attachment_id: newId('attachment'),
        file_name: name === null ? null : cut(safe(name), 255) || null,
        content_type: TYPE.test(type) ? type.toLowerCase() : 'application/octet-stream',
        size,
        sha256,
        is_inline: isInline,
        content_id: contentId === null ? null : cut(contentId, 1_000),
      });
    }
    return attachments;
  }

  /** Stores bytes as they are, such as those of a mail. They are safe in the store when this returns. */
  async keepRaw(organizationId: string, raw: Spooled): Promise<{ sha256: string; size: number }> {
    const { sha256, size } = raw;
    await this.store.put(this.keyOf(organizationId, sha256), raw);
    return { sha256, size };
  }

  /** The bytes; those of an attachment that a draft carried are where it was uploaded. */
  read(
    organizationId: string,
    { sha256, file_id }: { sha256: string; file_id?: string },
  ): Promise<Readable | null> {
    if (file_id !== undefined) return this.uploads.read(organizationId, sha256);
    return this.store.get(this.keyOf(organizationId, sha256));
  }

  private keyOf(organizationId: string, sha256: string): string {
    return `${organizationId}/${sha256.slice(0, 2)}/${sha256}`;
  }
}

const safe = (name: string): string => storable(name).replace(UNSEEN, '').replace(FOLDERS, '').trim();
