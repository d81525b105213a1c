import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';
import { crc32 } from 'node:zlib';
import { isId } from '#kernel/id.js';

const ALPHABET = '0123456789abcdefghjkmnpqrstvwxyz';
const SECRET_BYTES = 20;

const base32 = (bytes: Buffer): string =>
  BigInt(`0x${bytes.toString('hex')}`)
    .toString(32)
    .padStart(Math.ceil((bytes.length * 8) / 5), '0')
    .replace(/[0-9a-v]/g, (digit) => ALPHABET[parseInt(digit, 32)]!);

const checksum = (text: string): string => crc32(text).toString(16).padStart(8, '0');

/** Makes a key `parley_<key id>_<secret>_<checksum>` with a secret of 160 bits, and the hash to store instead of it. */
export function mintApiKey(keyId: string): { apiKey: string; hash: Buffer } {
  const secret = base32(randomBytes(SECRET_BYTES));
  const body = `parley_${keyId.slice('key_'.length)}_${secret}`;
  return { apiKey: `${body}_${checksum(body)}`, hash: hashSecret(secret) };
}

/** The key id and the hash of the secret; null for text that is no key. The checksum reveals typing errors. */
export function readApiKey(text: string): { keyId: string; hash: Buffer } | null {
  const [, id = '', secret = '', sum = ''] =
    /^parley_([0-9a-z]{26})_([0-9a-z]{32})_([0-9a-f]{8})$/.exec(text) ?? [];
  const keyId = `key_${id}`;
  if (!isId('key', keyId) || checksum(`parley_${id}_${secret}`) !== sum) return null;
  return { keyId, hash: hashSecret(secret) };
}

const hashSecret = (secret: string): Buffer => createHash('sha256').update(secret).digest();

/** Whether two hashes are equal, in constant time. */
export const sameHash = (one: Buffer, other: Buffer): boolean =>
  one.length === other.length && timingSafeEqual(one, other);
