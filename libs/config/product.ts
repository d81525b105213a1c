import { join } from 'node:path';
import { existsSync, readFileSync } from 'node:fs';

/** What package.json says of the product; it lies above the sources as well as above what is built from them. */
const { name, version, root } = packageAbove(import.meta.dirname);

/** The name in lower case, as in the names of databases, accounts, metrics and keys. */
export const NAME = name;

/** The name as people write it. */
export const TITLE = name.replace(/^./, (letter) => letter.toUpperCase());

export const VERSION = version;

/** The directory of package.json, below which npm has installed what the product needs, and `dist` is what was built. */
export const ROOT = root;

/** The directory that everything of the product's own is in, as the variable that sets it. */
export const DATA_DIR_VARIABLE = `${name.toUpperCase()}_DATA_DIR`;

function packageAbove(directory: string): { name: string; version: string; root: string } {
  const file = join(directory, 'package.json');
  if (!existsSync(file)) return packageAbove(join(directory, '..'));
  return {
    ...(JSON.parse(readFileSync(file, 'utf8')) as { name: string; version: string }),
    root: directory,
  };
}
