import type { Random } from './random.js';

// Times are in milliseconds since 1970, and office hours in UTC, which is the demo's time zone.

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
export const DAY = 24 * HOUR;

const OPENS = 8.5 * HOUR;
const CLOSES = 17.5 * HOUR;

/** How much comes in on each day, from Sunday on, beside an ordinary one. */
const OF_WEEKDAY = [0.12, 1.3, 1.15, 1, 1, 0.8, 0.2];
/** The same for each month, from January on: hampers before Christmas, holidays in August. */
const OF_MONTH = [0.8, 0.9, 1, 1, 1.1, 1.05, 0.9, 0.7, 1, 1.1, 1.3, 1.35];
/** The same for each hour of a weekday, and of a day at the weekend. */
const OF_HOUR = [0, 0, 0, 0, 0, 1, 3, 8, 16, 24, 20, 14, 8, 11, 12, 10, 8, 5, 3, 3, 2, 1, 1, 0];
const AT_WEEKEND = [0, 0, 0, 0, 0, 0, 1, 2, 4, 6, 7, 7, 6, 5, 5, 5, 5, 5, 5, 4, 3, 2, 1, 0];

export const startOfDay = (at: number): number => Math.floor(at / DAY) * DAY;

const isWeekend = (at: number): boolean => [0, 6].includes(new Date(at).getUTCDay());

/**
 * When customers write in the days up to `now`: by weekday, month and hour, more from month to month, and in bursts on some
 * mornings. Oldest first.
 */
export function arrivals(random: Random, now: number, days: number, aDay: number): number[] {
  const times: number[] = [];
  for (let ago = days; ago >= 0; ago--) {
    const day = startOfDay(now) - ago * DAY;
    const date = new Date(day);
    const growth = 1.2 - (0.4 * ago) / days;
    const expected = aDay * growth * OF_WEEKDAY[date.getUTCDay()]! * OF_MONTH[date.getUTCMonth()]!;
    const hours = isWeekend(day) ? AT_WEEKEND : OF_HOUR;
    for (let tries = Math.ceil(2 * expected); tries > 0; tries--)
      if (random.chance(expected / Math.ceil(2 * expected))) times.push(day + timeOfDay(random, hours));
    // A newsletter went out.
    if (!isWeekend(day) && random.chance(0.06))
      for (let more = random.integer(4, 7); more > 0; more--)
        times.push(day + 8.5 * HOUR + random.integer(0, 150) * MINUTE + random.integer(0, 59_999));
  }
  return times.filter((time) => time < now - 5 * MINUTE).sort((one, other) => one - other);
}

function timeOfDay(random: Random, weights: number[]): number {
  const sum = weights.reduce((one, other) => one + other);
  let left = random.integer(1, sum);
  const hour = weights.findIndex((weight) => (left -= weight) <= 0);
  return hour * HOUR + random.integer(0, HOUR - 1);
}

/** The instant after so much time in office hours, Monday to Friday. */
export function workedAfter(from: number, work: number): number {
  let [at, left] = [from, work];
  for (;;) {
    const day = startOfDay(at);
    const closes = day + CLOSES;
    at = Math.max(at, day + OPENS);
    if (!isWeekend(day) && at + left < closes) return at + left;
    if (!isWeekend(day) && at < closes) left -= closes - at;
    at = day + DAY;
  }
}

/** A time of day, such as 9.5 for half past nine, so many working days from `now`: 0 is today, or the one before. */
export function onWorkday(now: number, days: number, hour: number): number {
  let day = startOfDay(now);
  while (isWeekend(day)) day -= DAY;
  for (let left = Math.abs(days); left > 0; left--)
    do day += Math.sign(days) * DAY;
    while (isWeekend(day));
  return day + hour * HOUR;
}
