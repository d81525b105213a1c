import { addressKey } from '#kernel/address.js';
import { reportsAddressGone } from '#mail/address-status.js';
import type { BouncedRecipient } from '#mail/mail.js';

/** The only final failure among the actions of RFC 3464 (2.3.3): a delayed mail may still arrive. */
const hasFailed = ({ action }: BouncedRecipient): boolean => action === 'failed';

/** By which of its addresses a recipient may have been sent a mail. */
const keysOf = ({ address, final_address = address }: BouncedRecipient): string[] => [
  addressKey(address),
  addressKey(final_address),
];

/**
 * Which of these addresses a mail did not reach and why; null when it failed for none of them. Whoever has seen a mail's
 * Message-ID can write a report about it, but only one who knows whom it went to can name a recipient.
 */
export function failureOf(recipients: BouncedRecipient[], sentTo: string[]): string | null {
  const mailboxes = new Set(sentTo.map(addressKey));
  const failed = recipients
    .filter(hasFailed)
    .filter((recipient) => keysOf(recipient).some((key) => mailboxes.has(key)));
  if (failed.length === 0) return null;
  return failed
    .map(({ address, status, diagnostic }) => `${address}: ${diagnostic ?? status ?? 'not delivered'}`)
    .join('; ');
}

/** Those of these addresses that a mail did not reach because they take none any more. */
export function goneOf(recipients: BouncedRecipient[], sentTo: string[]): string[] {
  const gone = recipients.filter((one) => hasFailed(one) && reportsAddressGone(one));
  const keys = new Set(gone.flatMap(keysOf));
  return sentTo.filter((address) => keys.has(addressKey(address)));
}
