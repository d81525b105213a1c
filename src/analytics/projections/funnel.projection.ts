import { foundByIds } from '#database/by-ids.js';
import type { Transaction } from '#database/statements/statement.js';
import { FunnelCounts, type FunnelSale, type Lead } from '../rollups/funnel-counts.js';
import { addToPeriods } from './period-counts.projection.js';
import { ENTERED } from '../facts/sale-facts.js';

export const FUNNEL_TABLES = ['analytics_funnel_period'];

/** A LATERAL for the sale `s`: the first inbound message of its earliest conversation. */
export const EARLIEST_OF_SALE = `
  LATERAL (SELECT c.first_inbound_at
             FROM analytics_sale_conversation l JOIN analytics_conversation c USING (organization_id, conversation_id)
            WHERE l.organization_id = $1 AND l.sale_id = s.sale_id
            ORDER BY c.start_at, c.conversation_id LIMIT 1) earliest`;

/**
 * SQL: whether conversation `c` is linked to a sale that has entered `entered`, an SQL expression. OFFSET 0 keeps the
 * planner from reading the links of all conversations.
 */
export const isLinkedTo = (entered: string): string => `
  EXISTS (SELECT FROM analytics_sale_conversation l
           WHERE l.organization_id = $1 AND l.conversation_id = c.conversation_id AND l.entered = ${entered} OFFSET 0)`;

/** Conversations and sales that are linked, so that a change of one can change the other's sums. */
interface Linked {
  conversationIds: string[];
  saleIds: string[];
}

/**
 * Makes a change that may alter what these conversations and sales count, and corrects the sums: takes away what they
 * counted before and adds what they count after it.
 */
export async function recounting(
  tx: Transaction,
  organizationId: string,
  linked: Linked,
  change: () => Promise<void>,
): Promise<void> {
  if (linked.saleIds.length === 0) return change();
  const counts = new FunnelCounts();
  await count(tx, organizationId, linked, counts, -1);
  await change();
  await count(tx, organizationId, linked, counts, 1);
  await addToPeriods(tx, organizationId, counts.sums);
}

/** The same for a change of conversations only. */
export const recountingLeads = async (
  tx: Transaction,
  organizationId: string,
  conversationIds: string[],
  change: () => Promise<void>,
): Promise<void> =>
  recounting(
    tx,
    organizationId,
    { conversationIds, saleIds: await salesOf(tx, organizationId, conversationIds) },
    change,
  );

async function salesOf(
  tx: Transaction,
  organizationId: string,
  conversationIds: string[],
): Promise<string[]> {
  if (conversationIds.length === 0) return [];
  const rows = await tx.query<{ sale_id: string }>({
    text: `SELECT DISTINCT found.sale_id FROM ${foundByIds('analytics_sale_conversation', 'conversation_id', 'sale_id')}`,
    values: [organizationId, conversationIds],
  });
  return rows.map(({ sale_id }) => sale_id);
}

async function count(
  tx: Transaction,
  organizationId: string,
  { conversationIds, saleIds }: Linked,
  counts: FunnelCounts,
  sign: 1 | -1,
): Promise<void> {
  const leads = await tx.query<Lead>({
    text: `SELECT c.first_inbound_at, ARRAY(SELECT one FROM unnest($3::text[]) one WHERE ${isLinkedTo('one')}) AS entered
             FROM (SELECT found.* FROM ${foundByIds('analytics_conversation', 'conversation_id', 'conversation_id, first_inbound_at')}) c`,
    values: [organizationId, conversationIds, ENTERED],
  });
  const sales = await tx.query<FunnelSale>({
    text: `SELECT s.quoted_at, s.accepted_at, s.labelled_accepted_at, s.total_price, coalesce(earliest.first_inbound_at, s.created_at) AS began_at
             FROM (SELECT found.* FROM ${foundByIds('analytics_sale', 'sale_id', '*')}) s
             LEFT JOIN ${EARLIEST_OF_SALE} ON true`,
    values: [organizationId, saleIds],
  });
  for (const lead of leads) counts.lead(lead, sign);
  for (const sale of sales) counts.sale(sale, sign);
}
