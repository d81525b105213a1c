import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto';

const NONCE_BYTES = 12;
const TAG_BYTES = 16;

/** Seals secrets for storage in the database: AES-256-GCM under a key that the database never holds. */
export class Vault {
  private readonly key: Buffer;

  constructor(secretKey: Buffer) {
    this.key = Buffer.from(hkdfSync('sha256', secretKey, '', 'parley channel secrets', 32));
  }

  /** nonce, tag, ciphertext of the value's JSON; `bound` (such as the channel id) must be given again to open it. */
  seal(value: object, bound: string): Buffer {
    const nonce = randomBytes(NONCE_BYTES);
    const cipher = createCipheriv('aes-256-gcm', this.key, nonce).setAAD(Buffer.from(bound));
    const sealed = Buffer.concat([cipher.update(JSON.stringify(value)), cipher.final()]);
    return Buffer.concat([nonce, cipher.getAuthTag(), sealed]);
  }

  /** Throws when the box was changed, sealed under another key, or bound to something else. */
  open<Value>(box: Buffer, bound: string): Value {
    const value = this.openIfOurs<Value>(box, bound);
    if (value === null) throw new Error('PARLEY_SECRET_KEY is not the key that has sealed its secrets');
    return value;
  }

  /** Like `open`, but gives null where that throws. */
  openIfOurs<Value>(box: Buffer, bound: string): Value | null {
    try {
      const decipher = createDecipheriv('aes-256-gcm', this.key, box.subarray(0, NONCE_BYTES))
        .setAAD(Buffer.from(bound))
        .setAuthTag(box.subarray(NONCE_BYTES, NONCE_BYTES + TAG_BYTES));
      const sealed = box.subarray(NONCE_BYTES + TAG_BYTES);
      return JSON.parse(Buffer.concat([decipher.update(sealed), decipher.final()]).toString()) as Value;
    } catch {
      return null;
    }
  }
}
