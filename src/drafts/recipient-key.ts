import { addressKey } from '#kernel/address.js';
import type { Recipient } from './draft-content.js';

/** The digits of a number or of its key, by which drafts are found that were made before they had keys. */
export const digitsKey = (phoneNumber: string): string => `phone:${phoneNumber.replace(/\D/g, '')}`;

/** The key of a recipient that nobody has looked up: of a number, which may lack its country, the digits. */
export function bareKey(
  modality: string,
  { recipient_email, recipient_phone_number }: Recipient,
): string | null {
  if (modality === 'email') return recipient_email && `email:${addressKey(recipient_email)}`;
  return recipient_phone_number && digitsKey(recipient_phone_number);
}
