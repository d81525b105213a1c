import type { StoredEvent } from '#kernel/context.js';
import type { Reader } from '#database/statements/statement.js';
import { type OrganizationBulk, rowsFor, type TableRows } from '#event-store/bulk.js';
import { groupBy } from '#event-store/group-by.js';
import type { ConversationEvent } from '../../conversations/conversations.contract.js';
import {
  businessHoursOf,
  CONVERSATION_COLUMNS,
  MESSAGE_COLUMNS,
  mergersOf,
  placedMessages,
  TURN_COLUMNS,
} from './conversation-facts.projection.js';
import { conversationRow, count, foldConversation, turnRows } from './conversation-outcomes.js';
import type { FunnelInBulk } from './funnel-in-bulk.js';
import { ConversationCounts } from '../rollups/period-counts.js';
import { periodRows } from './period-counts.projection.js';

/** Builds the facts of an organization's conversations from whole streams. */
export async function conversationsInBulk(
  reader: Reader,
  organizationId: string,
  funnel: FunnelInBulk,
): Promise<OrganizationBulk> {
  const hours = await businessHoursOf(reader, organizationId);
  const counts = new ConversationCounts();
  /** Conversations that took part in a merger wait here until all streams are read. */
  const merged: StoredEvent<ConversationEvent>[] = [];
  return {
    add(streams) {
      const apart: StoredEvent<ConversationEvent>[] = [];
      for (const events of streams as StoredEvent<ConversationEvent>[][])
        (events.some(tellsOfMerger) ? merged : apart).push(...events);
      return rowsOf(apart);
    },
    end: () => [...rowsOf(merged), ...counts.tables.map((sums) => periodRows(organizationId, sums))],
  };

  function rowsOf(events: StoredEvent<ConversationEvent>[]): TableRows[] {
    const outcomes = groupBy(
      placedMessages(events, mergersOf(events)),
      (message) => message.conversation_id,
    ).map(([id, recorded]) => foldConversation(id, undefined, undefined, recorded));
    const turns = outcomes.flatMap((outcome) => turnRows(organizationId, hours, outcome));
    count(counts, outcomes);
    for (const turn of turns) counts.turn(turn, 1);
    for (const { conversationId, facts } of outcomes) funnel.conversation(conversationId, facts);
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
  }
}

const tellsOfMerger = ({ type }: StoredEvent<ConversationEvent>): boolean =>
  type === 'ConversationTakenIn' || type === 'ConversationMerged';
