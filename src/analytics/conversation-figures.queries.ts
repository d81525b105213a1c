import type { Reader } from '#database/statement.js';
import { LONGEST_GAP } from './gaps.js';
import { sliced, slicedValues } from './sliced.queries.js';
import type { Window } from './slices.js';

/** Conversations whose first inbound message is in the window, by its modality. */
export interface Cohort {
  received: number;
  responded_to: number;
  form_requests: number;
  texts: number;
  calls: number;
  emails: number;
  live_chats: number;
  /** By e-mails, no forms, that came to the organization itself, or only as a copy. */
  direct_emails: number;
  indirect_emails: number;
  /** In which an inbound message, none of a machine, followed a response. */
  contact_returned: number;
  answered_in_an_hour: number;
  /** Whose last message is a response. */
  ended_by_response: number;
}

const BEGUN_BY = (modality: string) => `NOT is_form_request AND modality = '${modality}'`;

/** What a conversation must be to count as what. */
export const COHORT = {
  received: 'true',
  responded_to: 'first_response_at IS NOT NULL',
  form_requests: 'is_form_request',
  texts: BEGUN_BY('text'),
  calls: BEGUN_BY('call'),
  emails: BEGUN_BY('email'),
  live_chats: BEGUN_BY('live_chat'),
  direct_emails: `${BEGUN_BY('email')} AND NOT arrived_as_copy`,
  indirect_emails: `${BEGUN_BY('email')} AND arrived_as_copy`,
  contact_returned: 'contact_returned',
  answered_in_an_hour: `first_response_at <= first_inbound_at + interval '1 hour'`,
  ended_by_response: 'last_is_response',
} satisfies Record<keyof Cohort, string>;

/** What a message must be to count as what. */
export const VOLUME = {
  messages_received: `message_direction = 'received'`,
  messages_sent: `message_direction = 'sent'`,
  sent_with_changes: 'was_overwritten',
  sent_without_changes: 'NOT was_overwritten',
} satisfies Record<keyof Volume, string>;

/**
 * One statement that adds up what is counted per period, and counts the facts at the edges of the window; `kinds`:
 * conditions that tell apart what an index has apart.
 */
function counting(
  conditions: Record<string, string>,
  table: string,
  instant: string,
  kinds = ['true'],
): string {
  const columns = Object.keys(conditions);
  const counts = Object.values(conditions).map((condition) => `count(*) FILTER (WHERE ${condition})`);
  const facts = (from: string, to: string) =>
    kinds
      .map(
        (kind) => `
    SELECT ${counts.join(', ')} FROM ${table}
     WHERE organization_id = $1 AND ${kind} AND ${instant} >= ${from} AND ${instant} < ${to}`,
      )
      .join(' UNION ALL ');
  const periods = `SELECT ${columns.join(', ')} FROM analytics_period WHERE organization_id = $1`;
  const sums = columns.map((column) => `coalesce(sum(${column}), 0)::int AS ${column}`);
  return `SELECT ${sums.join(', ')} FROM (${sliced(periods, facts)}) parts (${columns.join(', ')})`;
}

const COUNT_COHORT = counting(COHORT, 'analytics_conversation', 'first_inbound_at');
const COUNT_VOLUME = counting(VOLUME, 'analytics_message', 'sent_at', [
  VOLUME.messages_received,
  VOLUME.messages_sent,
]);

export async function readCohort(tx: Reader, organizationId: string, window: Window): Promise<Cohort> {
  const values = slicedValues(organizationId, window);
  const [cohort] = await tx.query<Cohort>({ name: 'analytics_cohort', text: COUNT_COHORT, values });
  return cohort!;
}

/** Messages in the window; of those made from drafts, whether the draft was overwritten before it was queued. */
export interface Volume {
  messages_received: number;
  messages_sent: number;
  sent_with_changes: number;
  sent_without_changes: number;
}

export async function readVolume(tx: Reader, organizationId: string, window: Window): Promise<Volume> {
  const values = slicedValues(organizationId, window);
  const [volume] = await tx.query<Volume>({ name: 'analytics_volume', text: COUNT_VOLUME, values });
  return volume!;
}

/** What an agent did in the window. */
export interface AgentActivity {
  responded_to: number;
  sent: number;
}

const FIRST_RESPONSES = 'is_response AND previous_at IS NULL';

/**
 * Conversations with a response in the window: those in which the agent responded for the first time then, which adds
 * up over periods, and those with responses both before the window and in it. Of the latter the first one in the window
 * is counted: the only one to which the gap from the one before it lies across the beginning of the window. Gaps are
 * looked up by class, each no further from there than it reaches, so that a long window costs no more than a short one
 * (that they are counted per class keeps the planner to it: to join them it would read all that come after).
 */
const COUNT_ACTIVITY = `
  SELECT coalesce(sum(messages_sent), 0)::int AS sent,
         (coalesce(sum(first_responses), 0) + (
            SELECT sum(across.count) FROM generate_series(0, $17::int) AS class, LATERAL (
                   SELECT count(*) FROM analytics_message
                    WHERE organization_id = $1 AND agent_id = $16 AND gap = class AND sent_at >= $18
                      AND sent_at < least($19::timestamptz, $18::timestamptz + interval '4 hours' * power(4, class)) AND previous_at < $18
                   ) across))::int AS responded_to
    FROM (${sliced(
      `SELECT messages_sent, first_responses FROM analytics_agent_period WHERE organization_id = $1 AND agent_id = $16`,
      (from, to) => `
    SELECT count(*), count(*) FILTER (WHERE ${FIRST_RESPONSES}) FROM analytics_message
     WHERE organization_id = $1 AND agent_id = $16 AND message_direction = 'sent'
       AND sent_at >= ${from} AND sent_at < ${to}`,
    )}) parts (messages_sent, first_responses)`;

export async function readAgentActivity(
  tx: Reader,
  organizationId: string,
  agentId: string,
  window: Window,
): Promise<AgentActivity> {
  const values = [
    ...slicedValues(organizationId, window),
    agentId,
    LONGEST_GAP,
    window.start_date,
    window.end_date,
  ];
  const [activity] = await tx.query<AgentActivity>({ name: 'analytics_agent', text: COUNT_ACTIVITY, values });
  return activity!;
}
