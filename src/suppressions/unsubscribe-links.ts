import { createHmac, hkdfSync, timingSafeEqual } from 'node:crypto';
import { isId } from '#kernel/id.js';

/** Whom a link unsubscribes from which organization. */
export interface Unsubscription {
  organizationId: string;
  email: string;
}

const TOKEN = /^([\w-]+)\.([\w-]{22})$/;

/** Names a recipient in a link. Signed, so nobody can unsubscribe somebody whose mail they have not seen. */
export class UnsubscribeLinks {
  private readonly key: Buffer;

  constructor(secretKey: Buffer) {
    this.key = Buffer.from(hkdfSync('sha256', secretKey, '', 'parley unsubscribe links', 32));
  }

  tokenFor({ organizationId, email }: Unsubscription): string {
    const said = Buffer.from(`${organizationId}\n${email}`).toString('base64url');
    return `${said}.${this.sign(said)}`;
  }

  /** What a token says; null for one that we have not made. */
  read(token: string): Unsubscription | null {
    const [, said, signature] = TOKEN.exec(token) ?? [];
    if (!said || !signature) return null;
    if (!timingSafeEqual(Buffer.from(signature), Buffer.from(this.sign(said)))) return null;
    const [organizationId = '', email = ''] = Buffer.from(said, 'base64url').toString().split('\n');
    return isId('org', organizationId) ? { organizationId, email } : null;
  }

  /** 128 bits. */
  private sign(said: string): string {
    return createHmac('sha256', this.key).update(said).digest().subarray(0, 16).toString('base64url');
  }
}
