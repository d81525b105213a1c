import { addressKey } from '#kernel/address.js';

/** What somebody is reached by. Both texts are empty when unknown. */
export interface Reached {
  email: string;
  phone_number: string;
  /** The number in E.164 to match contacts by; null without one. */
  phone_key: string | null;
}

/** What a contact has of those merged into it, beside what it has itself. */
export interface Others {
  other_emails: string[];
  other_phone_numbers: string[];
  /** The keys by which it is matched by them (`matchKeysOf`). */
  merged_keys: string[];
}

export const NO_OTHERS: Others = { other_emails: [], other_phone_numbers: [], merged_keys: [] };

/** The key that all spellings of an address share; null for no address. */
export const emailKey = (email: string): string | null => addressKey(email) || null;

/** The keys by which what comes in is matched. */
export const matchKeysOf = ({
  email_key,
  phone_key,
}: {
  email_key: string | null;
  phone_key: string | null;
}): string[] => [
  ...(email_key === null ? [] : [`email:${email_key}`]),
  ...(phone_key === null ? [] : [`phone:${phone_key}`]),
];

/** Each address and number of the merged once, in their order, without the contact's present ones. */
export function othersOf(own: Reached, merged: readonly Reached[]): Others {
  if (merged.length === 0) return NO_OTHERS;
  const emails = distinct(own, merged, ({ email }) => emailKey(email));
  const numbers = distinct(own, merged, ({ phone_number, phone_key }) => (phone_key ?? phone_number) || null);
  return {
    other_emails: emails.map(({ email }) => email),
    other_phone_numbers: numbers.map(({ phone_number }) => phone_number),
    merged_keys: [
      ...emails.flatMap(({ email }) => matchKeysOf({ email_key: emailKey(email), phone_key: null })),
      ...numbers.flatMap(({ phone_key }) => matchKeysOf({ email_key: null, phone_key })),
    ],
  };
}

/** The first of those that share a key, but for the key of `own`. */
function distinct(
  own: Reached,
  merged: readonly Reached[],
  keyOf: (one: Reached) => string | null,
): Reached[] {
  const seen = new Set([null, keyOf(own)]);
  return merged.filter((one) => {
    const key = keyOf(one);
    return !seen.has(key) && seen.add(key);
  });
}

/** What is known of the merged of an event that told their keys alone: an address as it is matched, a number in E.164. */
export const reachedByKeys = (keys: readonly string[]): Reached[] =>
  keys.map((key) => {
    const value = key.slice(key.indexOf(':') + 1);
    return key.startsWith('email:')
      ? { email: value, phone_number: '', phone_key: null }
      : { email: '', phone_number: value, phone_key: value };
  });
