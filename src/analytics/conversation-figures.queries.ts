import type { Transaction } from '#database/database.js';
import { sliced, slicedValues } from './sliced.queries.js';
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

const COHORT = ['received', 'responded_to', 'form_requests', 'texts', 'calls', 'emails', 'live_chats'];

const sums = (columns: string[]): string =>
  columns.map((column) => `coalesce(sum(${column}), 0)::int AS ${column}`).join(', ');

const cohortBetween = (from: string, to: string): string => `
  SELECT count(*), count(first_response_at), count(*) FILTER (WHERE is_form_request),
         count(*) FILTER (WHERE NOT is_form_request AND modality = 'text'),
         count(*) FILTER (WHERE NOT is_form_request AND modality = 'call'),
         count(*) FILTER (WHERE NOT is_form_request AND modality = 'email'),
         count(*) FILTER (WHERE NOT is_form_request AND modality = 'live_chat')
    FROM analytics_conversation
   WHERE organization_id = $1 AND first_inbound_at >= ${from} AND first_inbound_at < ${to}`;

export async function readCohort(tx: Transaction, organizationId: string, window: Window): Promise<Cohort> {
  const [cohort] = await tx.query<Cohort>({
    name: 'analytics_cohort',
    text: `SELECT ${sums(COHORT)} FROM (
      ${sliced(`SELECT ${COHORT.join(', ')} FROM analytics_period WHERE organization_id = $1`, cohortBetween)}
      ) parts (${COHORT.join(', ')})`,
    values: slicedValues(organizationId, window),
  });
  return cohort!;
}

/** Messages in the window; of those made from drafts, whether the draft was overwritten before it was queued. */
export interface Volume {
  messages_received: number;
  messages_sent: number;
  sent_with_changes: number;
  sent_without_changes: number;
}

const VOLUME = ['messages_received', 'messages_sent', 'sent_with_changes', 'sent_without_changes'];

const volumeBetween = (from: string, to: string): string => `
  SELECT count(*) FILTER (WHERE message_direction = 'received'), count(*) FILTER (WHERE message_direction = 'sent'),
         count(*) FILTER (WHERE was_overwritten), count(*) FILTER (WHERE NOT was_overwritten)
    FROM analytics_message
   WHERE organization_id = $1 AND sent_at >= ${from} AND sent_at < ${to}`;

export async function readVolume(tx: Transaction, organizationId: string, window: Window): Promise<Volume> {
  const [volume] = await tx.query<Volume>({
    name: 'analytics_volume',
    text: `SELECT ${sums(VOLUME)} FROM (
      ${sliced(`SELECT ${VOLUME.join(', ')} FROM analytics_period WHERE organization_id = $1`, volumeBetween)}
      ) parts (${VOLUME.join(', ')})`,
    values: slicedValues(organizationId, window),
  });
  return volume!;
}

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
