import { numberFormat } from '../formatters.js';
import { language } from '../words/words.js';

/** A number as people read it: three digits are enough to compare by. */
export const shortly = (value: number, options: Intl.NumberFormatOptions = {}): string =>
  numberFormat(language, { maximumSignificantDigits: 3, ...options }).format(value);

const UNITS: [seconds: number, unit: string][] = [
  [86_400, 'day'],
  [3_600, 'hour'],
  [60, 'minute'],
  [1, 'second'],
];

/** A duration in seconds as "12 sec", "5 min", "3 days". */
export function lasting(seconds: number): string {
  const [size, unit] = UNITS.find(([size]) => seconds >= size) ?? [1, 'second'];
  const style = { style: 'unit', unit, unitDisplay: 'short' } as const;
  return numberFormat(language, style).format(Math.round(seconds / size));
}

export const percent = (part: number): string => numberFormat(language, { style: 'percent' }).format(part);
