import type { Readable } from 'node:stream';

/** Where files are kept: by a key that tells their content, so that what is there never changes. */
export interface FileStore {
  /** Safe from a crash when it returns. Throws a Problem 503 when the store cannot be reached. */
  put(key: string, bytes: Uint8Array): Promise<void>;
  /** The bytes; null when the store does not have them. */
  get(key: string): Promise<Readable | null>;
}
