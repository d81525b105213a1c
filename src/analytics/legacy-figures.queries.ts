import type { Transaction } from '#database/database.js';
import type { Instant } from '#kernel/instant.js';
import type { Window } from './slices.js';

/** Of the conversations whose first inbound message is in the window, those linked to a sale that was quoted, or accepted. */
export async function readLinked(
  tx: Transaction,
  organizationId: string,
  window: Window,
  acceptedAt: string,
): Promise<{ quoted: number; accepted: number }> {
  const [linked] = await tx.query<{ quoted: number; accepted: number }>({
    name: `analytics_linked_${acceptedAt}`,
    text: `SELECT (count(DISTINCT conversation_id) FILTER (WHERE quoted_at IS NOT NULL))::int AS quoted,
                  (count(DISTINCT conversation_id) FILTER (WHERE ${acceptedAt} IS NOT NULL))::int AS accepted
             FROM analytics_conversation JOIN analytics_sale_conversation USING (organization_id, conversation_id)
            WHERE organization_id = $1 AND first_inbound_at >= $2 AND first_inbound_at < $3`,
    values: [organizationId, window.start_date, window.end_date],
  });
  return linked!;
}

/**
 * Of the same conversations, those whose last message is a response of the last seven days. In hours: days depend on a
 * time zone. Those seven days are read whatever the window is, which may be years (OFFSET 0 keeps the planner to it).
 */
export async function readLatelyEnded(
  tx: Transaction,
  organizationId: string,
  window: Window,
  asOf: Instant,
): Promise<number> {
  const [ended] = await tx.query<{ count: number }>({
    name: 'analytics_lately_ended',
    text: `SELECT count(*)::int AS count
             FROM (SELECT first_inbound_at FROM analytics_conversation
                    WHERE organization_id = $1 AND last_is_response AND last_sent_at >= $4::timestamptz - interval '168 hours'
                   OFFSET 0) ended
            WHERE first_inbound_at >= $2 AND first_inbound_at < $3`,
    values: [organizationId, window.start_date, window.end_date, asOf],
  });
  return ended!.count;
}

/** Sales first accepted, and first quoted, in the window. Decimal text. */
export interface SoldInWindow {
  accepted: number;
  /** Mean seconds from the first inbound message of a sale's earliest conversation, else from its creation. */
  mean_seconds: string;
  accepted_value: string;
  quoted_value: string;
}

export async function readSold(
  tx: Transaction,
  organizationId: string,
  window: Window,
  acceptedAt: string,
): Promise<SoldInWindow> {
  const [sold] = await tx.query<SoldInWindow>({
    name: `analytics_sold_${acceptedAt}`,
    text: `SELECT count(*)::int AS accepted, coalesce(sum(s.total_price), 0)::text AS accepted_value,
                  coalesce(avg(extract(epoch FROM s.${acceptedAt} - coalesce(earliest.first_inbound_at, s.created_at))), 0)::text
                    AS mean_seconds,
                  (SELECT coalesce(sum(total_price), 0)::text FROM analytics_sale
                    WHERE organization_id = $1 AND quoted_at >= $2 AND quoted_at < $3) AS quoted_value
             FROM analytics_sale s
             LEFT JOIN LATERAL (
                  SELECT c.first_inbound_at
                    FROM analytics_sale_conversation l JOIN analytics_conversation c USING (organization_id, conversation_id)
                   WHERE l.organization_id = $1 AND l.sale_id = s.sale_id
                   ORDER BY c.start_at, c.conversation_id LIMIT 1) earliest ON true
            WHERE s.organization_id = $1 AND s.${acceptedAt} >= $2 AND s.${acceptedAt} < $3`,
    values: [organizationId, window.start_date, window.end_date],
  });
  return sold!;
}
