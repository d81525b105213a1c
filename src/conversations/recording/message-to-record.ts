import type { Named } from '#kernel/named.js';
import type { Instant } from '#kernel/instant.js';
import type { RecordedMessage } from '../message.js';

/** Whom a message was exchanged with: a known contact, or what the channel tells about the person. */
export type Party =
  | { contact_id: string }
  | {
      contact_id?: undefined;
      name: string;
      email: string;
      phone_number: string;
      visitor_id?: string;
      /** The address of someone who texts without a number, such as a name. */
      text_sender?: string;
    };

/** A message that happened, and what tells where it belongs. Fields as in the contract (decisions, section 6). */
export interface MessageToRecord extends Omit<
  RecordedMessage,
  'message_id' | 'sent_at' | 'from' | 'also_by'
> {
  /** How it names its author; as its party is named when left out. */
  from?: Named;
  /** Who wrote a received one, where that may be somebody else than its party. */
  written_by?: Party;
  /** Others who wrote it, too. */
  co_authors?: Named[];
  sent_at: Instant | null;
  /** Of a mail that came as one: whether its `Date` says when it was sent. The clock it is from may be wrong. */
  dated?: 'by its sender' | 'by nobody';
  party: Party | null;
  conversation_id: string | null;
  folder: string | undefined;
  /** The conversation named by the address it was sent to: it belongs there unless it answers a mail that is recorded. */
  addressed_conversation_id?: string | null;
  /** First contact: it opens a conversation, even where the contact has others. */
  opens_conversation?: boolean;
  /** A reply that closes its conversation, unless somebody has written to us since the conversation was at this `heard_at`. */
  closes?: { heard_at: Instant | null };
  /** The recipients that a mail names, where they are known. */
  to_emails?: string[];
}
