import { groupBy } from '#event-store/group-by.js';
import { type Instant, microsBetween } from '#kernel/instant.js';
import { bucketOf } from './buckets.js';
import type { ConversationFacts, MessageFact } from './conversation-facts.js';
import { beginningOf } from './slices.js';

/** What is counted per hour, day and month: messages by `sent_at`, conversations by their first inbound message. */
export const COUNTERS = [
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
] as const;

type Counter = (typeof COUNTERS)[number];

/** How much to add to the counters of the periods that hold an instant. */
export interface Delta {
  at: Instant;
  counters: Partial<Record<Counter, number>>;
}

/** How many times to add to a bucket of the periods that hold an instant; `kind`: which times. */
export interface TimeDelta {
  at: Instant;
  kind: 'all' | 'business';
  micros: bigint;
  turns: number;
}

const UNITS = ['hour', 'day', 'month'] as const;
const BEGUN_BY: Record<string, Counter> = {
  text: 'texts',
  call: 'calls',
  email: 'emails',
  live_chat: 'live_chats',
};

/** A message that was not there before. */
export const messageDelta = ({ sent_at, message_direction, was_overwritten }: MessageFact): Delta => ({
  at: sent_at,
  counters: {
    [message_direction === 'sent' ? 'messages_sent' : 'messages_received']: 1,
    ...(was_overwritten !== null && {
      [was_overwritten ? 'sent_with_changes' : 'sent_without_changes']: 1,
    }),
  },
});

/** A conversation that comes (`sign` 1) or goes (-1). */
export function conversationDelta(facts: ConversationFacts | undefined, sign: 1 | -1): Delta[] {
  if (!facts || facts.first_inbound_at === null) return [];
  const begunBy = facts.is_form_request ? 'form_requests' : BEGUN_BY[facts.modality ?? ''];
  const counters = {
    received: sign,
    ...(facts.first_response_at !== null && { responded_to: sign }),
    ...(begunBy && { [begunBy]: sign }),
    ...(begunBy === 'emails' && { [facts.arrived_as_copy ? 'indirect_emails' : 'direct_emails']: sign }),
    ...(facts.contact_returned && { contact_returned: sign }),
    ...(isAnsweredInAnHour(facts) && { answered_in_an_hour: sign }),
    ...(facts.last_is_response && { ended_by_response: sign }),
  };
  return [{ at: facts.first_inbound_at, counters }];
}

const HOUR = 3_600_000_000n;

const isAnsweredInAnHour = ({ first_inbound_at, first_response_at }: ConversationFacts): boolean =>
  first_inbound_at !== null &&
  first_response_at !== null &&
  microsBetween(first_inbound_at, first_response_at) <= HOUR;

/** Sums to add to a row; `lessens`: one of them is negative, so that nothing may be left of it. */
export interface Addition {
  row: object;
  lessens: boolean;
}

/** What to add to the counters, one row per unit and period; periods in which nothing changes are left out. */
export function periodAdditions(organization_id: string, deltas: Delta[]): Addition[] {
  return UNITS.flatMap((unit) =>
    groupBy(deltas, ({ at }) => beginningOf(unit, at)).flatMap(([at, own]) => {
      const sums = COUNTERS.map((counter): [Counter, number] => [counter, sumOf(own, counter)]);
      if (sums.every(([, sum]) => sum === 0)) return [];
      const row = { organization_id, unit, at, ...Object.fromEntries(sums) };
      return [{ row, lessens: sums.some(([, sum]) => sum < 0) }];
    }),
  );
}

/** What to add to the numbers of times, one row per unit, period, kind and bucket. */
export function bucketAdditions(organization_id: string, deltas: TimeDelta[]): Addition[] {
  const inBuckets = deltas.map((delta) => ({ ...delta, bucket: bucketOf(delta.micros) }));
  return UNITS.flatMap((unit) =>
    groupBy(inBuckets, ({ at, kind, bucket }) => `${beginningOf(unit, at)} ${kind} ${bucket}`).flatMap(
      ([, own]) => {
        const { at, kind, bucket } = own[0]!;
        const turns = own.reduce((sum, delta) => sum + delta.turns, 0);
        if (turns === 0) return [];
        const row = { organization_id, unit, at: beginningOf(unit, at), kind, bucket, turns };
        return [{ row, lessens: turns < 0 }];
      },
    ),
  );
}

const sumOf = (deltas: Delta[], counter: Counter): number =>
  deltas.reduce((sum, { counters }) => sum + (counters[counter] ?? 0), 0);
