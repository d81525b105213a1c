import type { StoredEvent } from '#kernel/context.js';
import { microsBetween } from '#kernel/instant.js';
import type { Transaction } from '#database/database.js';
import { groupBy } from '#event-store/group-by.js';
import { upsert } from '#event-store/rows.js';
import { type ConversationEvent, isLater } from '../conversations/conversations.contract.js';
import { readBusinessHours } from '../workspace/workspace.contract.js';
import { BusinessHours } from './business-hours.js';
import {
  type ConversationFacts,
  foldMessages,
  inOrder,
  type MessageFact,
  type Turn,
} from './conversation-facts.js';

export const CONVERSATION_TABLES = ['analytics_message', 'analytics_conversation', 'analytics_turn'];

const MESSAGE_KEY = ['conversation_id', 'sent_at', 'message_id'];
const MESSAGE_COLUMNS = [
  ...MESSAGE_KEY,
  'message_direction',
  'agent_id',
  'modality',
  'is_form_request',
  'is_auto_reply',
  'arrived_as_copy',
  'was_overwritten',
];

const CONVERSATION_COLUMNS = [
  'conversation_id',
  'start_at',
  'first_inbound_at',
  'modality',
  'is_form_request',
  'arrived_as_copy',
  'first_response_at',
  'contact_returned',
  'last_sent_at',
  'last_message_id',
  'last_is_response',
  'turn_message_id',
  'turn_at',
];

const TURN_COLUMNS = ['conversation_id', 'message_id', 'inbound_at', 'response_us', 'business_us'];

type StoredMessage = MessageFact & { is_response: boolean };

/** A conversation's facts as they come out of a batch. */
interface Outcome {
  conversationId: string;
  facts: ConversationFacts;
  /** The messages to write: the new ones, and those that have become responses or are none any more. */
  messages: StoredMessage[];
  turns: Turn[];
  /** Whether the turns replace those there were. */
  isWhole: boolean;
}

/**
 * Brings the facts of the conversations up to date with these events. Messages that come in order go on where the
 * facts are; one that comes late has its conversation folded anew, so that the order of arrival never shows.
 */
export async function applyMessages(
  tx: Transaction,
  organizationId: string,
  events: StoredEvent<ConversationEvent>[],
): Promise<void> {
  const recorded = groupBy(events.flatMap(messageOf), (message) => message.conversation_id);
  if (recorded.length === 0) return;
  const known = await readFacts(
    tx,
    organizationId,
    recorded.map(([id]) => id),
  );
  const late = recorded.filter(([id, messages]) => isLate(known.get(id), messages)).map(([id]) => id);
  const earlier =
    late.length > 0 ? await readMessages(tx, organizationId, late) : new Map<string, StoredMessage[]>();
  const outcomes = recorded.map(([id, messages]) =>
    fold(id, known.get(id) ?? null, earlier.get(id), messages),
  );
  await write(tx, organizationId, outcomes);
}

function messageOf({ organization_id, stream_id, data }: StoredEvent<ConversationEvent>): MessageFact[] {
  if (!('message' in data)) return [];
  const { message } = data;
  return [
    {
      organization_id,
      conversation_id: stream_id,
      message_id: message.message_id,
      sent_at: message.sent_at,
      message_direction: message.message_direction,
      agent_id: message.agent_id,
      modality: message.modality,
      is_form_request: message.is_form_request,
      is_auto_reply: message.is_auto_reply,
      arrived_as_copy: message.arrived_as_copy ?? false,
      was_overwritten: message.promoted_from?.was_overwritten ?? null,
    },
  ];
}

function isLate(known: ConversationFacts | undefined, messages: MessageFact[]): boolean {
  if (!known) return false;
  const last = { sent_at: known.last_sent_at, message_id: known.last_message_id };
  return messages.some((message) => !isLater(message, last));
}

function fold(
  conversationId: string,
  known: ConversationFacts | null,
  earlier: StoredMessage[] | undefined,
  recorded: MessageFact[],
): Outcome {
  const whole = inOrder<MessageFact | StoredMessage>([...(earlier ?? []), ...recorded]);
  const { facts, turns, responses } = foldMessages(earlier ? null : known, whole);
  const messages = whole.flatMap((message) => {
    const is_response = responses.has(message.message_id);
    const isStored = 'is_response' in message && message.is_response === is_response;
    return isStored ? [] : [{ ...message, is_response }];
  });
  return {
    conversationId,
    facts,
    turns,
    messages,
    isWhole: earlier !== undefined,
  };
}

async function readFacts(
  tx: Transaction,
  organizationId: string,
  ids: string[],
): Promise<Map<string, ConversationFacts>> {
  const rows = await tx.query<ConversationFacts & { conversation_id: string }>({
    name: 'analytics_conversations',
    text: `SELECT ${CONVERSATION_COLUMNS.join(', ')} FROM analytics_conversation
            WHERE organization_id = $1 AND conversation_id = ANY ($2)`,
    values: [organizationId, ids],
  });
  return new Map(rows.map(({ conversation_id, ...facts }) => [conversation_id, facts]));
}

async function readMessages(
  tx: Transaction,
  organizationId: string,
  ids: string[],
): Promise<Map<string, StoredMessage[]>> {
  const rows = await tx.query<StoredMessage>({
    name: 'analytics_messages',
    text: `SELECT organization_id, ${MESSAGE_COLUMNS.join(', ')}, is_response FROM analytics_message
            WHERE organization_id = $1 AND conversation_id = ANY ($2)`,
    values: [organizationId, ids],
  });
  return new Map(groupBy(rows, (message) => message.conversation_id));
}

async function write(tx: Transaction, organizationId: string, outcomes: Outcome[]): Promise<void> {
  const conversations = outcomes.map(({ conversationId, facts }) => ({
    organization_id: organizationId,
    conversation_id: conversationId,
    ...facts,
  }));
  const messages = outcomes.flatMap((outcome) => outcome.messages);
  const refolded = outcomes.filter(({ isWhole }) => isWhole).map(({ conversationId }) => conversationId);
  await tx.query(upsert('analytics_conversation', ['conversation_id'], CONVERSATION_COLUMNS, conversations));
  await tx.query(upsert('analytics_message', MESSAGE_KEY, [...MESSAGE_COLUMNS, 'is_response'], messages));
  if (refolded.length > 0)
    await tx.query({
      name: 'analytics_forget_turns',
      text: `DELETE FROM analytics_turn WHERE organization_id = $1 AND conversation_id = ANY ($2)`,
      values: [organizationId, refolded],
    });
  await writeTurns(tx, organizationId, outcomes);
}

async function writeTurns(tx: Transaction, organizationId: string, outcomes: Outcome[]): Promise<void> {
  if (outcomes.every(({ turns }) => turns.length === 0)) return;
  const { timezone, business_hours } = await readBusinessHours(tx, organizationId);
  const hours = new BusinessHours(timezone, business_hours);
  const rows = outcomes.flatMap(({ conversationId, turns }) =>
    turns.map(({ message_id, inbound_at, response_at }) => ({
      organization_id: organizationId,
      conversation_id: conversationId,
      message_id,
      inbound_at,
      response_us: String(microsBetween(inbound_at, response_at)),
      business_us: hours.isOpen(inbound_at) ? String(hours.microsBetween(inbound_at, response_at)) : null,
    })),
  );
  await tx.query(upsert('analytics_turn', ['conversation_id', 'message_id'], TURN_COLUMNS, rows));
}
