/** Letters that do not come apart into a plain one and an accent; every alef is the bare one, and tatweel only makes a word longer. */
const SPELT: Record<string, string> = {
  ß: 'ss',
  æ: 'ae',
  œ: 'oe',
  ø: 'o',
  ł: 'l',
  đ: 'd',
  ð: 'd',
  ħ: 'h',
  ŧ: 't',
  ŋ: 'n',
  þ: 'th',
  ı: 'i',
  ς: 'σ',
  '\u0640': '',
};
const ALEF = '\u0627';

/** Accents of Latin, Greek and Cyrillic; points and signs of Arabic and Hebrew. */
const MARKS =
  /[\u0300-\u036f\u0483-\u0487]|(?=\p{M})[\p{Script_Extensions=Arabic}\p{Script_Extensions=Hebrew}]/gu;
const LETTERS = /\u0627\u0674|[ßæœøłđðħŧŋþıς\u0640\u0671-\u0673\u0773\u0774\u0870-\u0882]/g;

/**
 * The text without differences of case, accents and compatible forms (NFKC), to compare it by. Done here and not by PostgreSQL, so that it
 * is the same whatever locale the database has.
 */
export function folded(text: string): string {
  // Most texts need no more, and this costs a tenth.
  if (isAscii(text)) return text.toLowerCase();
  const bare = text.normalize('NFKD').replace(MARKS, '');
  // Both ways, as several letters may share one of the other case.
  const lower = bare.toUpperCase().toLowerCase();
  return lower.replace(LETTERS, (letter) => SPELT[letter] ?? ALEF).normalize('NFC');
}

export const isAscii = (text: string): boolean => /^[\0-\x7F]*$/.test(text);
