import type { StoredEvent } from '#kernel/context.js';
import { microsBetween } from '#kernel/instant.js';
import { type ConversationEvent, isLater } from '../../conversations/conversations.contract.js';
import { bucketOf } from '../facts/response-time-buckets.js';
import type { BusinessHours } from '../facts/business-hours.js';
import {
  type ConversationFacts,
  foldMessages,
  inOrder,
  type MessageFact,
  type Role,
  type Turn,
} from '../facts/conversation-facts.js';
import { gapOf } from '../facts/gap-classes.js';
import type { ConversationCounts } from '../rollups/period-counts.js';

/** A message as it is stored, with the class of the gap since the agent's previous response. */
export type StoredMessage = MessageFact & Role & { gap: number | null };

/** A message without a role yet. The empty fields are for the role, since copying every message would take noticeable time. */
type NewMessage = MessageFact & { is_response: null; previous_at: null; gap: null };

/** What a batch of events makes of a conversation's facts. */
export interface Outcome {
  conversationId: string;
  before: ConversationFacts | undefined;
  facts: ConversationFacts;
  recorded: MessageFact[];
  /** The messages to write: new ones, and known ones with a changed role. */
  messages: StoredMessage[];
  /** The known ones with a changed role, as they were before. */
  replaced: StoredMessage[];
  turns: Turn[];
  /** Whether `turns` replace all stored turns. */
  isWhole: boolean;
}

/** The message in an event, if any. */
export function messageOf({
  organization_id,
  stream_id,
  data,
}: StoredEvent<ConversationEvent>): NewMessage[] {
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

/** Whether some of the messages are older than the latest known one. */
export function isLate(known: ConversationFacts | undefined, messages: MessageFact[]): boolean {
  if (!known) return false;
  const last = { sent_at: known.last_sent_at, message_id: known.last_message_id };
  return messages.some((message) => !isLater(message, last));
}

/** Folds these messages into a conversation. `earlier`: all stored messages, given when some of the new ones are late. */
export function foldConversation(
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

/** Whether the conversation is new, or its beginning or its first inbound message is at another instant than before. */
export const beginsOtherwise = ({ before, facts }: Outcome): boolean =>
  before?.start_at !== facts.start_at || before.first_inbound_at !== facts.first_inbound_at;

/** Adds what these outcomes change, except turns, to the sums. */
export function count(counts: ConversationCounts, outcomes: Outcome[]): void {
  for (const { before, facts, recorded, messages, replaced } of outcomes) {
    for (const message of recorded) counts.message(message);
    for (const message of replaced) counts.agent(message, -1);
    for (const message of messages) counts.agent(message, 1);
    counts.conversation(before, -1);
    counts.conversation(facts, 1);
  }
}

export const conversationRow = (organization_id: string, { conversationId, facts }: Outcome) => ({
  organization_id,
  conversation_id: conversationId,
  ...facts,
});

export const turnRows = (organization_id: string, hours: BusinessHours, { conversationId, turns }: Outcome) =>
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
