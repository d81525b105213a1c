import { join } from 'node:path';
import { readIfThere } from './kept-file.js';

/** The version in package.json, which lies above the sources as well as above what is built from them. */
export const VERSION = versionAbove(import.meta.dirname);

function versionAbove(directory: string): string {
  const text = readIfThere(join(directory, 'package.json'));
  if (text === null) return versionAbove(join(directory, '..'));
  return (JSON.parse(text) as { version: string }).version;
}
