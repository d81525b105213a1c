import type { Transaction } from '#database/database.js';
import type { Instant } from '#kernel/instant.js';
import type { Window } from './snapshot.queries.js';

/** What the legacy figures need of the conversations whose first inbound message is in the window. */
export interface Leads {
  direct_emails: number;
  indirect_emails: number;
  lead_responded: number;
  ghosted: number;
  answered_in_an_hour: number;
  quoted: number;
  accepted: number;
}

/** Of the cohort; `acceptedAt` is the column that says when a sale was accepted. In hours: days depend on a time zone. */
export async function readLeads(
  tx: Transaction,
  organizationId: string,
  window: Window,
  asOf: Instant,
  acceptedAt: string,
): Promise<Leads> {
  const email = `NOT c.is_form_request AND c.modality = 'email'`;
  const soldTo = (column: string) => `EXISTS (
    SELECT FROM analytics_sale_conversation l JOIN analytics_sale s USING (organization_id, sale_id)
     WHERE l.organization_id = $1 AND l.conversation_id = c.conversation_id AND s.${column} IS NOT NULL)`;
  const [leads] = await tx.query<Leads>({
    name: `analytics_leads_${acceptedAt}`,
    text: `SELECT (count(*) FILTER (WHERE ${email} AND NOT c.arrived_as_copy))::int AS direct_emails,
                  (count(*) FILTER (WHERE ${email} AND c.arrived_as_copy))::int AS indirect_emails,
                  (count(*) FILTER (WHERE c.contact_returned))::int AS lead_responded,
                  (count(*) FILTER (WHERE c.last_is_response
                                      AND c.last_sent_at < $4::timestamptz - interval '168 hours'))::int AS ghosted,
                  (count(*) FILTER (WHERE c.first_response_at <= c.first_inbound_at + interval '1 hour'))::int
                    AS answered_in_an_hour,
                  (count(*) FILTER (WHERE ${soldTo('quoted_at')}))::int AS quoted,
                  (count(*) FILTER (WHERE ${soldTo(acceptedAt)}))::int AS accepted
             FROM analytics_conversation c
            WHERE c.organization_id = $1 AND c.first_inbound_at >= $2 AND c.first_inbound_at < $3`,
    values: [organizationId, window.start_date, window.end_date, asOf],
  });
  return leads!;
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
