import type { Reader } from '#database/statements/statement.js';
import { LONGEST_GAP } from '../facts/gap-classes.js';
import { byCuts, byCutsValues, type Counted } from './by-cuts.queries.js';
import type { CutParts } from './cut-parts.js';
import { ofEach, sliced, slicedValues } from './sliced.queries.js';
import type { Window } from './window-slices.js';

/** Counts of the conversations with their first inbound message in the window. */
export interface Cohort {
  received: number;
  responded_to: number;
  form_requests: number;
  texts: number;
  calls: number;
  emails: number;
  live_chats: number;
  /** Begun by an e-mail that is no form: addressed to the organization itself, or reaching it only as a copy. */
  direct_emails: number;
  indirect_emails: number;
  /** With an inbound message, not by a machine, after a response. */
  contact_returned: number;
  answered_in_an_hour: number;
  /** With a response as the last message. */
  ended_by_response: number;
}

const BEGUN_BY = (modality: string) => `NOT is_form_request AND modality = '${modality}'`;

/** The condition for a conversation to count, by count. */
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

/** The condition for a message to count, by count. */
export const VOLUME = {
  messages_received: `message_direction = 'received'`,
  messages_sent: `message_direction = 'sent'`,
  sent_with_changes: 'was_overwritten',
  sent_without_changes: 'NOT was_overwritten',
} satisfies Record<keyof Volume, string>;

const noneOf = <Counts extends object>(conditions: Counts): Record<keyof Counts, number> =>
  Object.fromEntries(Object.keys(conditions).map((count) => [count, 0])) as never;

export const NO_COHORT: Cohort = noneOf(COHORT);
export const NO_VOLUME: Volume = noneOf(VOLUME);

/** Where what has a condition is counted: the table, the instant that it counts by, and how an index keeps its entries apart. */
interface Source {
  conditions: Record<string, string>;
  table: string;
  instant: string;
  kinds: string[];
}

const CONVERSATIONS: Source = {
  conditions: COHORT,
  table: 'analytics_conversation',
  instant: 'first_inbound_at',
  kinds: ['true'],
};
const MESSAGES: Source = {
  conditions: VOLUME,
  table: 'analytics_message',
  instant: 'sent_at',
  kinds: [VOLUME.messages_received, VOLUME.messages_sent],
};

/** What these sources have: sums of whole periods, and facts for the edges of a window. */
function counted(sources: Source[]): Counted {
  const columns = sources.flatMap(({ conditions }) => Object.keys(conditions));
  const factsOf = ({ conditions, table, instant, kinds }: Source, from: string, to: string) => {
    const counts = columns.map((column) =>
      Object.hasOwn(conditions, column) ? `count(*) FILTER (WHERE ${conditions[column]!})` : '0',
    );
    return kinds.map(
      (kind) => `
    SELECT ${counts.join(', ')} FROM ${table}
     WHERE organization_id = $1 AND ${kind} AND ${instant} >= ${from} AND ${instant} < ${to}`,
    );
  };
  return {
    columns: columns.join(', '),
    periods: 'analytics_period WHERE organization_id = $1',
    facts: (from, to) => sources.flatMap((source) => factsOf(source, from, to)).join(' UNION ALL '),
  };
}

/** What counts in a window. */
function count(source: Source): string {
  const { columns, periods, facts } = counted([source]);
  const sums = columns.split(', ').map((column) => `coalesce(sum(${column}), 0)::int AS ${column}`);
  return `SELECT ${sums.join(', ')} FROM (${sliced(`SELECT ${columns} FROM ${periods}`, facts)}) parts (${columns})`;
}

/** What counts in each bucket of a window, a row for each where something counts. */
function countEach(sources: Source[]): string {
  const { columns, ...from } = counted(sources);
  const sums = columns.split(', ').map((column) => `sum(sign * ${column})::int AS ${column}`);
  return `SELECT number, ${sums.join(', ')} FROM (${byCuts({ columns, ...from })}) parts (number, sign, ${columns})
           GROUP BY number`;
}

const COUNT_COHORT = count(CONVERSATIONS);
const COUNT_COHORT_EACH = countEach([CONVERSATIONS]);
const COUNT_VOLUME = count(MESSAGES);
const COUNT_ALL_EACH = countEach([CONVERSATIONS, MESSAGES]);

export async function readCohort(tx: Reader, organizationId: string, window: Window): Promise<Cohort> {
  const values = slicedValues(organizationId, window);
  const [cohort] = await tx.query<Cohort>({ name: 'analytics_cohort', text: COUNT_COHORT, values });
  return cohort!;
}

/** The cohort of each bucket, where there is one. */
export async function readCohorts(
  tx: Reader,
  organizationId: string,
  parts: CutParts,
): Promise<Map<number, Cohort>> {
  const values = byCutsValues(organizationId, parts);
  return byNumber(await tx.query({ name: 'analytics_cohorts', text: COUNT_COHORT_EACH, values }));
}

/**
 * Messages in the window. Those made from drafts are also counted by whether the draft was overwritten before it was
 * queued.
 */
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

/** The cohort and the messages of each bucket, where there are any: they are in the same rows. */
export async function readCohortsAndVolumes(
  tx: Reader,
  organizationId: string,
  parts: CutParts,
): Promise<Map<number, Cohort & Volume>> {
  const values = byCutsValues(organizationId, parts);
  return byNumber(await tx.query({ name: 'analytics_volumes', text: COUNT_ALL_EACH, values }));
}

/** Rows by the number of their bucket. */
export const byNumber = <Row>(rows: (Row & { number: number })[]): Map<number, Row> =>
  new Map(rows.map((row) => [row.number, row]));

/** What an agent did in the window. */
export interface AgentActivity {
  responded_to: number;
  sent: number;
}

const FIRST_RESPONSES = 'is_response AND previous_at IS NULL';

/**
 * Counts the conversations to which the agent responded in the window. Those with the agent's first response in the window
 * add up over periods. The others also have a response before the window: of these only the first response in the window is
 * counted, the only one where the gap from the previous response spans the window's beginning. Gaps are searched by class,
 * each only as far after the beginning as the class reaches, so a long window costs no more than a short one. Counting per
 * class keeps the planner to that: for a join it would read all later responses.
 */
const countActivity = (agent: string): string => `
  SELECT coalesce(sum(messages_sent), 0)::int AS sent,
         (coalesce(sum(first_responses), 0) + (
            SELECT sum(across.count) FROM generate_series(0, $17::int) AS class, LATERAL (
                   SELECT count(*) FROM analytics_message
                    WHERE organization_id = $1 AND agent_id = ${agent} AND gap = class AND sent_at >= $18
                      AND sent_at < least($19::timestamptz, $18::timestamptz + interval '4 hours' * power(4, class)) AND previous_at < $18
                   ) across))::int AS responded_to
    FROM (${sliced(
      `SELECT messages_sent, first_responses FROM analytics_agent_period WHERE organization_id = $1 AND agent_id = ${agent}`,
      (from, to) => `
    SELECT count(*), count(*) FILTER (WHERE ${FIRST_RESPONSES}) FROM analytics_message
     WHERE organization_id = $1 AND agent_id = ${agent} AND message_direction = 'sent'
       AND sent_at >= ${from} AND sent_at < ${to}`,
    )}) parts (messages_sent, first_responses)`;

const COUNT_ACTIVITY = countActivity('$16');
const COUNT_ACTIVITIES = ofEach('$16', countActivity('agent.id'));

export async function readAgentActivity(
  tx: Reader,
  organizationId: string,
  agentId: string,
  window: Window,
): Promise<AgentActivity> {
  const values = activityValues(organizationId, agentId, window);
  const [activity] = await tx.query<AgentActivity>({ name: 'analytics_agent', text: COUNT_ACTIVITY, values });
  return activity!;
}

/** The same for each of these agents, by id. */
export async function readAgentActivities(
  tx: Reader,
  organizationId: string,
  agentIds: string[],
  window: Window,
): Promise<Map<string, AgentActivity>> {
  const rows = await tx.query<AgentActivity & { id: string }>({
    name: 'analytics_agents',
    text: COUNT_ACTIVITIES,
    values: activityValues(organizationId, agentIds, window),
  });
  return new Map(rows.map((row) => [row.id, row]));
}

const activityValues = (organizationId: string, agents: string | string[], window: Window) => [
  ...slicedValues(organizationId, window),
  agents,
  LONGEST_GAP,
  window.start_date,
  window.end_date,
];
