import { moment, number } from '../format.js';
import { toText } from '../inbox/reply-text.js';
import { words } from '../words/words.js';
import type { Line } from './lines.js';

const { audit: text } = words;
const INSTANT = /^\d{4}-\d\d-\d\dT[\d:.]+Z$/;

export const isInstant = (value: unknown): value is string =>
  typeof value === 'string' && INSTANT.test(value);

export const isNothing = (value: unknown): boolean =>
  value === null ||
  value === undefined ||
  value === '' ||
  (typeof value === 'object' && Object.keys(value).length === 0);

/** A value in a few words. */
export function shortValue(value: unknown): string {
  if (isNothing(value)) return text.empty;
  if (typeof value === 'boolean') return value ? words.records.yes : words.records.no;
  if (typeof value === 'number') return number(value);
  if (typeof value === 'string')
    return isInstant(value) ? moment(value) : toText(value).replaceAll(/\s+/g, ' ');
  if (Array.isArray(value)) return value.map(shortValue).join(', ');
  const { name, label, title, file_name } = value as Record<string, unknown>;
  const named = [name, label, title, file_name].find((one) => typeof one === 'string' && one !== '');
  return typeof named === 'string' ? named : JSON.stringify(value);
}

export const shortLine = (line: Line): string =>
  'added' in line
    ? [
        ...line.removed.map((item) => `− ${shortValue(item)}`),
        ...line.added.map((item) => `+ ${shortValue(item)}`),
      ].join(', ')
    : `${shortValue(line.from)} → ${shortValue(line.to)}`;
