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
