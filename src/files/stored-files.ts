import type { Readable } from 'node:stream';
import { Injectable } from '@nestjs/common';
import type { Spooled } from '#http/input/spool.js';
import { FileStore } from './store/file-store.js';

/** The bytes of uploaded files, by organization and hash: the same bytes are stored once. */
@Injectable()
export class StoredFiles {
  constructor(private readonly store: FileStore) {}

  /** The bytes are safe in the store when this returns. */
  keep(organizationId: string, bytes: Spooled): Promise<void> {
    return this.store.put(keyOf(organizationId, bytes.sha256), bytes);
  }

  read(organizationId: string, sha256: string): Promise<Readable | null> {
    return this.store.get(keyOf(organizationId, sha256));
  }

  has(organizationId: string, sha256: string): Promise<boolean> {
    return this.store.has(keyOf(organizationId, sha256));
  }

  remove(organizationId: string, sha256: string): Promise<void> {
    return this.store.remove(keyOf(organizationId, sha256));
  }
}

/** Apart from what came with messages, which is never removed. */
const keyOf = (organizationId: string, sha256: string): string =>
  `${organizationId}/uploads/${sha256.slice(0, 2)}/${sha256}`;

/** The lock under which bytes are removed, or found to be there by a new file that has the same. */
export const bytesLock = (sha256: string): string => `bytes of ${sha256}`;
