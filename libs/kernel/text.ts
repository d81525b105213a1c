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
