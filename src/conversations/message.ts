import type { Instant } from '#kernel/instant.js';
import type { Named } from '#kernel/named.js';
import { cut } from '#kernel/text.js';

export type Direction = 'sent' | 'received';

/** Who wrote a message. `contact_id` is the contact who did; null of a sent message. */
export interface Author extends Named {
  contact_id: string | null;
}

export const NAMELESS: Author = { name: null, email: null, phone_number: null, contact_id: null };

/** A message that happened on some channel, as it is recorded. */
export interface RecordedMessage {
  message_id: string;
  agent_id: string | null;
  /** `email`, `call`, `text`, `live_chat` or any other lower-case channel word. */
  modality: string;
  message_direction: Direction;
  /** Messages recorded before 1.0.0-beta.2 have none of the fields from here to `raw`. */
  from?: Author;
  /** Further contacts who wrote it. */
  also_by?: string[];
  to?: Named[];
  cc?: { name: string | null; email: string }[];
  /** The mail as it came; its bytes lie in the file store under their hash. `size` in bytes. */
  raw?: { sha256: string; size: number };
  is_form_request: boolean;
  subject: string | null;
  content: string;
  /** The sanitised HTML; null where there was none. */
  body_html: string | null;
  call_transcript: string | null;
  form_request_body: Record<string, unknown> | null;
  sent_at: Instant;
  drafted_at: Instant | null;
  email_metadata: {
    email_message_id: string | null;
    in_reply_to: string[];
    references: string[];
    cc_emails: string[];
    bcc_emails: string[];
    /** Where the sender wants replies, separated by commas (RFC 5322, 3.6.2). */
    reply_to?: string;
    /** Whether `reply_to` is of another domain than the address of the sender. */
    reply_to_other_domain?: boolean;
    authentication?: { spf: string | null; dkim: string | null; dmarc: string | null };
  };
  /** `duration` in whole seconds. */
  call_metadata: { duration: number | null; recording_url?: string };
  /** Tells a repeat from a new message; unique per organization. */
  external_id: string | null;
  /** An automatic answer by a machine (RFC 3834): inbound, but not a response by the contact. */
  is_auto_reply: boolean;
  /** Received with the organization named only in cc or bcc. */
  arrived_as_copy?: boolean;
  /** The links of a sent e-mail, under the ids that replace them in its text. */
  tracked_links?: { link_id: string; url: string }[];
  /** The draft it was promoted from, and whether the draft was overwritten before it was queued. */
  promoted_from?: { draft_id: string; was_overwritten: boolean };
  /** What the writer added to the history that the mail quotes; null where `content` quotes none. */
  new_content?: string | null;
  /** Who wrote in a live chat, as the chat's provider names them. */
  visitor_id?: string | null;
  attachments?: Attachment[];
  /** Of a text that came by its provider; of earlier ones only where a reply could not go to the contact's number. */
  text_addresses?: TextAddresses;
}

/** Who sent a text, as the provider names them, and the address of ours that it came to. */
export interface TextAddresses {
  from: string;
  to: string;
}

/** A file that came with a message. Its bytes lie in the file store under their hash. */
export interface Attachment {
  attachment_id: string;
  file_name: string | null;
  content_type: string;
  /** In bytes. */
  size: number;
  sha256: string;
  /** Shown inside the mail's HTML, which names it by `content_id`. */
  is_inline: boolean;
  content_id: string | null;
  /** Of what a draft of ours carried: the upload that has the bytes. */
  file_id?: string;
}

/** A Message-ID in the form to compare: without angle brackets and white space around it; '' if nothing is left. */
export const messageIdKey = (id: string): string => id.trim().replace(/^<|>$/g, '').trim();

/** The `external_id` for a mail without one. It is the same however often and by whatever way the mail comes. */
export const mailExternalId = (messageId: string): string => `email:${messageIdKey(messageId)}`;

/**
 * How many of the mails that a mail answers are locked and remembered. A mail may name tens of thousands, and PostgreSQL
 * has fewer locks than that for everybody.
 */
export const FOLLOWED = 100;

/** Keys of the mails that a mail answers: the mail it replies to first, then its thread, newest first. */
export const answeredMails = (
  { in_reply_to, references }: RecordedMessage['email_metadata'],
  most = Infinity,
): string[] => [
  ...new Set([...in_reply_to.slice(0, most), ...references.slice(-most).toReversed()].map(messageIdKey)),
];

/** The name for a live-chat visitor who has not told one. */
export const visitorName = (visitorId: string): string => cut(`Visitor ${visitorId}`, 1_000);

/** Whether one message is later than the other: by `sent_at`, then by id, whenever they arrived. */
export const isLater = (one: Moment, other: Moment): boolean =>
  one.sent_at > other.sent_at || (one.sent_at === other.sent_at && one.message_id > other.message_id);

/** What orders messages. */
export type Moment = Pick<RecordedMessage, 'sent_at' | 'message_id'>;
