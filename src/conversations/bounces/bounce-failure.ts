import { addressKey } from '#kernel/address.js';
import type { BouncedRecipient } from '#mail/mail.js';

/** The only final failure among the actions of RFC 3464 (2.3.3): a delayed mail may still arrive. */
const hasFailed = ({ action }: BouncedRecipient): boolean => action === 'failed';

/**
 * Which of these addresses a mail did not reach and why; null when it failed for none of them. Whoever has seen a mail's
 * Message-ID can write a report about it, but only one who knows whom it went to can name a recipient.
 */
export function failureOf(recipients: BouncedRecipient[], sentTo: string[]): string | null {
  const mailboxes = new Set(sentTo.map(addressKey));
  const isSentTo = ({ address, final_address = address }: BouncedRecipient): boolean =>
    [address, final_address].some((one) => mailboxes.has(addressKey(one)));
  const failed = recipients.filter((recipient) => hasFailed(recipient) && isSentTo(recipient));
  if (failed.length === 0) return null;
  return failed
    .map(({ address, status, diagnostic }) => `${address}: ${diagnostic ?? status ?? 'not delivered'}`)
    .join('; ');
}
