/*
 * To make a formatter costs more than a tenth of a millisecond, and a list that is drawn anew at each key needs hundreds: each is made
 * once.
 */
const made = new Map<string, unknown>();

function once<Formatter>(key: unknown[], make: () => Formatter): Formatter {
  const name = JSON.stringify(key);
  const formatter = (made.get(name) as Formatter | undefined) ?? make();
  made.set(name, formatter);
  return formatter;
}

export const dateFormat = (locale: string, options: Intl.DateTimeFormatOptions): Intl.DateTimeFormat =>
  once(['date', locale, options], () => new Intl.DateTimeFormat(locale, options));

export const numberFormat = (locale: string, options: Intl.NumberFormatOptions = {}): Intl.NumberFormat =>
  once(['number', locale, options], () => new Intl.NumberFormat(locale, options));

/** Days from today, as words where there are some: "yesterday". */
export const dayWords = (locale: string): Intl.RelativeTimeFormat =>
  once(['days', locale], () => new Intl.RelativeTimeFormat(locale, { numeric: 'auto' }));
