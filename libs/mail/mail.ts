/** One e-mail, read. No string in it holds U+0000 or an unpaired surrogate. */
export interface IncomingMail {
  /** Without angle brackets, like all message ids here. */
  messageId: string | null;
  inReplyTo: string[];
  /** In header order: the oldest message of the thread first. */
  references: string[];
  from: Mailbox | null;
  /** All whom its From header names, without repeats. */
  authors: Mailbox[];
  /** Who wrote it, where a list that sends it in its own name says so. */
  originalFrom: Mailbox | null;
  /** The addresses in Reply-To without repeats, in their order. */
  replyTo: Mailbox[];
  /** Addresses without repeats, in their original case; the members of a group replace the group. */
  to: string[];
  cc: string[];
  bcc: string[];
  /** `to` and `cc` with their names. */
  addressed: { to: Mailbox[]; cc: Mailbox[] };
  /** Lower-cased; recipients on the way here, from headers that servers add. */
  deliveredTo: string[];
  subject: string | null;
  /** The text parts, or the HTML turned into text; '' when the mail has neither. */
  text: string;
  /** What it looked like, without whatever could run; null when no part of it is HTML. */
  html: string | null;
  /** RFC 3339, UTC; null when the time of arrival tells as much as the Date header, or more. */
  sentAt: string | null;
  /** Whether its Date header names an instant. */
  isDated: boolean;
  isAutoReply: boolean;
  /** Authentication-Results (RFC 8601) of whatever servers, or whoever wrote them; the topmost first. */
  authenticationResults: string[];
  bounce: Bounce | null;
  complaint: Complaint | null;
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

/** A report that a recipient complains of a mail (RFC 5965). */
export interface Complaint {
  originalMessageId: string | null;
  /** Lower-cased; empty when the report does not say who. */
  recipients: string[];
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
