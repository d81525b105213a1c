import { mkdirSync, statSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { DATA_DIR_VARIABLE } from './product.js';

/**
 * Makes a directory and those above it, unless it is there. Throws with what to mend: `mkdir` that makes all of them at once
 * never returns where none can be made, such as below /proc.
 */
export function makeDirectory(path: string): void {
  const whole = resolve(path);
  if (isDirectory(whole)) return;
  if (dirname(whole) !== whole) makeDirectory(dirname(whole));
  try {
    mkdirSync(whole);
  } catch (cause) {
    // Another process may have made it meanwhile.
    if (isDirectory(whole)) return;
    throw new Error(
      `The directory ${whole} cannot be made (${(cause as { code?: string }).code}). ` +
        `Set ${DATA_DIR_VARIABLE} to one that can be, or that is there.`,
      { cause },
    );
  }
}

const isDirectory = (path: string): boolean => {
  try {
    return statSync(path).isDirectory();
  } catch {
    return false;
  }
};
