import { dateFormat } from '../formatters.js';
/** Windows of whole days, weeks or months by the calendar of a zone, and the window before each. */

export const INTERVALS = ['day', 'week', 'month'] as const;
export type Interval = (typeof INTERVALS)[number];

/** The windows that end now: how many days, weeks or months they have, the present one included. */
export const WINDOWS = {
  '7d': ['day', 7],
  '30d': ['day', 30],
  '13w': ['week', 13],
  '12m': ['month', 12],
} as const;
export type WindowName = keyof typeof WINDOWS;

/** What the address says of the window; `from` and `to` are the first and the last day of one of its own. */
export interface Choice {
  window: WindowName | null;
  from: string | null;
  to: string | null;
  interval: Interval;
}

/** From the first instant, included, to the second, excluded. */
export interface Span {
  start_date: string;
  end_date: string;
}

/** How many days a window may have for the API to answer its intervals, 400 at most, and for there to be two. */
const FITTING = {
  day: [1, 366],
  week: [8, 2_700],
  month: [32, 12_000],
} as const;
const DAY = 86_400_000;
const MINUTE = 60_000;
/** No clock is further from UTC. */
const FURTHEST = 26 * 3_600_000;
/** Days are numbered from 1970-01-01, a Thursday. */
const FIRST_MONDAY = -3;

const numberOf = (date: string): number => Date.parse(`${date}T00:00:00Z`) / DAY;
export const dateOf = (day: number): string => new Date(day * DAY).toISOString().slice(0, 10);
const isDate = (text: string | null): text is string =>
  text !== null && /^\d{4}-\d{2}-\d{2}$/.test(text) && !Number.isNaN(numberOf(text));

/** What is not said in the address: the last 30 days, in buckets that make a readable plot. */
export function choiceOf(query: URLSearchParams): Choice {
  const [from, to] = [query.get('from'), query.get('to')];
  const isOwn = isDate(from) && isDate(to) && from <= to;
  const named = query.get('window') ?? '';
  const window = isOwn ? null : named in WINDOWS ? (named as WindowName) : '30d';
  const own = isOwn ? { window, from, to } : { window, from: null, to: null };
  const fitting = intervalsOf(own);
  const asked = fitting.find((interval) => interval === query.get('interval'));
  return { ...own, interval: asked ?? usualOf(daysIn(own), fitting) };
}

/** The intervals of which the window has at least two and not too many. */
export function intervalsOf(choice: Omit<Choice, 'interval'>): Interval[] {
  const days = daysIn(choice);
  return INTERVALS.filter((interval) => FITTING[interval][0] <= days && days <= FITTING[interval][1]);
}

const usualOf = (days: number, fitting: Interval[]): Interval =>
  fitting.find((interval) => days <= { day: 45, week: 200, month: Infinity }[interval]) ?? 'month';

function daysIn({ window, from, to }: Omit<Choice, 'interval'>): number {
  if (window === null) return numberOf(to!) - numberOf(from!) + 1;
  const [unit, count] = WINDOWS[window];
  return count * { day: 1, week: 7, month: 30.5 }[unit];
}

/**
 * The window from the beginning of an interval to the end of one, or until now, and as many intervals before it: of the one
 * that has not ended, as much as there is of it now.
 */
export function spansOf(choice: Choice, zone: string, at: number): { now: Span; before: Span } {
  const { interval } = choice;
  const today = dateIn(zone, at);
  const [first, last] = daysOf(choice, today);
  const start = beginningOf(interval, first);
  const after = shift(interval, beginningOf(interval, last), 1);
  let count = 0;
  for (let day = start; day < after; day = shift(interval, day, 1)) count++;
  const before = shift(interval, start, -count);
  // What happens in this minute counts as well.
  const soon = Math.floor(at / MINUTE + 1) * MINUTE;
  const isOver = startOf(zone, after) <= soon;
  const sameTime =
    startOf(zone, shift(interval, numberOf(today), -count)) + soon - startOf(zone, numberOf(today));
  const end = isOver ? startOf(zone, after) : soon;
  const endBefore = isOver ? startOf(zone, start) : Math.min(sameTime, startOf(zone, start));
  return {
    now: spanOf(startOf(zone, start), end),
    before: spanOf(startOf(zone, before), endBefore),
  };
}

/** The end of the day in the zone. */
export const endOfToday = (zone: string, at: number): string =>
  new Date(startOf(zone, numberOf(dateIn(zone, at)) + 1)).toISOString();

/** The first and the last day of the window, none of them after today. */
export function daysOf({ window, from, to }: Choice, date: string): [first: number, last: number] {
  const today = numberOf(date);
  if (window === null) return [Math.min(numberOf(from!), today), Math.min(numberOf(to!), today)];
  const [unit, count] = WINDOWS[window];
  return [shift(unit, beginningOf(unit, today), 1 - count), today];
}

const spanOf = (start: number, end: number): Span => ({
  start_date: new Date(start).toISOString(),
  end_date: new Date(end).toISOString(),
});

function beginningOf(interval: Interval, day: number): number {
  if (interval === 'day') return day;
  if (interval === 'week') return day - ((((day - FIRST_MONDAY) % 7) + 7) % 7);
  return numberOf(`${dateOf(day).slice(0, 7)}-01`);
}

/** Months that are too short for the day end with their last one. */
function shift(interval: Interval, day: number, by: number): number {
  if (interval !== 'month') return day + by * { day: 1, week: 7 }[interval];
  const date = new Date(day * DAY);
  const [year, month] = [date.getUTCFullYear(), date.getUTCMonth() + by];
  const lastOfMonth = new Date(Date.UTC(year, month + 1, 0)).getUTCDate();
  return Date.UTC(year, month, Math.min(date.getUTCDate(), lastOfMonth)) / DAY;
}

/** Swedish dates are written as in ISO 8601. */
const formIn = (zone: string): Intl.DateTimeFormat =>
  dateFormat('sv-SE', { timeZone: zone, dateStyle: 'short', timeStyle: 'medium' });

/** What the calendar of the zone shows at a time, as "2026-03-04". */
export const dateIn = (zone: string, at: number): string => formIn(zone).format(at).slice(0, 10);

/** How far the clocks of the zone are ahead of UTC, in milliseconds. */
const aheadAt = (zone: string, at: number): number =>
  Date.parse(`${formIn(zone).format(at).replace(' ', 'T')}Z`) - Math.floor(at / 1_000) * 1_000;

/** The first time at which the zone's clocks show the day: midnight need not exist, nor come only once. */
function startOf(zone: string, day: number): number {
  const midnight = day * DAY;
  const early = midnight - aheadAt(zone, midnight - FURTHEST);
  return dateIn(zone, early) === dateOf(day) ? early : midnight - aheadAt(zone, midnight + FURTHEST);
}
