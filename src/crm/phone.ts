import { parsePhoneNumberFromString, type CountryCode } from 'libphonenumber-js/max';

/**
 * The number by which contacts are matched: E.164 where the numbering plans know it, `region` helping with national
 * numbers, else its bare digits. null for no number.
 */
export function phoneKey(phoneNumber: string, region: string): string | null {
  if (phoneNumber === '') return null;
  return (
    parsePhoneNumberFromString(phoneNumber, region as CountryCode)?.number ?? phoneNumber.replace(/\D/g, '')
  );
}
