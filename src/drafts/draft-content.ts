import { eachOnce } from '#kernel/address.js';
import type { Instant } from '#kernel/instant.js';
import { sameValue } from '#kernel/same.js';

/** A link of a draft and the id that replaces it in the mail; `url` as it was written. */
export interface TrackedLink {
  link_id: string;
  url: string;
}

/** Whom a draft goes to. */
export interface Recipient {
  recipient_name: string | null;
  recipient_email: string | null;
  recipient_phone_number: string | null;
  /** All whom a reply by e-mail goes to, `recipient_email` first. First messages and older events have no such field. */
  recipient_emails?: string[] | null;
  /** Exactly where a reply by text goes and what it leaves from (null: the channel's number); only where the number does not tell. */
  text_addresses?: { to: string; from: string | null } | null;
}

/** Whom a mail goes to, beside copies. */
export const recipientsOf = ({
  recipient_email,
  recipient_emails,
}: Pick<Recipient, 'recipient_email' | 'recipient_emails'>): string[] =>
  recipient_emails ?? (recipient_email === null ? [] : [recipient_email]);

/** A file that a draft carries. */
export interface DraftFile {
  file_id: string;
  file_name: string;
  content_type: string;
  /** Bytes. */
  size: number;
  sha256: string;
  created_at: Instant;
}

/** What the writer of a draft decides, and the recipient. */
export interface DraftContent extends Recipient {
  /** Of a message draft; a reply takes the subject of the mail it answers. */
  subject: string | null;
  body_html: string | null;
  cc_emails: string[];
  bcc_emails: string[];
  /** The agent who will be the sender; null in a reply that the conversation's owner sends. */
  agent_id: string | null;
  add_notification: boolean;
  /** Of a reply: it does not leave any more once the contact has written. First messages and older events have no such field. */
  cancel_on_reply?: boolean;
  /** Of a reply: it closes the conversation when it is sent. Missing where `cancel_on_reply` is. */
  close_after_send?: boolean;
  /** A mail that leaves without its agent's signature; missing in older events. */
  without_signature?: boolean;
  /** Missing in older events, which have no files. */
  files?: DraftFile[];
}

/** A draft's acceptance for sending. */
export interface Queueing {
  /** When it is to leave: when it was accepted, or the instant that was asked for. */
  scheduled_send_at: Instant;
  modality: string;
  /** Of a reply: the conversation's `heard_at` when it was accepted. First messages and older events have no such field. */
  heard_at?: Instant | null;
  /** The Message-ID of every try, so that receivers fold copies; null unless it is an e-mail. */
  email_message_id: string | null;
  agent_id: string | null;
  /** The links of an e-mail's body, each URL once. */
  links: TrackedLink[];
}

/** What a mail says, and to whom. */
const SAID = ['subject', 'body_html', 'recipient_name', 'cc_emails', 'bcc_emails'] as const;

/** Whether two mails say the same to the same. */
export const saysTheSame = (one: DraftContent, other: DraftContent): boolean =>
  SAID.every((field) => sameValue(one[field], other[field])) &&
  sameValue(one.files ?? [], other.files ?? []) &&
  (one.without_signature ?? false) === (other.without_signature ?? false) &&
  sameValue(recipientsOf(one), recipientsOf(other));

/** Every address that a mail goes to, once. */
export const addressesOf = (draft: DraftContent): string[] =>
  eachOnce([...recipientsOf(draft), ...draft.cc_emails, ...draft.bcc_emails]);

/** Who sees in the mail that it goes to them as a copy; whom it goes to anyway is not named twice. */
export function copiedTo(draft: DraftContent): string[] {
  const recipients = eachOnce(recipientsOf(draft));
  return eachOnce([...recipients, ...draft.cc_emails]).slice(recipients.length);
}
