import { type Instant, microsOf, secondsOf } from '#kernel/instant.js';
import { offsetAt, transitionsBetween } from './time-zone.js';

export const INTERVALS = ['hour', 'day', 'week', 'month'] as const;
export type Interval = (typeof INTERVALS)[number];

const HOUR = 3_600;
const DAY = 24 * HOUR;
/** No clock is further from UTC, in seconds. */
const FURTHEST = 26 * HOUR;
/** 1970-01-01, day 0, was a Thursday; weeks begin on Monday. */
const FIRST_MONDAY = -3;

/**
 * The window cut where the zone's calendar begins an hour, day, week or month, as the instants from its beginning to its end,
 * both included; null when that makes more than `most` parts.
 */
export function cutByCalendar(
  interval: Interval,
  zone: string,
  { start_date, end_date }: { start_date: Instant; end_date: Instant },
  most: number,
): Instant[] | null {
  const cuts = [start_date];
  for (const second of beginnings(interval, zone, secondsOf(start_date))) {
    if (!isBefore(second, end_date)) break;
    if (cuts.length === most) return null;
    cuts.push(`${new Date(second * 1_000).toISOString().slice(0, 19)}.000000Z`);
  }
  return [...cuts, end_date];
}

const isBefore = (second: number, instant: Instant): boolean =>
  second < secondsOf(instant) || (second === secondsOf(instant) && microsOf(instant) > 0);

/** The seconds (UTC, since 1970) after `from` at which the zone's calendar begins another interval, ascending. */
const beginnings = (interval: Interval, zone: string, from: number): Generator<number> =>
  interval === 'hour' ? beginningsOfHours(zone, from) : beginningsOfDays(interval, zone, from);

/**
 * The instants at which the zone's clocks show a full hour. Clocks that are changed by a part of an hour begin another one
 * then, so no hour is longer than sixty minutes.
 */
function* beginningsOfHours(zone: string, from: number): Generator<number> {
  for (let at = from; ;) {
    const offset = offsetAt(zone, at);
    const full = (Math.floor((at + offset) / HOUR) + 1) * HOUR - offset;
    const change = transitionsBetween(zone, at, full - 1).find(
      ({ before, after }) => (after - before) % HOUR !== 0,
    );
    yield (at = change?.at ?? full);
  }
}

/** A date that the zone's calendar leaves out begins with the next one, and is no interval of its own. */
function* beginningsOfDays(
  interval: Exclude<Interval, 'hour'>,
  zone: string,
  from: number,
): Generator<number> {
  let last = from;
  for (let day = Math.floor((from + offsetAt(zone, from)) / DAY); ;) {
    day = NEXT[interval](day);
    const beginning = beginningOfDay(zone, day);
    if (beginning > last) yield (last = beginning);
  }
}

/** The first day of the next interval, where days are numbered from 1970-01-01. */
const NEXT: Record<Exclude<Interval, 'hour'>, (day: number) => number> = {
  day: (day) => day + 1,
  week: (day) => day + 7 - ((((day - FIRST_MONDAY) % 7) + 7) % 7),
  month: (day) => {
    const date = new Date(day * DAY * 1_000);
    return date.setUTCFullYear(date.getUTCFullYear(), date.getUTCMonth() + 1, 1) / (DAY * 1_000);
  },
};

/**
 * The first instant at which the zone's clocks show this day, or a later one: midnight need not exist, and when it comes
 * twice the day begins with the first.
 */
function beginningOfDay(zone: string, day: number): number {
  const midnight = day * DAY;
  let [since, offset] = [midnight - FURTHEST, offsetAt(zone, midnight - FURTHEST)];
  for (const { at, after } of transitionsBetween(zone, since, midnight + FURTHEST)) {
    if (midnight - offset < at) break;
    [since, offset] = [at, after];
  }
  return Math.max(since, midnight - offset);
}
