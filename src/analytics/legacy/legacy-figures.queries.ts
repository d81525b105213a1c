import type { Reader } from '#database/statements/statement.js';
import type { Instant } from '#kernel/instant.js';
import { EARLIEST_OF_SALE, isLinkedTo } from '../projections/funnel.projection.js';
import { ACCEPTED_COUNTER, type AcceptedColumn } from '../figures/sale-figures.queries.js';
import { sliced, slicedValues } from '../figures/sliced.queries.js';
import type { Window } from '../figures/window-slices.js';

/**
 * Counts the conversations with their first inbound message in the window and a response of the last seven days as their
 * last message. The interval is in hours, since days depend on a time zone. OFFSET 0 makes the planner read those seven
 * days, however many years the window has.
 */
export async function readLatelyEnded(
  tx: Reader,
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

/** Leads of the window linked to sales, and sales first accepted, or first quoted, in the window. */
export interface Funnel {
  quoted_leads: number;
  accepted_leads: number;
  accepted: number;
  /**
   * Mean seconds to acceptance, from the first inbound message of the sale's earliest conversation, else from the sale's
   * creation; decimal text.
   */
  mean_seconds: string;
  /** Decimal text. */
  accepted_value: string;
  quoted_value: string;
}

const COLUMNS = 'quoted_leads, accepted_leads, quoted_units, accepted, accepted_units, accepted_us';

const countFunnel = (acceptedAt: AcceptedColumn): string => {
  const by = ACCEPTED_COUNTER[acceptedAt];
  const periods = `SELECT quoted_leads, ${by}_leads, quoted_units, ${by}, ${by}_units, ${by}_us
                     FROM analytics_funnel_period WHERE organization_id = $1`;
  const facts = (from: string, to: string) => `
    SELECT ${isLinkedTo(`'quoted'`)}::int, ${isLinkedTo(`'${by}'`)}::int, 0, 0, 0, 0
      FROM analytics_conversation c
     WHERE c.organization_id = $1 AND c.first_inbound_at >= ${from} AND c.first_inbound_at < ${to}
    UNION ALL
    SELECT 0, 0, coalesce(total_price * 10000, 0), 0, 0, 0 FROM analytics_sale
     WHERE organization_id = $1 AND quoted_at >= ${from} AND quoted_at < ${to}
    UNION ALL
    SELECT 0, 0, 0, 1, coalesce(s.total_price * 10000, 0),
           extract(epoch FROM s.${acceptedAt} - coalesce(earliest.first_inbound_at, s.created_at)) * 1000000
      FROM analytics_sale s LEFT JOIN ${EARLIEST_OF_SALE} ON true
     WHERE s.organization_id = $1 AND s.${acceptedAt} >= ${from} AND s.${acceptedAt} < ${to}`;
  return `SELECT coalesce(sum(quoted_leads), 0)::int AS quoted_leads, coalesce(sum(accepted_leads), 0)::int AS accepted_leads,
                 coalesce(sum(accepted), 0)::int AS accepted, coalesce(sum(quoted_units) * 0.0001, 0)::text AS quoted_value,
                 coalesce(sum(accepted_units) * 0.0001, 0)::text AS accepted_value,
                 coalesce(sum(accepted_us) / nullif(sum(accepted), 0) / 1000000, 0)::text AS mean_seconds
            FROM (${sliced(periods, facts)}) parts (${COLUMNS})`;
};

export async function readFunnel(
  tx: Reader,
  organizationId: string,
  window: Window,
  acceptedAt: AcceptedColumn,
): Promise<Funnel> {
  const [funnel] = await tx.query<Funnel>({
    name: `analytics_funnel_${acceptedAt}`,
    text: countFunnel(acceptedAt),
    values: slicedValues(organizationId, window),
  });
  return funnel!;
}
