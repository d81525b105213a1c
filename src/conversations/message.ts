import type { Instant } from '#kernel/instant.js';
import { cut } from './mail/mail.js';

export type Direction = 'sent' | 'received';

/** A message that happened on some channel, as it is recorded. */
export interface RecordedMessage {
  message_id: string;
  agent_id: string | null;
  /** `email`, `call`, `text`, `live_chat` or any other lower-case channel word. */
  modality: string;
  message_direction: Direction;
  is_form_request: boolean;
  subject: string | null;
  content: string;
  /** The HTML that was sent, where the message came from a draft. */
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
    /** Where the sender wants replies, if elsewhere than at their own address (RFC 5322, 3.6.2). */
    reply_to?: string;
  };
  /** `duration` in whole seconds. */
  call_metadata: { duration: number | null; recording_url?: string };
  /** What makes a repeat recognisable, unique per organization. */
  external_id: string | null;
  /** Sent by a machine in answer (RFC 3834): inbound, but no contact's response. */
  is_auto_reply: boolean;
  /** Received, and the organization was named only as a copy's recipient (cc, bcc). */
  arrived_as_copy?: boolean;
  /** The links of an e-mail that was sent, under the ids that stand for them in it. */
  tracked_links?: { link_id: string; url: string }[];
  /** The draft it was promoted from, and whether that was overwritten before it was queued. */
  promoted_from?: { draft_id: string; was_overwritten: boolean };
  /** What the writer of a mail added to the history it quotes; null where `content` quotes none. */
  new_content?: string | null;
  /** Who wrote in a live chat, by the name that its provider has for them. */
  visitor_id?: string | null;
  attachments?: Attachment[];
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
}

/** A Message-ID as it is compared: without angle brackets and white space around it; '' where nothing else is there. */
export const messageIdKey = (id: string): string => id.trim().replace(/^<|>$/g, '').trim();

/** The `external_id` of a mail that comes with none of its own: by whatever way it comes again, it is the same. */
export const mailExternalId = (messageId: string): string => `email:${messageIdKey(messageId)}`;

/** How many of the mails a mail answers are locked and remembered. It may name tens of thousands, more locks than PostgreSQL has for everybody. */
export const FOLLOWED = 100;

/** The mails that a mail answers, by the keys they are compared by: the one it replies to first, then the thread, newest first. */
export const answeredMails = (
  { in_reply_to, references }: RecordedMessage['email_metadata'],
  most = Infinity,
): string[] => [
  ...new Set([...in_reply_to.slice(0, most), ...references.slice(-most).toReversed()].map(messageIdKey)),
];

/** What a visitor of a live chat is called who has told nothing about themselves. */
export const visitorName = (visitorId: string): string => cut(`Visitor ${visitorId}`, 1_000);

/** Whether one message comes after another: by `sent_at`, equal instants by id. Arrival does not matter. */
export const isLater = (one: Moment, other: Moment): boolean =>
  one.sent_at > other.sent_at || (one.sent_at === other.sent_at && one.message_id > other.message_id);

/** What orders messages. */
export type Moment = Pick<RecordedMessage, 'sent_at' | 'message_id'>;
