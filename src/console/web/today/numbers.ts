import { numberFormat } from '../formatters.js';
import { form, locale } from '../format.js';
import type { Interval, Span } from './calendar.js';

/** A share of 1 as "87.5 %". */
export const percent = (share: number): string =>
  numberFormat(locale, { style: 'percent', maximumFractionDigits: 1 }).format(share);

const UNITS = [
  ['second', 1],
  ['minute', 60],
  ['hour', 3_600],
  ['day', 86_400],
] as const;

/** The unit in which a time is best said, and its seconds: minutes up to two hours, hours up to two days. */
export const unitOf = (seconds: number): (typeof UNITS)[number] =>
  UNITS.findLast(([, length]) => seconds >= 2 * length) ?? UNITS[0];

/** Seconds as "54 min". */
export function duration(seconds: number, [unit, length] = unitOf(seconds)): string {
  const value = seconds / length;
  return numberFormat(locale, {
    style: 'unit',
    unit,
    unitDisplay: 'short',
    maximumFractionDigits: value < 10 ? 1 : 0,
  }).format(value);
}

/** A bucket as a person calls it: "Wed, 4 Mar", "4 – 10 Mar", "March 2026". */
export function bucketName(interval: Interval, { start_date, end_date }: Span): string {
  const start = new Date(start_date);
  if (interval === 'day') return form({ weekday: 'short', day: 'numeric', month: 'short' }).format(start);
  if (interval === 'month') return form({ month: 'long', year: 'numeric' }).format(start);
  return form({ day: 'numeric', month: 'short' }).formatRange(start, lastOf(end_date));
}

/** The same as short as there is room for below a plot. */
export const bucketMark = (interval: Interval, { start_date }: Span): string =>
  form(
    interval === 'month' ? { month: 'short', year: '2-digit' } : { day: 'numeric', month: 'short' },
  ).format(new Date(start_date));

/** The days of a window: "28 Oct – 26 Nov 2026". */
export const daysOfSpan = ({ start_date, end_date }: Span): string =>
  form({ day: 'numeric', month: 'short', year: 'numeric' }).formatRange(
    new Date(start_date),
    lastOf(end_date),
  );

/** The end is excluded: the day that has ended there is the last. */
const lastOf = (end_date: string): Date => new Date(Date.parse(end_date) - 1);
