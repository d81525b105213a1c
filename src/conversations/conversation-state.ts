import type { Instant } from '#kernel/instant.js';
import { type Tagged, taggedWith, unitedTags, UNTAGGED } from '#kernel/tags.js';
import { isLater, type Moment, type RecordedMessage } from './message.js';
import { isWritten, OPEN, type Status, statusOfBoth } from './status.js';
import { authorsOf, EMPTY, type Summary, withLast } from './summary.js';

/** A conversation. Each field has the value it would have if the messages had arrived in the order they were sent. */
export interface Conversation extends Summary, Status, Tagged {
  conversation_id: string;
  contact_id: string;
  folder: string | null;
  /** The message that gave the folder, or the latest message when a person gave it; null where nobody has. */
  foldered_by: Moment | null;
  is_read: boolean;
  /** The owner, an agent. */
  agent_id: string | null;
  /** Where the owner comes from. Only `sender` and null give way to an earlier sender. */
  owner_source: 'assigned' | 'company' | 'sender' | null;
  /** The first message bearing an agent. */
  first_sender: Moment | null;
  start_at: Instant;
  last_activity_at: Instant;
  last_message_id: string;
  last_modality: string;
  /** The latest inbound message, and the channel it came by. */
  last_inbound: (Moment & { modality: string }) | null;
  /**
   * When the message was recorded that a person wrote to us and that came last, in whichever order they were sent; null where none has
   * come since this is kept.
   */
  heard_at: Instant | null;
  /**
   * Whether one of its messages begins something. A conversation without such a message stands alone only because what its
   * messages follow was not there yet; when that comes, they are merged.
   */
  has_beginning: boolean;
  /** How many comments there are on it. */
  comment_count: number;
}

/** What a conversation begins with. */
interface Opening extends Pick<Conversation, 'conversation_id' | 'contact_id' | 'folder' | 'agent_id'> {
  message: RecordedMessage;
  begins?: true;
}

/** The conversation without the effects of its first message. */
export const opened = ({
  conversation_id,
  contact_id,
  folder,
  agent_id,
  message,
  begins,
}: Opening): Conversation => ({
  conversation_id,
  contact_id,
  folder,
  foldered_by: folder === null ? null : momentOf(message),
  is_read: false,
  agent_id,
  owner_source: agent_id === null ? null : 'company',
  first_sender: null,
  start_at: message.sent_at,
  last_activity_at: message.sent_at,
  last_message_id: '',
  last_modality: message.modality,
  last_inbound: null,
  heard_at: null,
  has_beginning: begins === true,
  ...OPEN,
  ...UNTAGGED,
  comment_count: 0,
  ...EMPTY,
});

/** The state after one more message, sent at whatever time. `contact_id` is whom it was exchanged with, if not the contact. */
export function withMessage(
  state: Conversation,
  message: RecordedMessage,
  contact_id = state.contact_id,
): Conversation {
  const authors = authorsOf({ message, contact_id }, state.contact_id);
  return withOwner(withLatest(withInbound(state, message), message, authors), message);
}

/**
 * The state after a message that may bring a folder. The present folder stays if it came with a later message, or if a
 * person gave it when a later message was there.
 */
export function withFolder(state: Conversation, message: RecordedMessage, folder?: string): Conversation {
  if (folder === undefined || (state.foldered_by && !isLater(message, state.foldered_by))) return state;
  return { ...state, folder, foldered_by: momentOf(message) };
}

function withLatest(state: Conversation, message: RecordedMessage, authors: string[]): Conversation {
  const start_at = message.sent_at < state.start_at ? message.sent_at : state.start_at;
  if (!isLater(message, lastMessage(state)))
    return { ...state, start_at, message_count: state.message_count + 1 };
  return {
    ...state,
    ...withLast(state, message, authors),
    start_at,
    last_activity_at: message.sent_at,
    last_message_id: message.message_id,
    last_modality: message.modality,
    is_read: message.message_direction === 'sent',
    ...(isWritten(message) && OPEN),
  };
}

function withInbound(state: Conversation, message: RecordedMessage): Conversation {
  if (message.message_direction !== 'received') return state;
  if (state.last_inbound && !isLater(message, state.last_inbound)) return state;
  return { ...state, last_inbound: { modality: message.modality, ...momentOf(message) } };
}

function withOwner(state: Conversation, message: RecordedMessage): Conversation {
  const { agent_id } = message;
  if (message.message_direction !== 'sent' || agent_id === null) return state;
  if (state.first_sender && !isLater(state.first_sender, message)) return state;
  const first_sender = momentOf(message);
  const owned = state.owner_source === 'assigned' || state.owner_source === 'company';
  return owned ? { ...state, first_sender } : { ...state, first_sender, agent_id, owner_source: 'sender' };
}

/**
 * Merges two states: what all the messages together would have made, and what people have decided about either. By hand `one` keeps the
 * folder and the owner it has.
 */
export function together(one: Conversation, other: Conversation, by_hand = false): Conversation {
  const last = lastOf(one, other);
  const { last_activity_at, last_message_id, last_modality, is_read } = last;
  const { agent_id, owner_source } = (by_hand && keptOwner(one, other)) || ownerOf(one, other);
  const { folder, foldered_by } = by_hand ? keptFolder(one, other) : folderOf(one, other);
  return {
    ...one,
    folder,
    foldered_by,
    is_read,
    agent_id,
    owner_source,
    first_sender: earlier(one.first_sender, other.first_sender),
    start_at: one.start_at < other.start_at ? one.start_at : other.start_at,
    last_activity_at,
    last_message_id,
    last_modality,
    last_inbound: later(one.last_inbound, other.last_inbound),
    heard_at: (one.heard_at ?? '') < (other.heard_at ?? '') ? other.heard_at : one.heard_at,
    ...statusOfBoth(one, other),
    has_beginning: one.has_beginning || other.has_beginning,
    ...taggedWith(unitedTags(one.tags, other.tags)),
    comment_count: one.comment_count + other.comment_count,
  };
}

/** The state after a message that a person wrote to us was recorded at this instant; the same for any other message. */
export const heard = (state: Conversation, recorded_at: Instant | undefined): Conversation =>
  recorded_at === undefined ? state : { ...state, heard_at: recorded_at };

const momentOf = ({ sent_at, message_id }: RecordedMessage): Moment => ({ sent_at, message_id });

/** When the latest message was sent, and its id. */
export const lastMessage = ({
  last_activity_at: sent_at,
  last_message_id: message_id,
}: Conversation): Moment => ({
  sent_at,
  message_id,
});

const lastOf = (one: Conversation, other: Conversation): Conversation =>
  isLater(lastMessage(one), lastMessage(other)) ? one : other;

/** The one whose folder was given last. */
function folderOf(one: Conversation, other: Conversation): Conversation {
  if (!one.foldered_by) return other;
  return other.foldered_by && isLater(other.foldered_by, one.foldered_by) ? other : one;
}

/** The first that has a folder. A message moves it if it is later than the folders of both, which somebody has seen. */
const keptFolder = (
  one: Conversation,
  other: Conversation,
): Pick<Conversation, 'folder' | 'foldered_by'> => ({
  folder: one.folder ?? other.folder,
  foldered_by: later(one.foldered_by, other.foldered_by),
});

/** The first that has an owner. */
const keptOwner = (...both: Conversation[]): Conversation | undefined =>
  both.find(({ agent_id }) => agent_id !== null);

/** The one of the two whose owner counts: named by somebody, else the company's agent, else the first sender. */
function ownerOf(one: Conversation, other: Conversation): Conversation {
  for (const source of ['assigned', 'company'] as const) {
    const found = [one, other].find(({ owner_source }) => owner_source === source);
    if (found) return found;
  }
  if (!one.first_sender) return other;
  return other.first_sender && isLater(one.first_sender, other.first_sender) ? other : one;
}

const later = <Item extends Moment>(one: Item | null, other: Item | null): Item | null =>
  one && other ? (isLater(one, other) ? one : other) : (one ?? other);

const earlier = <Item extends Moment>(one: Item | null, other: Item | null): Item | null =>
  one && other ? (isLater(one, other) ? other : one) : (one ?? other);
