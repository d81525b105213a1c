import { kindOfId } from '../data/record-address.js';
import { moment, money } from '../format.js';
import { toText } from '../inbox/reply-text.js';
import { words } from '../words/words.js';
import { fieldName } from '../parts/field-name.js';
import { type Change, type Line, linesOf } from './lines.js';

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
  if (typeof value === 'number') return String(value);
  if (typeof value === 'string')
    return isInstant(value) ? moment(value) : toText(value).replaceAll(/\s+/g, ' ');
  if (Array.isArray(value)) return value.map(shortValue).join(', ');
  return nameOf(value) ?? totalOf(value) ?? JSON.stringify(value);
}

/** What people call an object among the values, such as a stage. */
export const NAMES = ['name', 'label', 'title', 'file_name'];
const nameOf = (value: unknown): string | undefined =>
  NAMES.map((name) => (value as Record<string, unknown>)[name]).find(
    (one): one is string => typeof one === 'string' && one !== '',
  );

/** Of a quote. */
function totalOf(value: unknown): string | undefined {
  const { output } = value as { output?: { currency?: string; total_price?: string } };
  return output?.currency && output.total_price && money(output.total_price, output.currency);
}

/** A change in a few words. */
export function shortChange(change: Change): string {
  const whole = [change.from, change.to].filter((one) => !isNothing(one));
  // An id tells nobody anything.
  if (whole.some((one) => typeof one === 'string' && kindOfId(one) !== undefined))
    return fieldName(change.field);
  const isNamed = whole.every(
    (one) => typeof one === 'object' && (nameOf(one) ?? totalOf(one)) !== undefined,
  );
  const [line] = isNamed ? [] : linesOf(change);
  if (!line) return `${fieldName(change.field)}: ${shortValue(change.from)} → ${shortValue(change.to)}`;
  return `${line.path.map(fieldName).join(' › ')}: ${shortLine(line)}`;
}

const shortLine = (line: Line): string =>
  'added' in line
    ? [
        ...line.removed.map((item) => `− ${shortValue(item)}`),
        ...line.added.map((item) => `+ ${shortValue(item)}`),
      ].join(', ')
    : `${shortValue(line.from)} → ${shortValue(line.to)}`;
