import { RuleViolation } from '#kernel/decider.js';
import { type Instant, plusSeconds } from '#kernel/instant.js';
import type { RecordedMessage } from './message.js';

/** In the order in which they prevail when conversations merge. */
export const STATUSES = ['open', 'snoozed', 'closed'] as const;

/** Whether a conversation is to be dealt with, and when again. */
export interface Status {
  status: (typeof STATUSES)[number];
  /** When it is open again; null unless it is snoozed. */
  snoozed_until: Instant | null;
}

export const OPEN: Status = { status: 'open', snoozed_until: null };
export const CLOSED: Status = { status: 'closed', snoozed_until: null };

const MOST_DAYS_AHEAD = 366;

/**
 * What somebody changes `at` this instant of a status. Throws `RuleViolation`, naming `snoozed_until`, where the two do not go
 * together, and for an instant that has passed or is more than 366 days ahead.
 */
export function changesOfStatus(
  present: Status,
  { status, snoozed_until }: Partial<Status>,
  at: Instant,
): Partial<Status> {
  if (status === undefined && snoozed_until === undefined) return {};
  if (status === undefined && present.status !== 'snoozed') {
    if (snoozed_until === null) return {};
    throw refusal(`needs status snoozed; the conversation is ${present.status}`);
  }
  const wanted = status ?? present.status;
  if (wanted === 'snoozed') requireAhead(snoozed_until, at);
  else if (snoozed_until) throw refusal(`must be left out or null with status ${wanted}`);
  return difference(present, { status: wanted, snoozed_until: snoozed_until ?? null });
}

/** Throws as `changesOfStatus` does for what no conversation could be changed to `at` this instant. */
export function requireStatus({ status, snoozed_until }: Partial<Status>, at: Instant): void {
  if (status === undefined && !snoozed_until) return;
  changesOfStatus({ status: 'snoozed', snoozed_until: null }, { status, snoozed_until }, at);
}

/** The fields of a status that are others than before. */
export const difference = (before: Status, after: Status): Partial<Status> => ({
  ...(after.status !== before.status && { status: after.status }),
  ...(after.snoozed_until !== before.snoozed_until && { snoozed_until: after.snoozed_until }),
});

function requireAhead(until: Instant | null | undefined, at: Instant): void {
  if (!until) throw refusal('must say when the snoozed conversation is open again');
  if (until <= at) throw refusal('must be in the future');
  if (until > plusSeconds(at, MOST_DAYS_AHEAD * 86_400))
    throw refusal(`must be at most ${MOST_DAYS_AHEAD} days ahead`);
}

const refusal = (detail: string) => new RuleViolation('validation_failed', detail, 'snoozed_until');

/** Whether a person wrote it to us. A machine says nothing. */
export const isWritten = ({
  message_direction,
  is_auto_reply,
}: Pick<RecordedMessage, 'message_direction' | 'is_auto_reply'>): boolean =>
  message_direction === 'received' && !is_auto_reply;

/** The status of two conversations that become one: open before snoozed before closed, and the earlier instant. */
export function statusOfBoth(one: Status, other: Status): Status {
  const [first, second] =
    STATUSES.indexOf(one.status) <= STATUSES.indexOf(other.status) ? [one, other] : [other, one];
  const { status, snoozed_until } = first;
  const isEarlier =
    second.snoozed_until !== null && snoozed_until !== null && second.snoozed_until < snoozed_until;
  return { status, snoozed_until: isEarlier ? second.snoozed_until : snoozed_until };
}
