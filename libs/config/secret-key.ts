import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { keepOnce, readIfThere } from './kept-file.js';

/** The key that seals channel secrets and signs cursors: 256 bits in hexadecimal. */
export const SECRET_KEY = /^[0-9a-f]{64}$/i;

const fileOf = (dataDir: string): string => join(dataDir, 'secret.key');

/** The configured key, else one made once and kept in the data directory. Throws when the file there holds no key. */
export const secretKeyOf = (configured: string | null, dataDir: string): Buffer =>
  toKey(configured ?? keepOnce(fileOf(dataDir), () => randomBytes(32).toString('hex')), dataDir);

/** The same, without making one: null when there is none. */
export function existingSecretKey(configured: string | null, dataDir: string): Buffer | null {
  const text = configured ?? readIfThere(fileOf(dataDir));
  return text === null ? null : toKey(text, dataDir);
}

/** Checks the form, as even an empty key would seal and sign without complaint. */
function toKey(text: string, dataDir: string): Buffer {
  if (SECRET_KEY.test(text.trim())) return Buffer.from(text.trim(), 'hex');
  throw new Error(`${fileOf(dataDir)} does not hold 64 hexadecimal digits. Restore it.`);
}
