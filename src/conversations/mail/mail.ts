/** One e-mail as the conversations need it. No string in it holds U+0000 or an unpaired surrogate. */
export interface IncomingMail {
  /** Without angle brackets, like all message ids here. */
  messageId: string | null;
  inReplyTo: string[];
  /** In header order: the oldest message of the thread first. */
  references: string[];
  from: Mailbox | null;
  /** Who wrote it, where a list that sends it in its own name says so. */
  originalFrom: Mailbox | null;
  /** The addresses in Reply-To without repeats, in their order. */
  replyTo: Mailbox[];
  /** Addresses without repeats, in their original case; the members of a group replace the group. */
  to: string[];
  cc: string[];
  bcc: string[];
  /** Lower-cased; recipients on the way here, from headers that servers add. */
  deliveredTo: string[];
  subject: string | null;
  /** The text parts, or the HTML turned into text; '' when the mail has neither. */
  text: string;
  /** RFC 3339, UTC; null when the time of arrival tells as much as the Date header, or more. */
  sentAt: string | null;
  /** Whether its Date header names an instant. */
  isDated: boolean;
  isAutoReply: boolean;
  /** Authentication-Results (RFC 8601) of whatever servers, or whoever wrote them; the topmost first. */
  authenticationResults: string[];
  bounce: Bounce | null;
  attachments: IncomingFile[];
}

/** The address as written, in whatever case. */
export interface Mailbox {
  name: string | null;
  address: string;
}

/** A file that came with a message, as its sender describes it. */
export interface IncomingFile {
  name: string | null;
  type: string;
  bytes: Uint8Array;
  /** Shown inside the HTML, which names it by `contentId`. */
  isInline: boolean;
  contentId: string | null;
}

/** A delivery status notification (RFC 3464). */
export interface Bounce {
  originalMessageId: string | null;
  recipients: BouncedRecipient[];
}

export interface BouncedRecipient {
  /** Lower-cased; the address the message was sent to, before any forwarding. */
  address: string;
  /** Lower-cased; where the message was when this happened, if that is another address. */
  final_address?: string;
  /** failed, delayed, delivered, relayed or expanded. */
  action: string;
  /** RFC 3463 code, such as 5.1.1. */
  status: string | null;
  diagnostic: string | null;
}

/** Drops U+0000, which PostgreSQL refuses, and replaces unpaired surrogates, which UTF-8 cannot hold. */
export function storable(text: string): string {
  return text.replaceAll('\0', '').toWellFormed();
}

/** The same value with every string in it made `storable`. */
export function allStorable<Value>(value: Value): Value {
  if (typeof value === 'string') return storable(value) as Value;
  if (Array.isArray(value)) return value.map(allStorable) as Value;
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, allStorable(one)])) as Value;
}

/** The first `most` characters; a surrogate pair cut in half is replaced. */
export const cut = (text: string, most: number): string =>
  text.length > most ? storable(text.slice(0, most)) : text;

/**
 * The message ids in a header value, without brackets, and without the white space and comments RFC 5322
 * allows.
 */
export function messageIds(value: string): string[] {
  const ids = value.match(/<[^<>]*>/g) ?? value.split(/[\s,]+/);
  return ids.map((id) => id.replace(/\([^()]*\)|[\s<>\0]/g, '')).filter((id) => id !== '');
}

/**
 * Whether this looks like a mailbox address and not like debris: one @, no white space but spaces in quotes, no list
 * punctuation, no longer than RFC 5321 allows.
 */
export function isAddress(value: string | undefined): value is string {
  return value !== undefined && value.length <= 320 && ADDRESS.test(value);
}

const ADDRESS = /^(?:[^\s@<>]+|"(?:[^\s\p{Cc}@<>"\\]| |\\[^\s\p{Cc}@<>])+")@[^\s@<>(),:;]+$/u;

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
