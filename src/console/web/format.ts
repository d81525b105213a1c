import { serviceTime } from './data/connection.js';
import { dateFormat, dayWords, numberFormat } from './formatters.js';
import { language } from './words/words.js';
import { clockIn, instantAt } from './zoned.js';

/** The region's habits, such as 24 hours, when the browser names one. */
export const locale = navigator.languages.find((tag) => tag.startsWith(language)) ?? language;

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

let zone: string | undefined;
/** Times are told in the organization's zone. */
export const tellTimesIn = (timezone: string): void => void (zone = timezone);

/** For fields of date and time, which know no zone. */
export const clockHere = (instant: string): string => clockIn(zone, new Date(instant));
export const instantHere = (clock: string): string => instantAt(zone, clock).toISOString();

/** The day that it is in the organization, such as "2026-03-31". */
export const today = (): string => clockHere(new Date(serviceTime()).toISOString()).slice(0, 10);

/** Times as the options have them, in the organization's zone. */
export const form = (options: Intl.DateTimeFormatOptions) =>
  dateFormat(locale, { timeZone: zone, ...options });
const dayOf = (time: number | Date): string =>
  form({ year: 'numeric', month: '2-digit', day: '2-digit' }).format(time);

/** As a person says it: "17:40", "yesterday 17:40", "Mon 09:00", "12 Mar", "12 Mar 2024". */
export function moment(instant: string): string {
  const at = new Date(instant);
  const now = serviceTime();
  const clock = form({ hour: 'numeric', minute: '2-digit' }).format(at);
  const days = [-1, 0, 1].find((away) => dayOf(at) === dayOf(now + away * DAY));
  if (days === 0) return clock;
  if (days !== undefined) return `${dayWords(language).format(days, 'day')} ${clock}`;
  if (Math.abs(at.getTime() - now) < 6 * DAY) return `${form({ weekday: 'short' }).format(at)} ${clock}`;
  return form({ day: 'numeric', month: 'short', ...yearOf(at, now) }).format(at);
}

/** A time that is to come, with its clock: "tomorrow 09:00", "Monday 09:00", "Fri, 4 Dec 09:00"; and whether its day has a name of its own. */
export function momentAhead(instant: string): { time: string; isNamed: boolean } {
  const at = new Date(instant);
  const now = serviceTime();
  const clock = form({ hour: 'numeric', minute: '2-digit' }).format(at);
  const days = [0, 1].find((away) => dayOf(at) === dayOf(now + away * DAY));
  if (days !== undefined)
    return { time: `${dayWords(language).format(days, 'day')} ${clock}`, isNamed: true };
  const isNear = at.getTime() > now && at.getTime() - now < 6 * DAY;
  const ofDay = form(
    isNear ? { weekday: 'long' } : { weekday: 'short', day: 'numeric', month: 'short', ...yearOf(at, now) },
  );
  return { time: `${ofDay.format(at)} ${clock}`, isNamed: false };
}

/** Told of an instant in another year. */
function yearOf(at: Date, now: number): Intl.DateTimeFormatOptions {
  const year = form({ year: 'numeric' });
  return year.format(at) === year.format(now) ? {} : { year: 'numeric' };
}

/** The instant to the second, with its zone. */
export const exact = (instant: string): string =>
  form({ dateStyle: 'full', timeStyle: 'long' }).format(new Date(instant));

/** How long ago: "12 min", "3 h", "5 days". */
export function since(instant: string): string {
  const passed = Math.max(0, serviceTime() - Date.parse(instant));
  const [value, unit]: [number, string] =
    passed < HOUR
      ? [passed / MINUTE, 'minute']
      : passed < 2 * DAY
        ? [passed / HOUR, 'hour']
        : [passed / DAY, 'day'];
  const whole = Math.floor(value);
  const said = numberFormat(locale, { style: 'unit', unit, unitDisplay: 'short' }).format(whole || 1);
  return whole === 0 ? `< ${said}` : said;
}

/** A duration in seconds as "4:05". */
export const clockOf = (seconds: number): string =>
  `${Math.floor(seconds / 60)}:${String(Math.floor(seconds % 60)).padStart(2, '0')}`;

/** Bytes as "12 kB". */
export function sizeOf(bytes: number): string {
  const [value, unit]: [number, string] =
    bytes < 1e3 ? [bytes, 'byte'] : bytes < 1e6 ? [bytes / 1e3, 'kilobyte'] : [bytes / 1e6, 'megabyte'];
  return numberFormat(language, {
    style: 'unit',
    unit,
    unitDisplay: 'short',
    maximumFractionDigits: value < 10 ? 1 : 0,
  }).format(value);
}

export const number = (value: number): string => numberFormat(locale).format(value);

/** A decimal string as money, in the digits of its currency. */
export const money = (amount: string, currency: string): string =>
  numberFormat(locale, { style: 'currency', currency }).format(amount as `${number}`);

/** The price of one, which may be less than the smallest coin. */
export const unitPrice = (amount: string, currency: string): string =>
  numberFormat(locale, { style: 'currency', currency, maximumFractionDigits: 4 }).format(
    amount as `${number}`,
  );

/** A calendar date, such as "2026-03-31", which is the same everywhere. */
export function day(date: string): string {
  const at = new Date(`${date}T00:00:00Z`);
  if (Number.isNaN(at.getTime())) return date;
  return dateFormat(locale, { dateStyle: 'medium', timeZone: 'UTC' }).format(at);
}
