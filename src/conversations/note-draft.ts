import type { Transaction } from '#database/statements/statement.js';
import { type Append, appendTo } from '#event-store/append.js';
import type { EventStore } from '#event-store/event-store.js';
import { conversation } from './conversation.js';
import type { Conversation } from './conversation-state.js';
import { conversations } from './conversations.projection.js';

/** The append that tells that a conversation got a reply to be sent, or lost it unsent. Its lock is held. */
export async function noteDraft(
  store: EventStore,
  tx: Transaction,
  organizationId: string,
  conversationId: string,
  has_draft: boolean,
): Promise<Append[]> {
  const current = await store.load<Conversation>(tx, organizationId, conversations, conversationId);
  const events = conversation.decide(current.state, { type: 'NoteDraft', has_draft });
  return events.length > 0 ? [appendTo(conversations, conversationId, current, events)] : [];
}
