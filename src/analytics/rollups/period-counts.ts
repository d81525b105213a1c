import { type Instant, microsBetween } from '#kernel/instant.js';
import { bucketOf, groupOf } from '../facts/response-time-buckets.js';
import type { ConversationFacts, MessageFact, Role, TurnFact } from '../facts/conversation-facts.js';
import { PeriodSums, type PeriodTable } from './period-sums.js';

/** Messages by `sent_at`, conversations by their first inbound message. */
const PERIODS = {
  table: 'analytics_period',
  key: [],
  counters: [
    'messages_received',
    'messages_sent',
    'sent_with_changes',
    'sent_without_changes',
    'received',
    'responded_to',
    'form_requests',
    'texts',
    'calls',
    'emails',
    'live_chats',
    'direct_emails',
    'indirect_emails',
    'contact_returned',
    'answered_in_an_hour',
    'ended_by_response',
  ],
} as const satisfies PeriodTable;

/** Answered turns per group of response-time buckets, by their inbound message. */
const RESPONSE_GROUPS: PeriodTable = {
  table: 'analytics_response_group',
  key: ['kind', 'bucket_group'],
  counters: ['turns'],
};

/** The same per bucket. For parts of a day the turns themselves are read: one group has few. */
const RESPONSE_BUCKETS: PeriodTable = {
  table: 'analytics_response_bucket',
  units: ['day', 'month'],
  key: ['kind', 'bucket_group', 'bucket'],
  counters: ['turns'],
};

/** What agents sent, and in how many conversations they responded for the first time. */
const AGENT_PERIODS: PeriodTable = {
  table: 'analytics_agent_period',
  key: ['agent_id'],
  counters: ['messages_sent', 'first_responses'],
};

type Counter = (typeof PERIODS.counters)[number];

const BEGUN_BY: Record<string, Counter> = {
  text: 'texts',
  call: 'calls',
  email: 'emails',
  live_chat: 'live_chats',
};

const HOUR = 3_600_000_000n;

const COUNTER = Object.fromEntries(PERIODS.counters.map((counter, index) => [counter, index])) as Record<
  Counter,
  number
>;

/** Adds conversations to the sums of periods. `sign`: 1 to add, -1 to take away. */
export class ConversationCounts {
  private readonly periods = new PeriodSums(PERIODS, 0);
  private readonly groups = new PeriodSums(RESPONSE_GROUPS, 0);
  private readonly buckets = new PeriodSums(RESPONSE_BUCKETS, 0);
  private readonly agents = new PeriodSums(AGENT_PERIODS, 0);
  readonly tables = [this.periods, this.groups, this.buckets, this.agents];

  /** Counts a new message. */
  message({ sent_at, message_direction, was_overwritten }: MessageFact): void {
    const sums = this.periods.of(sent_at);
    sums[message_direction === 'sent' ? COUNTER.messages_sent : COUNTER.messages_received]! += 1;
    if (was_overwritten !== null)
      sums[was_overwritten ? COUNTER.sent_with_changes : COUNTER.sent_without_changes]! += 1;
  }

  /** Counts a message for its agent. */
  agent(message: MessageFact & Role, sign: 1 | -1): void {
    const { sent_at, agent_id, message_direction, is_response, previous_at } = message;
    if (message_direction !== 'sent' || agent_id === null) return;
    const sums = this.agents.of(sent_at, agent_id);
    sums[0]! += sign;
    if (is_response && previous_at === null) sums[1]! += sign;
  }

  conversation(facts: ConversationFacts | undefined, sign: 1 | -1): void {
    if (!facts || facts.first_inbound_at === null) return;
    const sums = this.periods.of(facts.first_inbound_at);
    const count = (counter: Counter, is: boolean) => is && (sums[COUNTER[counter]]! += sign);
    const begunBy = facts.is_form_request ? 'form_requests' : BEGUN_BY[facts.modality ?? ''];
    count('received', true);
    count('responded_to', facts.first_response_at !== null);
    if (begunBy) count(begunBy, true);
    if (begunBy === 'emails') count(facts.arrived_as_copy ? 'indirect_emails' : 'direct_emails', true);
    count('contact_returned', facts.contact_returned);
    count('answered_in_an_hour', isAnsweredInAnHour(facts));
    count('ended_by_response', facts.last_is_response);
  }

  turn({ inbound_at, response_us, business_us }: TurnFact, sign: 1 | -1): void {
    this.time(inbound_at, 'all', response_us, sign);
    if (business_us !== null) this.time(inbound_at, 'business', business_us, sign);
  }

  private time(inboundAt: Instant, kind: string, micros: string, sign: 1 | -1): void {
    const bucket = bucketOf(BigInt(micros));
    const group = groupOf(bucket);
    this.groups.of(inboundAt, kind, group)[0]! += sign;
    this.buckets.of(inboundAt, kind, group, bucket)[0]! += sign;
  }
}

const isAnsweredInAnHour = ({ first_inbound_at, first_response_at }: ConversationFacts): boolean =>
  first_inbound_at !== null &&
  first_response_at !== null &&
  microsBetween(first_inbound_at, first_response_at) <= HOUR;
