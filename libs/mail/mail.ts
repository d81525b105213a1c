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
  /** The author, of a mail that a mailing list sends in its own name and says so. */
  originalFrom: Mailbox | null;
  /** The addresses in Reply-To without repeats, in their order. */
  replyTo: Mailbox[];
  /** Addresses without repeats, in their original case; the members of a group replace the group. */
  to: string[];
  cc: string[];
  bcc: string[];
  /** `to` and `cc` with their names. */
  addressed: { to: Mailbox[]; cc: Mailbox[] };
  /** Recipients from headers that mail servers add on the way here; lower-cased. */
  deliveredTo: string[];
  subject: string | null;
  /** The text parts, or the HTML turned into text; '' when the mail has neither. */
  text: string;
  /** The sanitised HTML; null when no part of the mail is HTML. */
  html: string | null;
  /** From the Date header, RFC 3339 in UTC; null when the time of arrival is the better answer. */
  sentAt: string | null;
  /** Whether its Date header names an instant. */
  isDated: boolean;
  isAutoReply: boolean;
  /** All Authentication-Results headers (RFC 8601), the topmost first. Anyone may have written them. */
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
  /** The address after forwarding, if that is another one; lower-cased. */
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
