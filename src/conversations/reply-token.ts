import { createHmac, hkdfSync, timingSafeEqual } from 'node:crypto';
import { isId } from '#kernel/id.js';

/** Octets of a local part (RFC 5321, 4.5.3.1.1). */
const LONGEST_LOCAL_PART = 64;
/** The conversation's id without its prefix, then 64 bits of HMAC in base 36: mail servers fold case. */
const TOKEN = /\+([0-9a-z]{26})([0-9a-z]{13})@[^@]*$/;

/** Names conversations in mail addresses. Signed, so nobody can name a conversation from which they got no mail. */
export class ReplyTokens {
  private readonly key: Buffer;

  constructor(secretKey: Buffer) {
    this.key = Buffer.from(hkdfSync('sha256', secretKey, '', 'parley reply tokens', 32));
  }

  /** `local+<token>@domain`; null where the local part is quoted or leaves no room for a token. */
  addressFor(address: string, organizationId: string, conversationId: string): string | null {
    const at = address.lastIndexOf('@');
    const id = conversationId.slice('conv_'.length);
    const local = `${address.slice(0, at)}+${id}${this.sign(organizationId, id)}`;
    return local.length > LONGEST_LOCAL_PART || local.includes('"') ? null : local + address.slice(at);
  }

  /** The conversation named by the first valid token of this organization in the addresses; null when there is none. */
  conversationIn(addresses: string[], organizationId: string): string | null {
    for (const address of addresses) {
      const [, id, signature] = TOKEN.exec(address.toLowerCase()) ?? [];
      if (!id || !signature || !isId('conv', `conv_${id}`)) continue;
      if (timingSafeEqual(Buffer.from(signature), Buffer.from(this.sign(organizationId, id))))
        return `conv_${id}`;
    }
    return null;
  }

  private sign(organizationId: string, id: string): string {
    const hash = createHmac('sha256', this.key).update(`${organizationId}\n${id}`).digest();
    return hash.readBigUInt64BE().toString(36).padStart(13, '0');
  }
}
