import type { Readable } from 'node:stream';
import type { Spooled } from '#http/input/spool.js';

/** Keeps files. A key depends on the content, so what is stored under it never changes. */
export abstract class FileStore {
  /** The file survives a crash once this returns. Throws a Problem 503 when the store cannot be reached, as all others do. */
  abstract put(key: string, bytes: Spooled): Promise<void>;
  /** The bytes; null when the store does not have them. */
  abstract get(key: string): Promise<Readable | null>;
  abstract has(key: string): Promise<boolean>;
  /** Does nothing where there is none. */
  abstract remove(key: string): Promise<void>;
}
