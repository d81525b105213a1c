import type { Instant } from '#kernel/instant.js';

/** A window: from `start_date`, included, to `end_date`, excluded. */
export interface Window {
  start_date: Instant;
  end_date: Instant;
}

/** From the first instant, included, to the second, excluded; empty when both are equal. */
export type Range = [from: Instant, to: Instant];

/** A window cut at the beginnings of hours, days and months (UTC), so that sums kept per period can be used. */
export interface Slices {
  /** Less than an hour at either end. */
  edges: [Range, Range];
  hours: [Range, Range];
  days: [Range, Range];
  months: Range;
}

export type Unit = 'hour' | 'day' | 'month';

/** Cuts a window into as few whole periods as possible, and the rest at its ends. */
export function slice({ start_date, end_date }: Window): Slices {
  const whole: Range = [start_date, end_date];
  const hours = within('hour', whole);
  const days = within('day', hours);
  const months = within('month', days);
  return {
    edges: around(hours, whole),
    hours: around(days, hours),
    days: around(months, days),
    months,
  };
}

/** The whole periods of a range; when there are none, an empty range at its end. */
function within(unit: Unit, [from, to]: Range): Range {
  const [first, last] = [firstAtOrAfter(unit, from), beginningOf(unit, to)];
  return first !== null && first < last ? [first, last] : [to, to];
}

/** The parts of a range before and after an inner one. */
const around = ([first, last]: Range, [from, to]: Range): [Range, Range] => [
  [from, first],
  [last, to],
];

const KEPT: Record<Unit, number> = { hour: 13, day: 10, month: 7 };

/** The beginning of the period that holds the instant. */
export const beginningOf = (unit: Unit, instant: Instant): Instant =>
  instant.slice(0, KEPT[unit]) + '0000-01-01T00:00:00.000000Z'.slice(KEPT[unit]);

/** The first beginning of a period at or after the instant; null after the year 9999, the last that instants can have. */
export function firstAtOrAfter(unit: Unit, instant: Instant): Instant | null {
  const beginning = beginningOf(unit, instant);
  if (beginning === instant) return instant;
  const next = new Date(`${beginning.slice(0, 19)}Z`);
  if (unit === 'hour') next.setUTCHours(next.getUTCHours() + 1);
  if (unit === 'day') next.setUTCDate(next.getUTCDate() + 1);
  if (unit === 'month') next.setUTCMonth(next.getUTCMonth() + 1);
  return next.getUTCFullYear() > 9_999 ? null : `${next.toISOString().slice(0, 19)}.000000Z`;
}
