import type { StoredEvent } from '#kernel/context.js';
import { groupBy } from '#event-store/group-by.js';
import type { Projection } from '#event-store/projection.js';
import { applyMessages, CONVERSATION_TABLES } from './conversation-facts.projection.js';
import { PERIOD_TABLES } from './period-counts.projection.js';
import { applySales, SALE_TABLES } from './sale-facts.projection.js';
import type { ConversationEvent } from '../conversations/conversations.contract.js';
import type { SaleEvent } from '../sales/sales.contract.js';

/** The facts behind the figures as a read model of the feed. */
export const analytics: Projection = {
  name: 'analytics',
  version: 1,
  tables: [...CONVERSATION_TABLES, ...PERIOD_TABLES, ...SALE_TABLES],
  streamTypes: ['conversation', 'sale'],
  async apply(tx, events) {
    for (const [organizationId, own] of groupBy(events, (event) => event.organization_id)) {
      const ofType = (type: string) => own.filter((event) => event.stream_type === type);
      await applyMessages(tx, organizationId, ofType('conversation') as StoredEvent<ConversationEvent>[]);
      await applySales(tx, organizationId, ofType('sale') as StoredEvent<SaleEvent>[]);
    }
  },
};
