import type { Instant } from '#kernel/instant.js';
import type { ConversationFacts } from '../facts/conversation-facts.js';
import { FunnelCounts } from '../rollups/funnel-counts.js';
import { type Entered, enteredBy, type Entries } from '../facts/sale-facts.js';

/** The fields that count. All conversations of an organization are kept in memory, so there are no more than these. */
type Beginning = Pick<ConversationFacts, 'start_at' | 'first_inbound_at'> & { conversation_id: string };

interface LinkedSale extends Entries {
  created_at: Instant;
  total_price: string | null;
  associated_conversation_ids: string[];
}

/** Counts an organization's leads and sales once all its conversations and sales are known. */
export class FunnelInBulk {
  private readonly beginnings = new Map<string, Beginning>();
  private readonly sales: LinkedSale[] = [];

  conversation(conversation_id: string, { start_at, first_inbound_at }: ConversationFacts): void {
    this.beginnings.set(conversation_id, { conversation_id, start_at, first_inbound_at });
  }

  sale(sale: LinkedSale): void {
    if (enteredBy(sale).length === 0) return;
    const { quoted_at, accepted_at, labelled_accepted_at, created_at } = sale;
    const { total_price, associated_conversation_ids } = sale;
    const entries = { quoted_at, accepted_at, labelled_accepted_at };
    this.sales.push({ ...entries, created_at, total_price, associated_conversation_ids });
  }

  count(): FunnelCounts {
    const counts = new FunnelCounts();
    const leads = new Map<Beginning, Set<Entered>>();
    for (const sale of this.sales) {
      const linked = sale.associated_conversation_ids.flatMap((id) => this.beginnings.get(id) ?? []);
      counts.sale({ ...sale, began_at: earliest(linked)?.first_inbound_at ?? sale.created_at }, 1);
      for (const one of linked) leads.set(one, new Set([...(leads.get(one) ?? []), ...enteredBy(sale)]));
    }
    for (const [{ first_inbound_at }, entered] of leads) counts.lead({ first_inbound_at, entered }, 1);
    return counts;
  }
}

const earliest = (conversations: Beginning[]): Beginning | undefined =>
  conversations.reduce<Beginning | undefined>(
    (first, one) => (first && !isBefore(one, first) ? first : one),
    undefined,
  );

const isBefore = (one: Beginning, other: Beginning): boolean =>
  one.start_at === other.start_at
    ? one.conversation_id < other.conversation_id
    : one.start_at < other.start_at;
