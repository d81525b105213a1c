import type { StoredEvent } from '#kernel/context.js';
import { microsBetween } from '#kernel/instant.js';
import type { Transaction } from '#database/database.js';
import { groupBy } from '#event-store/group-by.js';
import { upsert } from '#event-store/rows.js';
import { type ConversationEvent, isLater, survivorOf } from '../conversations/conversations.contract.js';
import { readBusinessHours } from '../workspace/workspace.contract.js';
import { bucketOf } from './buckets.js';
import { BusinessHours } from './business-hours.js';
import {
  type ConversationFacts,
  foldMessages,
  inOrder,
  type MessageFact,
  type Turn,
} from './conversation-facts.js';

import { conversationDelta, messageDelta, type TimeDelta } from './period-counts.js';
import { addToPeriods, addToResponseTimes } from './period-counts.projection.js';

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

const TURN_COLUMNS = [
  'conversation_id',
  'message_id',
  'inbound_at',
  'response_us',
  'response_bucket',
  'business_us',
  'business_bucket',
];

interface TurnRow {
  inbound_at: string;
  /** Microseconds, as text. */
  response_us: string;
  business_us: string | null;
}

type StoredMessage = MessageFact & { is_response: boolean };

/** A conversation's facts as they come out of a batch. */
interface Outcome {
  conversationId: string;
  before: ConversationFacts | undefined;
  facts: ConversationFacts;
  recorded: MessageFact[];
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
  const into = mergersOf(events);
  const home = (id: string) => survivorOf(id, into);
  const messages = events
    .flatMap(messageOf)
    .map((one) => ({ ...one, conversation_id: home(one.conversation_id) }));
  await moveMessages(tx, organizationId, into);
  const recorded = groupBy(messages, (message) => message.conversation_id);
  // Messages have come to these beside those that are recorded now.
  const grown = new Set([...into.keys()].map(home));
  for (const id of grown) if (!recorded.some(([other]) => other === id)) recorded.push([id, []]);
  if (recorded.length === 0) return;
  const known = await readFacts(
    tx,
    organizationId,
    recorded.map(([id]) => id),
  );
  const late = recorded
    .filter(([id, messages]) => grown.has(id) || isLate(known.get(id), messages))
    .map(([id]) => id);
  const earlier =
    late.length > 0 ? await readMessages(tx, organizationId, late) : new Map<string, StoredMessage[]>();
  const outcomes = recorded.map(([id, messages]) => fold(id, known.get(id), earlier.get(id), messages));
  await write(tx, organizationId, outcomes);
}

/** Which conversations have gone, and into which ones. */
const mergersOf = (events: StoredEvent<ConversationEvent>[]): Map<string, string> =>
  new Map(
    events.flatMap(({ stream_id, data }) =>
      'into_conversation_id' in data ? [[stream_id, data.into_conversation_id]] : [],
    ),
  );

/** Moves the messages of conversations that are merged, whose other facts go. */
async function moveMessages(
  tx: Transaction,
  organizationId: string,
  into: ReadonlyMap<string, string>,
): Promise<void> {
  const ids = [...into.keys()];
  if (ids.length === 0) return;
  await tx.query({
    name: 'analytics_move_messages',
    text: `UPDATE analytics_message m SET conversation_id = g.into_id
             FROM unnest($2::text[], $3::text[]) AS g(from_id, into_id)
            WHERE m.organization_id = $1 AND m.conversation_id = g.from_id`,
    values: [organizationId, ids, ids.map((id) => survivorOf(id, into))],
  });
  const gone = await tx.query<ConversationFacts>({
    name: 'analytics_remove_conversations',
    text: `DELETE FROM analytics_conversation WHERE organization_id = $1 AND conversation_id = ANY ($2)
           RETURNING ${CONVERSATION_COLUMNS.join(', ')}`,
    values: [organizationId, ids],
  });
  await addToPeriods(
    tx,
    organizationId,
    gone.flatMap((facts) => conversationDelta(facts, -1)),
  );
  const turns = await removeTurns(tx, organizationId, ids);
  await addToResponseTimes(tx, organizationId, turns.flatMap(timeDeltas(-1)));
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
  before: ConversationFacts | undefined,
  earlier: StoredMessage[] | undefined,
  recorded: MessageFact[],
): Outcome {
  const whole = inOrder<MessageFact | StoredMessage>([...(earlier ?? []), ...recorded]);
  const { facts, turns, responses } = foldMessages(earlier ? null : (before ?? null), whole);
  const messages = whole.flatMap((message) => {
    const is_response = responses.has(message.message_id);
    const isStored = 'is_response' in message && message.is_response === is_response;
    return isStored ? [] : [{ ...message, is_response }];
  });
  return {
    conversationId,
    before,
    facts,
    turns,
    recorded,
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
  if (messages.length > 0)
    await tx.query(upsert('analytics_message', MESSAGE_KEY, [...MESSAGE_COLUMNS, 'is_response'], messages));
  await addToPeriods(tx, organizationId, [
    ...outcomes.flatMap(({ recorded }) => recorded.map(messageDelta)),
    ...outcomes.flatMap(({ before }) => conversationDelta(before, -1)),
    ...outcomes.flatMap(({ facts }) => conversationDelta(facts, 1)),
  ]);
  const gone = refolded.length > 0 ? await removeTurns(tx, organizationId, refolded) : [];
  const come = await writeTurns(tx, organizationId, outcomes);
  await addToResponseTimes(tx, organizationId, [
    ...gone.flatMap(timeDeltas(-1)),
    ...come.flatMap(timeDeltas(1)),
  ]);
}

const timeDeltas =
  (turns: 1 | -1) =>
  ({ inbound_at: at, response_us, business_us }: TurnRow): TimeDelta[] => [
    { at, kind: 'all', micros: BigInt(response_us), turns },
    ...(business_us === null ? [] : [{ at, kind: 'business' as const, micros: BigInt(business_us), turns }]),
  ];

const removeTurns = (tx: Transaction, organizationId: string, ids: string[]): Promise<TurnRow[]> =>
  tx.query<TurnRow>({
    name: 'analytics_remove_turns',
    text: `DELETE FROM analytics_turn WHERE organization_id = $1 AND conversation_id = ANY ($2)
           RETURNING inbound_at, response_us, business_us`,
    values: [organizationId, ids],
  });

async function writeTurns(tx: Transaction, organizationId: string, outcomes: Outcome[]): Promise<TurnRow[]> {
  if (outcomes.every(({ turns }) => turns.length === 0)) return [];
  const { timezone, business_hours } = await readBusinessHours(tx, organizationId);
  const hours = new BusinessHours(timezone, business_hours);
  const rows = outcomes.flatMap(({ conversationId, turns }) =>
    turns.map(({ message_id, inbound_at, response_at }) => {
      const response = microsBetween(inbound_at, response_at);
      const business = hours.isOpen(inbound_at) ? hours.microsBetween(inbound_at, response_at) : null;
      return {
        organization_id: organizationId,
        conversation_id: conversationId,
        message_id,
        inbound_at,
        response_us: String(response),
        response_bucket: bucketOf(response),
        business_us: business === null ? null : String(business),
        business_bucket: business === null ? null : bucketOf(business),
      };
    }),
  );
  await tx.query(upsert('analytics_turn', ['conversation_id', 'message_id'], TURN_COLUMNS, rows));
  return rows;
}
