import { type Instant, plusSeconds } from '#kernel/instant.js';
import type { Append } from '#event-store/append.js';
import type { Versioned } from '#event-store/change.js';
import type { Conversation } from '../conversation-state.js';
import { answeredMails, messageIdKey, type RecordedMessage } from '../message.js';
import type { MessageToRecord } from './message-to-record.js';

/** A message and what tells where it belongs. */
export interface Incoming {
  message: RecordedMessage;
  /** Null for wherever it belongs. */
  conversation_id: string | null;
  /** The conversation named by the address it was sent to: it belongs there unless it answers a mail that is recorded. */
  addressed_conversation_id: string | null;
  /** The contact it was exchanged with; null where the conversation is given. */
  contactId: string | null;
  /** It follows no other message, so no other message can show that it belongs elsewhere. */
  begins: boolean;
  opens_conversation: boolean;
}

/** A conversation that is there, as it is under its lock. */
export type Existing = Versioned<Conversation> & { state: Conversation };

/** The locked conversation where a message belongs, and those that the message shows to be parts of it. */
export interface Thread {
  /** Without a state where the message opens a conversation. */
  conversation: Versioned<Conversation>;
  merged: Existing[];
  /** What other contexts append because the message is recorded there. */
  follows: Append[];
}

/** How a mail is tied to a conversation; the nearest tie has the lowest number. */
export const TIE = {
  /** The mail answers one in the conversation. */
  ANSWERS: 0,
  /** A mail in the conversation answers it. */
  ANSWERED: 1,
  /** In the conversation the same contact has answered the same mail, which is not recorded. */
  ANSWERS_THE_SAME: 2,
  /** A mail in the conversation answers it, but its caller had put it into that conversation. */
  ANSWERED_BY_PLACED: 3,
} as const;

/** A conversation that a mail is tied to. */
export interface Tied {
  conversation_id: string;
  /** One of `TIE`. */
  tie: number;
  has_beginning: boolean;
}

/** What to look for to find the conversations that a mail is tied to. */
export interface TiesQuery {
  /** Of the mail itself. */
  messageKey: string | null;
  /** All mails it answers. */
  answered: string[];
  contactId: string;
}

/** The message to record and what tells where it belongs. */
export function incoming(
  input: MessageToRecord & { sent_at: Instant },
  message_id: string,
  contactId: string | null,
): Incoming {
  const {
    party: _,
    conversation_id,
    folder: __,
    opens_conversation = false,
    closes: ________,
    to_emails: ___,
    dated: ____,
    from: _____,
    co_authors: ______,
    written_by: _______,
    addressed_conversation_id = null,
    ...rest
  } = input;
  const message: RecordedMessage = { message_id, ...rest };
  const begins =
    conversation_id === null &&
    (opens_conversation || (addressed_conversation_id === null && isFirstMail(message)));
  return { message, conversation_id, addressed_conversation_id, contactId, begins, opens_conversation };
}

const isFirstMail = ({ modality, email_metadata }: RecordedMessage): boolean =>
  modality === 'email' && answeredMails(email_metadata).length === 0;

/** What to look for; null for a message that nothing can be tied to. */
export function tiesToFind(incoming: Incoming): TiesQuery | null {
  const { email_metadata } = incoming.message;
  const { email_message_id } = email_metadata;
  const messageKey = email_message_id === null ? null : messageIdKey(email_message_id);
  const answered = isPut(incoming) ? [] : answeredMails(email_metadata);
  if (messageKey === null && answered.length === 0) return null;
  return { messageKey, answered, contactId: incoming.contactId ?? '' };
}

/** The conversations, nearest first, that the ties found lead to, beside the one that a caller has put the message into. */
export function tiedTo(incoming: Incoming, found: Tied[]): string[] {
  const { addressed_conversation_id: addressed } = incoming;
  const isNamed = isPut(incoming) || (addressed !== null && found[0]?.tie !== TIE.ANSWERS);
  const tied = found
    .filter(
      ({ tie, has_beginning }, index) =>
        (tie !== TIE.ANSWERED_BY_PLACED || (index === 0 && !isNamed)) && !(isPut(incoming) && has_beginning),
    )
    .map((one) => one.conversation_id);
  return isNamed && addressed !== null ? [addressed, ...tied.filter((id) => id !== addressed)] : tied;
}

/** What else to read for the conversations where a message belongs. */
export type FurtherRead =
  | 'nothing'
  | 'what goes on from the given one'
  | 'what other automatic mails opened'
  | 'what goes on from a first contact'
  | 'what is around it by its channel';

/**
 * What else tells where a message recorded `at` this instant belongs, beside the conversations that mails tie it to
 * (decisions, section 6): for other channels than e-mail, those of its contact by that channel less than 30 days from it.
 */
export function furtherRead(incoming: Incoming, tied: string[], at: Instant): FurtherRead {
  const { conversation_id, contactId, opens_conversation, message } = incoming;
  const isMail = message.modality === 'email';
  // A late message may show that what came after it goes on from where it was put.
  if (conversation_id !== null)
    return !isMail && message.sent_at < at ? 'what goes on from the given one' : 'nothing';
  if (tied.length > 0) return 'nothing';
  // Machines may answer without naming the mail they answer: the automatic mails of a sender within an hour go together.
  if (isMail) {
    const isOfNow = message.sent_at > hourBefore(at);
    return message.is_auto_reply && contactId !== null && isOfNow
      ? 'what other automatic mails opened'
      : 'nothing';
  }
  // The contact may have answered before it was known that the message had left.
  return opens_conversation ? 'what goes on from a first contact' : 'what is around it by its channel';
}

export const hourBefore = (at: Instant): Instant => plusSeconds(at, -3_600);

/**
 * How many automatic replies of one hour a conversation takes: more are a loop of two machines. Those that answer nothing we
 * know of may also be what a program has to tell, such as orders: they are not so soon a loop.
 */
export const mostAutoReplies = (begins: boolean): number => (begins ? 500 : 50);

/** Its caller has said where it goes. Where a caller puts a mail says nothing about the mails that it answers. */
const isPut = ({ conversation_id, opens_conversation }: Incoming): boolean =>
  conversation_id !== null || opens_conversation;

/**
 * Of the conversations that a message ties together, nearest first, the one that stays and those that merge into it; the
 * others stay apart. At most one of them has a beginning, and at most one has a reply pending. A given conversation stays,
 * else the one with the pending reply, since a reply on its way must not lose its conversation, else the one opened first.
 */
export function joined(
  { conversation_id, begins }: Incoming,
  [first, ...others]: Existing[],
  pending: ReadonlySet<string>,
): { conversation: Existing; merged: Existing[] } {
  const hasReply = ({ state }: Existing) => pending.has(state.conversation_id);
  const whole = [first!];
  let hasBeginning = begins || first!.state.has_beginning;
  for (const other of others) {
    if (hasBeginning && other.state.has_beginning) continue;
    if (hasReply(other) && (conversation_id !== null || whole.some(hasReply))) continue;
    hasBeginning ||= other.state.has_beginning;
    whole.push(other);
  }
  const conversation = conversation_id !== null ? first! : (whole.find(hasReply) ?? oldest(whole));
  return { conversation, merged: whole.filter((one) => one !== conversation) };
}

const oldest = (found: Existing[]): Existing =>
  found.reduce((one, other) => (other.state.conversation_id < one.state.conversation_id ? other : one));
