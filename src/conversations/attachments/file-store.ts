import type { Readable } from 'node:stream';

/** Keeps files. A key depends on the content, so what is stored under it never changes. */
export interface FileStore {
  /** The file survives a crash once this returns. Throws a Problem 503 when the store cannot be reached. */
  put(key: string, bytes: Uint8Array): Promise<void>;
  /** The bytes; null when the store does not have them. */
  get(key: string): Promise<Readable | null>;
}
