import type { StoredEvent } from '#kernel/context.js';
import { type Bulk } from '#event-store/bulk.js';
import { groupBy } from '#event-store/group-by.js';
import type { Projection } from '#event-store/projection.js';
import { applyMessages, CONVERSATION_TABLES } from './conversation-facts.projection.js';
import { conversationsInBulk } from './conversations-in-bulk.js';
import { FunnelInBulk } from './funnel-in-bulk.js';
import { FUNNEL_TABLES } from './funnel.projection.js';
import { PERIOD_TABLES, periodRows } from './period-counts.projection.js';
import { applySales, SALE_TABLES, salesInBulk } from './sale-facts.projection.js';
import type { ConversationEvent } from '../../conversations/conversations.contract.js';
import type { SaleEvent } from '../../sales/sales.contract.js';

const bulk: Bulk = {
  // Messages are large: read only the fields that figures use. OFFSET 0 has the message taken out of `data` once.
  select: `SELECT organization_id, stream_id, stream_type, version, type, schema_version, CASE WHEN message IS NULL THEN data END AS data,
                  message->>'message_id' AS message_id, message->>'sent_at' AS sent_at, message->>'message_direction' AS message_direction,
                  message->>'agent_id' AS agent_id, message->>'modality' AS modality, (message->>'is_form_request')::boolean AS is_form_request,
                  (message->>'is_auto_reply')::boolean AS is_auto_reply, (message->>'arrived_as_copy')::boolean AS arrived_as_copy,
                  message->'promoted_from' AS promoted_from
             FROM es_event, LATERAL (SELECT data->'message' AS message OFFSET 0) told`,
  // The row itself serves as the message: copying every row would take noticeable time.
  eventOf: (row) => Object.assign(row, { data: row.data ?? { message: row } }),
  async begin(reader, organizationId) {
    const funnel = new FunnelInBulk();
    const conversations = await conversationsInBulk(reader, organizationId, funnel);
    const sales = salesInBulk(organizationId, funnel);
    return {
      add: (streams) => {
        const ofType = (type: string) => streams.filter(([first]) => first!.stream_type === type);
        return [...conversations.add(ofType('conversation')), ...sales.add(ofType('sale'))];
      },
      end: () => [...conversations.end(), ...sales.end(), periodRows(organizationId, funnel.count().sums)],
    };
  },
};

/** The read model of the facts behind the figures. */
export const analytics: Projection = {
  name: 'analytics',
  version: 3,
  tables: [...CONVERSATION_TABLES, ...PERIOD_TABLES, ...SALE_TABLES, ...FUNNEL_TABLES],
  streamTypes: ['conversation', 'sale'],
  async apply(tx, events) {
    for (const [organizationId, own] of groupBy(events, (event) => event.organization_id)) {
      const ofType = (type: string) => own.filter((event) => event.stream_type === type);
      await applyMessages(tx, organizationId, ofType('conversation') as StoredEvent<ConversationEvent>[]);
      await applySales(tx, organizationId, ofType('sale') as StoredEvent<SaleEvent>[]);
    }
  },
  bulk,
};
