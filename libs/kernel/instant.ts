/** An instant as Parley writes it: `2026-01-02T03:04:05.678901Z`, UTC, always six fractional digits, so that string order is time order. */
export type Instant = string;

let lastMicros = 0;

/** The current instant. Strictly increasing within a process, so that two records made one after the other sort that way. */
export function now(): Instant {
  lastMicros = Math.max(Date.now() * 1000, lastMicros + 1);
  return fromEpochMicros(lastMicros);
}

/** The instant `seconds` (fractions allowed) after `instant`; negative values go back. */
export const plusSeconds = (instant: Instant, seconds: number): Instant =>
  fromEpochMicros(toEpochMicros(instant) + Math.round(seconds * 1e6));

/** Microseconds from one instant to another, exact for all instants; negative when `to` is the earlier. */
export const microsBetween = (from: Instant, to: Instant): bigint =>
  BigInt(millisOf(to) - millisOf(from)) * 1_000n + BigInt(microsOf(to) - microsOf(from));

/** Microseconds since 1970-01-01T00:00:00Z, exact for all instants. */
export const exactMicros = (instant: Instant): bigint =>
  BigInt(millisOf(instant)) * 1_000n + BigInt(microsOf(instant));

/** Microseconds since 1970-01-01T00:00:00Z; exact for the years 1685 to 2255, where they fit a double. */
const toEpochMicros = (instant: Instant): number => millisOf(instant) * 1000 + microsOf(instant);

/** Milliseconds since 1970-01-01T00:00:00Z of the second that holds the instant. */
const millisOf = (instant: Instant): number => Date.parse(`${instant.slice(0, 19)}Z`);

/** Microseconds since the beginning of its second. */
const microsOf = (instant: Instant): number => Number(instant.slice(20, 26));

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
