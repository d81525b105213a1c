/** An instant as it is written everywhere: `2026-01-02T03:04:05.678901Z`, UTC, always six fractional digits, so that string order is time order. */
export type Instant = string;

/**
 * How far instants may be ahead of the clock. Enough for many in one millisecond and for small corrections of the clock;
 * beyond it the clock has been wrong, and following it again matters more than the order.
 */
const LONGEST_LEAD_MICROS = 1_000_000;

/** Gives instants that do not go back, unless the clock does by more than a second. */
export class Clock {
  private lastMicros = 0;
  /** Called when the clock was set back and is followed, with the seconds. */
  onSetBack: (seconds: number) => void = () => {};

  /** `read` gives milliseconds since 1970. */
  constructor(private readonly read: () => number) {}

  now(): Instant {
    const clock = this.read() * 1000;
    const lead = this.lastMicros - clock;
    const isSetBack = lead > LONGEST_LEAD_MICROS;
    this.lastMicros = isSetBack ? clock : Math.max(clock, this.lastMicros + 1);
    if (isSetBack) this.onSetBack(lead / 1e6);
    return fromEpochMicros(this.lastMicros);
  }
}

/** The clock of this process. What is due is told by the database's instead, which all processes share: `Database.now`. */
export const processClock = new Clock(() => Date.now());

/**
 * The current instant, strictly increasing within a process while its clock is not set back by more than a second: two
 * records made one after the other sort in that order.
 */
export const now = (): Instant => processClock.now();

/** The instant `seconds` (fractions allowed) after `instant`; negative values go back. */
export const plusSeconds = (instant: Instant, seconds: number): Instant =>
  fromEpochMicros(toEpochMicros(instant) + Math.round(seconds * 1e6));

/** The next instant: a microsecond later, exact for all instants. */
export function justAfter(instant: Instant): Instant {
  const micros = microsOf(instant) + 1;
  const second = new Date((secondsOf(instant) + Math.floor(micros / 1e6)) * 1000).toISOString().slice(0, 19);
  return `${second}.${String(micros % 1e6).padStart(6, '0')}Z`;
}

/** Microseconds from one instant to another, exact for all instants; negative when `to` is the earlier. */
export const microsBetween = (from: Instant, to: Instant): bigint =>
  inMicros(secondsOf(to) - secondsOf(from), microsOf(to) - microsOf(from));

/** Whole seconds and microseconds as microseconds, exact. */
export function inMicros(seconds: number, micros: number): bigint {
  const sum = seconds * 1e6 + micros;
  return Number.isSafeInteger(sum) ? BigInt(sum) : BigInt(seconds) * 1_000_000n + BigInt(micros);
}

/** Microseconds since 1970-01-01T00:00:00Z; exact for the years 1685 to 2255, where they fit a double. */
const toEpochMicros = (instant: Instant): number => secondsOf(instant) * 1e6 + microsOf(instant);

/**
 * Added to the year, since Date.UTC takes years below 100 for those of the last century; 400 years always have the same
 * length.
 */
const [FOUR_CENTURIES, FOUR_CENTURIES_S] = [400, 146_097 * 86_400];

/** The instant's whole seconds since 1970-01-01T00:00:00Z. Read digit by digit, for speed: reports ask for millions. */
export const secondsOf = (instant: Instant): number =>
  Date.UTC(
    twoDigits(instant, 0) * 100 + twoDigits(instant, 2) + FOUR_CENTURIES,
    twoDigits(instant, 5) - 1,
    twoDigits(instant, 8),
    twoDigits(instant, 11),
    twoDigits(instant, 14),
    twoDigits(instant, 17),
  ) /
    1_000 -
  FOUR_CENTURIES_S;

/** The instant's microseconds within its second. */
export const microsOf = (instant: Instant): number =>
  twoDigits(instant, 20) * 10_000 + twoDigits(instant, 22) * 100 + twoDigits(instant, 24);

/**
 * The number of the instant's hour (UTC), counted as if every month had 31 days. Divided by 24 it gives the number of the
 * day, and that divided by 31 the number of the month.
 */
export const hourOf = (instant: Instant): number =>
  (((twoDigits(instant, 0) * 100 + twoDigits(instant, 2)) * 12 + twoDigits(instant, 5) - 1) * 31 +
    twoDigits(instant, 8) -
    1) *
    24 +
  twoDigits(instant, 11);

/** The beginning of the hour that has this number. */
export function instantOfHour(hour: number): Instant {
  const [days, months] = [Math.floor(hour / 24), Math.floor(hour / (24 * 31))];
  const digits = (value: number, count = 2) => String(value).padStart(count, '0');
  const date = `${digits(Math.floor(months / 12), 4)}-${digits((months % 12) + 1)}-${digits((days % 31) + 1)}`;
  return `${date}T${digits(hour % 24)}:00:00.000000Z`;
}

/** The value of two digits of a text. */
const twoDigits = (text: string, at: number): number =>
  text.charCodeAt(at) * 10 + text.charCodeAt(at + 1) - TWO_ZEROS;

const TWO_ZEROS = 48 * 11;

function fromEpochMicros(micros: number): Instant {
  const date = new Date(Math.floor(micros / 1000)).toISOString();
  return `${date.slice(0, 23)}${String(((micros % 1000) + 1000) % 1000).padStart(3, '0')}Z`;
}

const RFC3339 = /^(\d{4})-(\d\d)-(\d\d)T(\d\d):(\d\d):(\d\d)(?:\.(\d{1,6}))?(?:Z|([+-])(\d\d):(\d\d))$/i;

/**
 * Reads an RFC 3339 date-time with `Z` or an offset and up to six fractional digits.
 * Gives null for anything else: a bare date, no zone, 30 February, 25:00, years outside 0001 to 9999 in UTC.
 */
export function parseInstant(text: string): Instant | null {
  const match = RFC3339.exec(text);
  if (!match) return null;
  const [year, month, day, hour, minute, second] = match.slice(1, 7).map(Number) as Six;
  const offset = (match[8] === '-' ? -1 : 1) * (Number(match[9] ?? 0) * 60 + Number(match[10] ?? 0));
  if (hour > 23 || minute > 59 || second > 59 || Number(match[9] ?? 0) > 23 || Number(match[10] ?? 0) > 59)
    return null;
  if (!isCalendarDate(year, month, day)) return null;
  const local = new Date(0);
  local.setUTCFullYear(year, month - 1, day);
  local.setUTCHours(hour, minute - offset, second);
  const utc = local.toISOString();
  if (utc.length !== 24 || utc < '0001') return null;
  return `${utc.slice(0, 19)}.${(match[7] ?? '').padEnd(6, '0')}Z`;
}

type Six = [number, number, number, number, number, number];

/** Whether the day exists in the proleptic Gregorian calendar. */
export function isCalendarDate(year: number, month: number, day: number): boolean {
  const date = new Date(0);
  date.setUTCFullYear(year, month - 1, day);
  return date.getUTCFullYear() === year && date.getUTCMonth() === month - 1 && date.getUTCDate() === day;
}
