/** Drops U+0000, which PostgreSQL refuses, and replaces unpaired surrogates, which UTF-8 cannot hold. */
export function storable(text: string): string {
  return text.replaceAll('\0', '').toWellFormed();
}

/** The same value with every string in it made `storable`. */
export function allStorable<Value>(value: Value): Value {
  if (typeof value === 'string') return storable(value) as Value;
  if (Array.isArray(value)) return value.map(allStorable) as Value;
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, allStorable(one)])) as Value;
}

/** The first `most` characters; a surrogate pair cut in half is replaced. */
export const cut = (text: string, most: number): string =>
  text.length > most ? storable(text.slice(0, most)) : text;

/** What stands between white space, in pieces. */
const PIECES = /\S{1,1000}/gu;

/**
 * The first `most` characters (code points, at most 1,000) of the text, without white space around it and with one blank in place of any other. Looks no
 * further than it must.
 */
export function beginningOf(text: string, most: number): string {
  let beginning = '';
  for (const [piece] of text.matchAll(PIECES)) {
    beginning += beginning === '' ? piece : ` ${piece}`;
    // A character has one or two units.
    if (beginning.length >= 2 * most) break;
  }
  return [...beginning].slice(0, most).join('');
}
