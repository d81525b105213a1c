import type { StoredEvent } from '#kernel/context.js';
import { type Bulk } from '#event-store/bulk.js';
import { groupBy } from '#event-store/group-by.js';
import type { Projection } from '#event-store/projection.js';
import { applyMessages, CONVERSATION_TABLES, conversationsInBulk } from './conversation-facts.projection.js';
import { FunnelInBulk } from './funnel-in-bulk.js';
import { FUNNEL_TABLES } from './funnel.projection.js';
import { PERIOD_TABLES, periodRows } from './period-counts.projection.js';
import { applySales, SALE_TABLES, salesInBulk } from './sale-facts.projection.js';
import type { ConversationEvent } from '../conversations/conversations.contract.js';
import type { SaleEvent } from '../sales/sales.contract.js';

/** What makes a message large, and what no figure looks at. */
const UNREAD = `'{subject,content,body_html,new_content,call_transcript,form_request_body,email_metadata,tracked_links,attachments}'::text[]`;

const bulk: Bulk = {
  columns: `organization_id, stream_id, stream_type, version, type, schema_version,
            CASE WHEN data ? 'message' THEN jsonb_build_object('message', (data->'message') - ${UNREAD}) ELSE data END AS data`,
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

/** The facts behind the figures as a read model of the feed. */
export const analytics: Projection = {
  name: 'analytics',
  version: 1,
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
