import { randomUUID } from 'node:crypto';
import { linkSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { hasCode } from '#kernel/error-code.js';
import { makeDirectory } from './make-directory.js';

/** Writes a file that only its owner can read, whole or not at all, even when killed. */
export function writeWhole(path: string, text: string): void {
  renameSync(besides(path, text), path);
}

/**
 * The content of a file that is made on first use. Two processes that start together both get what one has made. Throws for
 * an empty file.
 */
export function keepOnce(path: string, make: () => string): string {
  const kept = readIfThere(path) ?? makeOnce(path, make);
  if (kept === '') throw new Error(`${path} is empty. Restore it, or remove it to have another made.`);
  return kept;
}

function makeOnce(path: string, make: () => string): string {
  makeDirectory(dirname(path));
  const making = besides(path, make());
  try {
    linkSync(making, path);
  } catch (error) {
    if (!hasCode(error, 'EEXIST')) throw error;
  } finally {
    rmSync(making);
  }
  return readFileSync(path, 'utf8');
}

/** The text of a file; null when there is none. */
export const readIfThere = (path: string): string | null => bytesIfThere(path)?.toString() ?? null;

/**
 * The content of a file; null when there is none. One step, as another process may remove or rename the file after a look
 * whether it is there.
 */
export function bytesIfThere(path: string): Buffer | null {
  try {
    return readFileSync(path);
  } catch (error) {
    if (hasCode(error, 'ENOENT')) return null;
    throw error;
  }
}

function besides(path: string, text: string): string {
  const making = `${path}.${randomUUID()}`;
  writeFileSync(making, text, { mode: 0o600, flush: true });
  return making;
}
