/** Letters that do not come apart into a plain one and an accent. */
const SPELT: Record<string, string> = {
  ß: 'ss',
  æ: 'ae',
  œ: 'oe',
  ø: 'o',
  ł: 'l',
  đ: 'd',
  ð: 'd',
  þ: 'th',
  ı: 'i',
  ς: 'σ',
};

/**
 * The text without differences of case, accents and width, to compare it by. Done here and not by PostgreSQL, so that it is
 * the same whatever locale the database has.
 */
export function folded(text: string): string {
  const lower = text.toLowerCase();
  // Most texts need no more, and this costs a tenth.
  if (isAscii(lower)) return lower;
  return lower
    .normalize('NFKD')
    .replace(/[\u0300-\u036f]/g, '')
    .replace(/[ßæœøłđðþıς]/g, (letter) => SPELT[letter]!)
    .normalize('NFC');
}

export const isAscii = (text: string): boolean => /^[\0-\x7F]*$/.test(text);
