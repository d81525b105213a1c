import type { Transaction } from '#database/database.js';
import type { Window } from './snapshot.queries.js';

/** Conversations whose first inbound message is in the window, by its modality. */
export interface Cohort {
  received: number;
  responded_to: number;
  form_requests: number;
  texts: number;
  calls: number;
  emails: number;
  live_chats: number;
}

const COHORT = `
  SELECT count(*)::int AS received,
         count(first_response_at)::int AS responded_to,
         (count(*) FILTER (WHERE is_form_request))::int AS form_requests,
         (count(*) FILTER (WHERE NOT is_form_request AND modality = 'text'))::int AS texts,
         (count(*) FILTER (WHERE NOT is_form_request AND modality = 'call'))::int AS calls,
         (count(*) FILTER (WHERE NOT is_form_request AND modality = 'email'))::int AS emails,
         (count(*) FILTER (WHERE NOT is_form_request AND modality = 'live_chat'))::int AS live_chats
    FROM analytics_conversation
   WHERE organization_id = $1 AND first_inbound_at >= $2 AND first_inbound_at < $3`;

export async function readCohort(tx: Transaction, organizationId: string, window: Window): Promise<Cohort> {
  const [cohort] = await tx.query<Cohort>({
    name: 'analytics_cohort',
    text: COHORT,
    values: [organizationId, window.start_date, window.end_date],
  });
  return cohort!;
}

export interface Volume {
  received: number;
  sent: number;
}

/** Messages in the window. */
export async function readVolume(tx: Transaction, organizationId: string, window: Window): Promise<Volume> {
  const [volume] = await tx.query<Volume>({
    name: 'analytics_volume',
    text: `SELECT (SELECT count(*)::int FROM analytics_message
                    WHERE organization_id = $1 AND message_direction = 'received' AND sent_at >= $2 AND sent_at < $3)
                    AS received,
                  (SELECT count(*)::int FROM analytics_message
                    WHERE organization_id = $1 AND message_direction = 'sent' AND sent_at >= $2 AND sent_at < $3)
                    AS sent`,
    values: [organizationId, window.start_date, window.end_date],
  });
  return volume!;
}

/** How many times were measured, and their median in seconds: 0 for none. */
export interface Times {
  count: number;
  median: number;
}

/** Response times of the turns in the window: of all, and those of turns in business hours, in business seconds. */
export async function readResponseTimes(
  tx: Transaction,
  organizationId: string,
  window: Window,
): Promise<{ all: Times; business: Times }> {
  const [row] = await tx.query<Record<'count' | 'low' | 'high' | 'b_count' | 'b_low' | 'b_high', string>>({
    name: 'analytics_response_times',
    text: `SELECT count(*) AS count,
                  percentile_disc(0.5) WITHIN GROUP (ORDER BY response_us) AS low,
                  percentile_disc(0.5) WITHIN GROUP (ORDER BY response_us DESC) AS high,
                  count(business_us) AS b_count,
                  percentile_disc(0.5) WITHIN GROUP (ORDER BY business_us) AS b_low,
                  percentile_disc(0.5) WITHIN GROUP (ORDER BY business_us DESC)
                    FILTER (WHERE business_us IS NOT NULL) AS b_high
             FROM analytics_turn WHERE organization_id = $1 AND inbound_at >= $2 AND inbound_at < $3`,
    values: [organizationId, window.start_date, window.end_date],
  });
  const { count, low, high, b_count, b_low, b_high } = row!;
  return {
    all: { count: Number(count), median: mean(low, high) },
    business: { count: Number(b_count), median: mean(b_low, b_high) },
  };
}

/** The mean of the two middle times, which are one where their number is odd; in seconds. */
const mean = (low: string | null, high: string | null): number =>
  low === null || high === null ? 0 : Number(BigInt(low) + BigInt(high)) / 2e6;

/** What an agent did in the window. */
export interface AgentActivity {
  responded_to: number;
  sent: number;
}

export async function readAgentActivity(
  tx: Transaction,
  organizationId: string,
  agentId: string,
  window: Window,
): Promise<AgentActivity> {
  const [activity] = await tx.query<AgentActivity>({
    name: 'analytics_agent',
    text: `SELECT (count(DISTINCT conversation_id) FILTER (WHERE is_response))::int AS responded_to,
                  count(*)::int AS sent
             FROM analytics_message
            WHERE organization_id = $1 AND agent_id = $4 AND message_direction = 'sent'
              AND sent_at >= $2 AND sent_at < $3`,
    values: [organizationId, window.start_date, window.end_date, agentId],
  });
  return activity!;
}
