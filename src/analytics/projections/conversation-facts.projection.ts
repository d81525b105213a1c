import type { StoredEvent } from '#kernel/context.js';
import { deleteById, foundByIds } from '#database/by-ids.js';
import type { Reader, Transaction } from '#database/statements/statement.js';
import { survivorOf } from '#event-store/merged-rows.js';
import { groupBy } from '#event-store/group-by.js';
import { upsert } from '#event-store/rows.js';
import { type ConversationEvent } from '../../conversations/conversations.contract.js';
import { readBusinessHours } from '../../workspace/workspace.contract.js';
import { BusinessHours } from '../facts/business-hours.js';
import type { ConversationFacts, TurnFact } from '../facts/conversation-facts.js';
import {
  beginsOtherwise,
  conversationRow,
  count,
  foldConversation,
  isLate,
  messageOf,
  type Outcome,
  type StoredMessage,
  turnRows,
} from './conversation-outcomes.js';
import { recountingLeads } from './funnel.projection.js';
import { ConversationCounts } from '../rollups/period-counts.js';
import { addToPeriods } from './period-counts.projection.js';

export const CONVERSATION_TABLES = ['analytics_message', 'analytics_conversation', 'analytics_turn'];

const MESSAGE_KEY = ['conversation_id', 'sent_at', 'message_id'];
export const MESSAGE_COLUMNS = [
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

export const CONVERSATION_COLUMNS = [
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

export const TURN_COLUMNS = [
  'conversation_id',
  'message_id',
  'inbound_at',
  'response_us',
  'response_bucket',
  'business_us',
  'business_bucket',
];

/**
 * Updates the facts of conversations by these events. Messages in order continue from the stored facts. A late one has its
 * whole conversation folded again, so the order of arrival makes no difference.
 */
export async function applyMessages(
  tx: Transaction,
  organizationId: string,
  events: StoredEvent<ConversationEvent>[],
): Promise<void> {
  const into = mergersOf(events);
  await recountingLeads(tx, organizationId, [...into.keys()], () => moveMessages(tx, organizationId, into));
  const recorded = groupBy(placedMessages(events, into), (message) => message.conversation_id);
  // Conversations that got messages by a merger, beside those recorded now.
  const grown = new Set([...into.keys()].map((id) => survivorOf(id, into)));
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
  const outcomes = recorded.map(([id, messages]) =>
    foldConversation(id, known.get(id), earlier.get(id), messages),
  );
  const moved = outcomes.filter(beginsOtherwise).map(({ conversationId }) => conversationId);
  await recountingLeads(tx, organizationId, moved, () => write(tx, organizationId, outcomes));
}

/** The merged conversations, each with the one it went into. */
export const mergersOf = (events: StoredEvent<ConversationEvent>[]): Map<string, string> =>
  new Map(
    events.flatMap(({ stream_id, data }) =>
      'into_conversation_id' in data ? [[stream_id, data.into_conversation_id]] : [],
    ),
  );

/** Moves the messages of merged conversations and deletes their other facts. */
async function moveMessages(
  tx: Transaction,
  organizationId: string,
  into: ReadonlyMap<string, string>,
): Promise<void> {
  const ids = [...into.keys()];
  if (ids.length === 0) return;
  const counts = new ConversationCounts();
  for (const id of ids) {
    await tx.query({
      text: 'UPDATE analytics_message SET conversation_id = $3 WHERE organization_id = $1 AND conversation_id = $2',
      values: [organizationId, id, survivorOf(id, into)],
    });
    const gone = await tx.query<ConversationFacts>({
      text: `${deleteById('analytics_conversation', 'conversation_id')} RETURNING ${CONVERSATION_COLUMNS.join(', ')}`,
      values: [organizationId, id],
    });
    for (const facts of gone) counts.conversation(facts, -1);
  }
  for (const turn of await removeTurns(tx, organizationId, ids)) counts.turn(turn, -1);
  for (const sums of counts.tables) await addToPeriods(tx, organizationId, sums);
}

async function readFacts(
  tx: Transaction,
  organizationId: string,
  ids: string[],
): Promise<Map<string, ConversationFacts>> {
  const rows = await tx.query<ConversationFacts & { conversation_id: string }>({
    text: `SELECT found.* FROM ${foundByIds('analytics_conversation', 'conversation_id', CONVERSATION_COLUMNS.join(', '))}`,
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
    text: `SELECT found.* FROM ${foundByIds('analytics_message', 'conversation_id', ['organization_id', ...MESSAGE_COLUMNS].join(', '))}`,
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
  const rows = [
    upsert(
      'analytics_conversation',
      ['conversation_id'],
      CONVERSATION_COLUMNS,
      organizationId,
      conversations,
    ),
    upsert('analytics_message', MESSAGE_KEY, MESSAGE_COLUMNS, organizationId, messages),
  ];
  if (turns.length > 0)
    rows.push(
      upsert('analytics_turn', ['conversation_id', 'message_id'], TURN_COLUMNS, organizationId, turns),
    );
  await Promise.all([
    ...rows.map((one) => tx.query(one)),
    ...counts.tables.map((sums) => addToPeriods(tx, organizationId, sums)),
  ]);
}

async function removeTurns(tx: Transaction, organizationId: string, ids: string[]): Promise<TurnFact[]> {
  const text = `${deleteById('analytics_turn', 'conversation_id')} RETURNING inbound_at, response_us, business_us`;
  const gone = await Promise.all(ids.map((id) => tx.query<TurnFact>({ text, values: [organizationId, id] })));
  return gone.flat();
}

async function turnRowsOf(tx: Reader, organizationId: string, outcomes: Outcome[]): Promise<TurnFact[]> {
  if (outcomes.every(({ turns }) => turns.length === 0)) return [];
  const hours = await businessHoursOf(tx, organizationId);
  return outcomes.flatMap((outcome) => turnRows(organizationId, hours, outcome));
}

export async function businessHoursOf(reader: Reader, organizationId: string): Promise<BusinessHours> {
  const { timezone, business_hours } = await readBusinessHours(reader, organizationId);
  return new BusinessHours(timezone, business_hours);
}

/** The messages of these events, each in the conversation that holds it after the mergers. */
export const placedMessages = (events: StoredEvent<ConversationEvent>[], into: ReadonlyMap<string, string>) =>
  events
    .flatMap(messageOf)
    .map((message) => Object.assign(message, { conversation_id: survivorOf(message.conversation_id, into) }));
