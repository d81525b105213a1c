import { parsePhoneNumberFromString, type CountryCode } from 'libphonenumber-js/max';

/**
 * The number to match contacts by: E.164 if the numbering plans know it (`region` completes national numbers), else its
 * bare digits. null for no number.
 */
export function phoneKey(phoneNumber: string, region: string): string | null {
  if (phoneNumber === '') return null;
  return (
    parsePhoneNumberFromString(phoneNumber, region as CountryCode)?.number ?? phoneNumber.replace(/\D/g, '')
  );
}

/** Numbers of 3 to 6 digits belong to a network, and have no country before them. */
const SHORT_CODE = /^\d{3,6}$/;

/**
 * The number to send a text to: E.164 if the numbering plans allow such a number, else the digits as they were given. A
 * short code stays one: with a country before it, it would be a number that nobody has, or somebody else.
 */
export function dialled(phoneNumber: string, region: string): string {
  const digits = phoneNumber.replace(/\D/g, '');
  if (SHORT_CODE.test(phoneNumber.trim())) return digits;
  const known = parsePhoneNumberFromString(phoneNumber, region as CountryCode);
  if (known?.isPossible()) return known.number;
  return phoneNumber.trim().startsWith('+') ? `+${digits}` : digits;
}
