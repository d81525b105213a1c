import type { StoredEvent } from '#kernel/context.js';
import { microsBetween } from '#kernel/instant.js';
import type { Transaction } from '#database/database.js';
import { type OrganizationBulk, rowsFor } from '#event-store/bulk.js';
import { groupBy } from '#event-store/group-by.js';
import { upsert } from '#event-store/rows.js';
import { type ConversationEvent, isLater } from '../conversations/conversations.contract.js';
import { readBusinessHours } from '../workspace/workspace.contract.js';
import { bucketOf } from './buckets.js';
import { BusinessHours } from './business-hours.js';
import {
  type ConversationFacts,
  foldMessages,
  inOrder,
  type MessageFact,
  type Role,
  type Turn,
  type TurnFact,
} from './conversation-facts.js';

import { gapOf } from './gaps.js';
import { ConversationCounts } from './period-counts.js';
import { addToPeriods, periodRows } from './period-counts.projection.js';

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
  'is_response',
  'previous_at',
  'gap',
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
  'last_responses',
];

const TURN_COLUMNS = [
  'conversation_id',
  'message_id',
  'inbound_at',
  'response_us',
  'response_bucket',
  'business_us',
  'business_bucket',
];

/** A message as it is stored, with the class of the gap to the agent's response before. */
type StoredMessage = MessageFact & Role & { gap: number | null };

/** A message that has no role yet; with room for it, since copying every message with its role would be felt. */
type NewMessage = MessageFact & { is_response: null; previous_at: null; gap: null };

/** A conversation's facts as they come out of a batch. */
interface Outcome {
  conversationId: string;
  before: ConversationFacts | undefined;
  facts: ConversationFacts;
  recorded: MessageFact[];
  /** The messages to write: the new ones, and those whose role has changed, as they are now. */
  messages: StoredMessage[];
  /** The latter as they were. */
  replaced: StoredMessage[];
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
  const outcomes = recorded.map(([id, messages]) => fold(id, known.get(id), earlier.get(id), messages));
  await write(tx, organizationId, outcomes);
}

function messageOf({ organization_id, stream_id, data }: StoredEvent<ConversationEvent>): NewMessage[] {
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
      is_response: null,
      previous_at: null,
      gap: null,
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
  before: ConversationFacts | undefined,
  earlier: StoredMessage[] | undefined,
  recorded: NewMessage[],
): Outcome {
  const whole = inOrder<NewMessage | StoredMessage>([...(earlier ?? []), ...recorded]);
  const { facts, turns, roles } = foldMessages(earlier ? null : (before ?? null), whole);
  const messages: StoredMessage[] = [];
  const replaced: StoredMessage[] = [];
  whole.forEach((message, index) => {
    const { is_response, previous_at } = roles[index]!;
    if (message.is_response === is_response && message.previous_at === previous_at) return;
    const isKnown = message.is_response !== null;
    if (isKnown) replaced.push({ ...message });
    const gap = previous_at === null ? null : gapOf(previous_at, message.sent_at);
    messages.push(Object.assign(message, { is_response, previous_at, gap }));
  });
  return {
    conversationId,
    before,
    facts,
    turns,
    recorded,
    messages,
    replaced,
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
    text: `SELECT organization_id, ${MESSAGE_COLUMNS.join(', ')} FROM analytics_message
            WHERE organization_id = $1 AND conversation_id = ANY ($2)`,
    values: [organizationId, ids],
  });
  return new Map(groupBy(rows, (message) => message.conversation_id));
}

async function write(tx: Transaction, organizationId: string, outcomes: Outcome[]): Promise<void> {
  const counts = new ConversationCounts();
  count(counts, outcomes);
  const refolded = outcomes.filter(({ isWhole }) => isWhole).map(({ conversationId }) => conversationId);
  const gone = refolded.length > 0 ? await removeTurns(tx, organizationId, refolded) : [];
  for (const turn of gone) counts.turn(turn, -1);
  const turns = await turnRowsOf(tx, organizationId, outcomes);
  for (const turn of turns) counts.turn(turn, 1);
  const messages = outcomes.flatMap(({ messages }) => messages);
  const conversations = outcomes.map((outcome) => conversationRow(organizationId, outcome));
  await tx.query(upsert('analytics_conversation', ['conversation_id'], CONVERSATION_COLUMNS, conversations));
  await tx.query(upsert('analytics_message', MESSAGE_KEY, MESSAGE_COLUMNS, messages));
  if (turns.length > 0)
    await tx.query(upsert('analytics_turn', ['conversation_id', 'message_id'], TURN_COLUMNS, turns));
  for (const sums of counts.tables) await addToPeriods(tx, organizationId, sums);
}

/** What these outcomes change in the sums, but for turns. */
function count(counts: ConversationCounts, outcomes: Outcome[]): void {
  for (const { before, facts, recorded, messages, replaced } of outcomes) {
    for (const message of recorded) counts.message(message);
    for (const message of replaced) counts.agent(message, -1);
    for (const message of messages) counts.agent(message, 1);
    counts.conversation(before, -1);
    counts.conversation(facts, 1);
  }
}

const conversationRow = (organization_id: string, { conversationId, facts }: Outcome) => ({
  organization_id,
  conversation_id: conversationId,
  ...facts,
});

const removeTurns = (tx: Transaction, organizationId: string, ids: string[]): Promise<TurnFact[]> =>
  tx.query<TurnFact>({
    name: 'analytics_remove_turns',
    text: `DELETE FROM analytics_turn WHERE organization_id = $1 AND conversation_id = ANY ($2)
           RETURNING inbound_at, response_us, business_us`,
    values: [organizationId, ids],
  });

async function turnRowsOf(
  tx: Pick<Transaction, 'query'>,
  organizationId: string,
  outcomes: Outcome[],
): Promise<TurnFact[]> {
  if (outcomes.every(({ turns }) => turns.length === 0)) return [];
  const hours = await businessHoursOf(tx, organizationId);
  return outcomes.flatMap((outcome) => turnRows(organizationId, hours, outcome));
}

async function businessHoursOf(
  reader: Pick<Transaction, 'query'>,
  organizationId: string,
): Promise<BusinessHours> {
  const { timezone, business_hours } = await readBusinessHours(reader, organizationId);
  return new BusinessHours(timezone, business_hours);
}

const turnRows = (organization_id: string, hours: BusinessHours, { conversationId, turns }: Outcome) =>
  turns.map(({ message_id, inbound_at, response_at }) => {
    const response = microsBetween(inbound_at, response_at);
    const business = hours.isOpen(inbound_at) ? hours.microsBetween(inbound_at, response_at) : null;
    return {
      organization_id,
      conversation_id: conversationId,
      message_id,
      inbound_at,
      response_us: String(response),
      response_bucket: bucketOf(response),
      business_us: business === null ? null : String(business),
      business_bucket: business === null ? null : bucketOf(business),
    };
  });

/** Makes the facts of an organization's conversations from whole streams. */
export async function conversationsInBulk(
  reader: Pick<Transaction, 'query'>,
  organizationId: string,
): Promise<OrganizationBulk> {
  const hours = await businessHoursOf(reader, organizationId);
  const counts = new ConversationCounts();
  return {
    add(streams) {
      const outcomes = (streams as StoredEvent<ConversationEvent>[][]).flatMap((events) => {
        const recorded = events.flatMap(messageOf);
        return recorded.length > 0 ? [fold(events[0]!.stream_id, undefined, undefined, recorded)] : [];
      });
      const turns = outcomes.flatMap((outcome) => turnRows(organizationId, hours, outcome));
      count(counts, outcomes);
      for (const turn of turns) counts.turn(turn, 1);
      return [
        rowsFor(
          'analytics_message',
          MESSAGE_COLUMNS,
          outcomes.flatMap(({ messages }) => messages),
        ),
        rowsFor(
          'analytics_conversation',
          CONVERSATION_COLUMNS,
          outcomes.map((outcome) => conversationRow(organizationId, outcome)),
        ),
        rowsFor('analytics_turn', TURN_COLUMNS, turns),
      ];
    },
    end: () => counts.tables.map((sums) => periodRows(organizationId, sums)),
  };
}
