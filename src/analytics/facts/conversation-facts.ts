import type { Instant } from '#kernel/instant.js';
import { isLater, type Moment } from '../../conversations/conversations.contract.js';

/** What the figures need to know of a message. */
export interface MessageFact extends Moment {
  organization_id: string;
  conversation_id: string;
  message_direction: 'sent' | 'received';
  agent_id: string | null;
  modality: string;
  is_form_request: boolean;
  is_auto_reply: boolean;
  arrived_as_copy: boolean;
  /** Whether its draft was overwritten before it was queued; null for a message without a draft. */
  was_overwritten: boolean | null;
}

/** What the figures need to know of a conversation. The fold of later messages continues from it. */
export interface ConversationFacts {
  /** Its first message, whatever its direction. */
  start_at: string;
  /** The first inbound message, with its modality and kind. */
  first_inbound_at: string | null;
  modality: string | null;
  is_form_request: boolean;
  arrived_as_copy: boolean;
  first_response_at: string | null;
  /** Whether an inbound message, not by a machine, followed a response. */
  contact_returned: boolean;
  last_sent_at: string;
  last_message_id: string;
  last_is_response: boolean;
  /** The inbound message that began the turn still waiting for a response. */
  turn_message_id: string | null;
  turn_at: string | null;
  /** When each agent last responded. */
  last_responses: Record<string, Instant>;
}

/** An answered turn. */
export interface Turn {
  message_id: string;
  inbound_at: string;
  response_at: string;
}

/** An answered turn and its response times in microseconds, as text; `business_us` only if it began in business hours. */
export interface TurnFact {
  inbound_at: string;
  response_us: string;
  business_us: string | null;
}

/** The role of a message in its conversation. */
export interface Role {
  is_response: boolean;
  /** For an agent's response: when the same agent last responded in this conversation. */
  previous_at: Instant | null;
}

export interface Folded {
  facts: ConversationFacts;
  turns: Turn[];
  /** The roles of the messages, in their order. */
  roles: Role[];
}

/** Messages in the order in which they happened: by `sent_at`, equal instants by id. */
export const inOrder = <Item extends Moment>(messages: Item[]): Item[] =>
  [...messages].sort((one, other) => (isLater(one, other) ? 1 : -1));

/** The facts after these messages, which must be in order and later than all messages in `before`. */
export function foldMessages(before: ConversationFacts | null, messages: MessageFact[]): Folded {
  const facts = before
    ? { ...before, last_responses: { ...before.last_responses } }
    : beginning(messages[0]!);
  const turns: Turn[] = [];
  const roles = messages.map((message): Role => {
    const { message_id, sent_at } = message;
    const is_response = message.message_direction === 'sent' && facts.first_inbound_at !== null;
    const previous_at = is_response ? noteResponse(facts, turns, message) : null;
    if (message.message_direction === 'received') noteInbound(facts, message);
    facts.last_sent_at = sent_at;
    facts.last_message_id = message_id;
    facts.last_is_response = is_response;
    return { is_response, previous_at };
  });
  return { facts, turns, roles };
}

/** Notes a response; gives when its agent responded before. */
function noteResponse(
  facts: ConversationFacts,
  turns: Turn[],
  { sent_at, agent_id }: MessageFact,
): Instant | null {
  facts.first_response_at ??= sent_at;
  if (facts.turn_at !== null && facts.turn_message_id !== null)
    turns.push({ message_id: facts.turn_message_id, inbound_at: facts.turn_at, response_at: sent_at });
  facts.turn_message_id = facts.turn_at = null;
  if (agent_id === null) return null;
  const previous_at = facts.last_responses[agent_id] ?? null;
  facts.last_responses[agent_id] = sent_at;
  return previous_at;
}

function noteInbound(facts: ConversationFacts, message: MessageFact): void {
  if (facts.first_inbound_at === null) {
    const { sent_at, modality, is_form_request, arrived_as_copy } = message;
    Object.assign(facts, { first_inbound_at: sent_at, modality, is_form_request, arrived_as_copy });
  }
  if (message.is_auto_reply) return;
  facts.contact_returned ||= facts.first_response_at !== null;
  if (facts.turn_at !== null) return;
  facts.turn_message_id = message.message_id;
  facts.turn_at = message.sent_at;
}

const beginning = ({ sent_at }: MessageFact): ConversationFacts => ({
  start_at: sent_at,
  first_inbound_at: null,
  modality: null,
  is_form_request: false,
  arrived_as_copy: false,
  first_response_at: null,
  contact_returned: false,
  last_sent_at: sent_at,
  last_message_id: '',
  last_is_response: false,
  turn_message_id: null,
  turn_at: null,
  last_responses: {},
});
