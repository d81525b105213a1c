/** Milliseconds: the second that a Date names, and one more for the mail to come in. */
const JUST_NOW = 2_000;
const FIRST = Date.UTC(1900, 0, 1);
const CLOCK = /\d:\d\d/;
const ZONE = /(?:[+-]\d{2}:?\d{2}|(?<=\d)Z|\bUTC?|\bGMT|\b[ECMP][SD]T)$/i;
/** Words after the time, or after a zone in digits: zone names whose offset from UTC is unknown. */
const UNKNOWN_ZONE = /(:\d\d(?: ?[ap]m\b)?|[+-]\d\d:?\d\d) ?(?![ap]m\b)[a-z]+(?: [a-z]+)*$/i;
/** As `date` prints it: the zone stands before the year. */
const YEAR_AT_END = /(\d\d?:\d\d(?::\d\d)?(?: [ap]m)? (?:[a-z]+(?: dst)?|[+-]\d\d:?\d\d)) (\d{4})$/i;
const MONTHS = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec'];
const MONTH = new RegExp(`\\b(?:${MONTHS.join('|')})`, 'gi');
/** A four-digit year that Date.parse would read as a two-digit one. */
const YEAR_BELOW_1000 = /\b0\d{3},? \d\d?:\d\d/;

/**
 * A Date header as RFC 3339 in UTC; null for one that names no instant. Null also for less than two seconds ago and for the
 * future: a Date has no fractions, so the mail may answer one of ours from the same second, or the sender's clock may be
 * ahead; the time of arrival tells more.
 */
export function sentAt(date: string, now: Date): string | null {
  const time = timeOf(date);
  return time <= now.getTime() - JUST_NOW ? new Date(time).toISOString() : null;
}

/** Whether a Date header names an instant, be it past or future. */
export const namesInstant = (date: string): boolean => !Number.isNaN(timeOf(date));

/**
 * The instant of a Date header in milliseconds since 1970, also when it gives no zone or an unknown one (RFC 5322, 4.3).
 * NaN before 1900, the first year allowed (RFC 5322, 3.3), and for a day that the month it names does not have. A leap second
 * becomes the second before it.
 */
function timeOf(date: string): number {
  const bare = date.replace(/\([^()]*\)/g, ' ').trim();
  const tidy = bare
    .replace(/\s+/g, ' ')
    .replace(/ ?: ?/g, ':')
    .replace(/(:\d\d):60\b/, '$1:59')
    .replace(YEAR_AT_END, '$2 $1');
  const known = ZONE.test(tidy) ? tidy : tidy.replace(UNKNOWN_ZONE, '$1');
  const isDate = CLOCK.test(known) && !YEAR_BELOW_1000.test(known) && isInItsMonth(known);
  const time = isDate ? Date.parse(ZONE.test(known) ? known : `${known} UTC`) : NaN;
  return time >= FIRST ? time : NaN;
}

/** Date.parse takes the 31st of February for the third of March. */
function isInItsMonth(date: string): boolean {
  const month = new Date(`${date.replace(ZONE, '')} UTC`).getUTCMonth();
  // Several, where a day of the week reads like one: mar., 24 nov.
  const named = date.match(MONTH)?.map((name) => name.toLowerCase());
  return named === undefined || named.includes(MONTHS[month]!);
}
