import type { Instant } from '#kernel/instant.js';
import { beginningOf } from '#kernel/text.js';
import type { Direction, RecordedMessage } from './message.js';

/**
 * What a list of conversations shows of their messages. `withLatest` keeps it as messages come in their order; where one comes
 * late, or a conversation is merged into it, the projection finds it in the messages.
 */
export interface Summary {
  /** Of the first message that has one. */
  subject: string | null;
  preview: string;
  message_count: number;
  last_direction: Direction;
  last_agent_id: string | null;
  /** When the first inbound message was sent that nobody has answered. A machine waits for no answer. */
  waiting_since: Instant | null;
  /** Contacts who wrote in it, by their ids; not all of more than 20. */
  participants: string[];
}

export const EMPTY: Summary = {
  subject: null,
  preview: '',
  message_count: 0,
  last_direction: 'received',
  last_agent_id: null,
  waiting_since: null,
  participants: [],
};

const MOST_PARTICIPANTS = 20;

/** The summary with one more message, which comes after all others. */
export function withLast(summary: Summary, message: RecordedMessage, authors: string[]): Summary {
  const { message_direction, sent_at, is_auto_reply } = message;
  const waits = message_direction === 'received' && !is_auto_reply;
  const waiting = waits ? (summary.waiting_since ?? sent_at) : summary.waiting_since;
  return {
    subject: summary.subject ?? (message.subject || null),
    preview: previewOf(message),
    message_count: summary.message_count + 1,
    last_direction: message_direction,
    last_agent_id: message.agent_id,
    waiting_since: message_direction === 'sent' ? null : waiting,
    participants: participantsWith(summary.participants, authors),
  };
}

function participantsWith(participants: string[], authors: string[]): string[] {
  if (authors.every((one) => participants.includes(one))) return participants;
  return [...new Set([...participants, ...authors])].sort().slice(0, MOST_PARTICIPANTS);
}

/** The contacts who wrote the message, the first author first; none of a sent one. `contactId` is the conversation's. */
export function authorsOf(
  { message, contact_id }: { message: RecordedMessage; contact_id?: string },
  contactId: string | null,
): string[] {
  if (message.message_direction === 'sent') return [];
  const first = message.from?.contact_id ?? contact_id ?? contactId;
  return [...(first === null ? [] : [first]), ...(message.also_by ?? [])];
}

const MOST_CHARACTERS = 200;

/** The beginning of what a message says anew, by code points, white space folded. */
export function previewOf({
  new_content,
  content,
}: {
  new_content?: string | null;
  content: string;
}): string {
  return beginningOf(new_content ?? content, MOST_CHARACTERS);
}
