import type { Named } from '#kernel/named.js';
import type { Instant } from '#kernel/instant.js';

/** Statuses of a delivery that is neither over nor taken back. */
export const STATUSES = ['queued', 'sending', 'retrying', 'failed', 'uncertain'] as const;

/** Statuses in which a delivery waits for a person. */
export const STUCK: readonly (typeof STATUSES)[number][] = ['failed', 'uncertain'];

/** Where a draft is on its way out. `sent` drafts are promoted and no longer shown. */
export interface Delivery {
  status: 'none' | (typeof STATUSES)[number] | 'sent';
  attempts: number;
  last_error: string | null;
  /** When it may be tried (again); null unless queued or retrying. */
  next_attempt_at: Instant | null;
  /** While sending: until when the worker that tries it is believed to be alive. */
  lease_until: Instant | null;
  /** While sending: the process that tries it (see `WorkerLiveness`). */
  worker: number | null;
  /** When the first attempt began that is under way or may have reached the provider. It becomes the message's `sent_at`. */
  handed_over_at: Instant | null;
  /** Whether an attempt with an unknowable outcome may have reached the provider. */
  may_have_left: boolean;
  /** Set for a mail that some recipients have, which is a message already. */
  partly?: Partly;
}

/** The recipients still to be sent a mail that others have, and why some never will get it. */
export interface Partly {
  left_to: string[];
  rejected: string[];
}

/** A recipient whom the server refused for now, and why. */
export interface Deferred {
  recipient: string;
  error: string;
}

/** The provider took it, in the name of `from`, but not for the addresses in `gone`, which take nothing any more. */
export interface Accepted {
  kind: 'accepted';
  response: string;
  rejected: string[];
  deferred: Deferred[];
  from?: Named;
  gone?: string[];
}

/** The result of an attempt, from the provider or from not reaching one. */
export type Outcome =
  | Accepted
  /** Not taken; a later try may succeed. */
  | { kind: 'temporary'; error: string }
  /** Not taken, and never will be. */
  | { kind: 'permanent'; error: string; gone?: string[]; unsubscribed?: true }
  /** The message was handed over and the answer got lost: unknowable (RFC 1047). */
  | { kind: 'unknown'; error: string };

export type OnUncertain = 'resend' | 'hold';

/** What to do when the outcome is unknowable. Texts have a setting of their own: receivers fold copies of e-mails only. */
export const onUncertain = (
  config: { deliveryOnUncertainText: OnUncertain; deliveryOnUncertainEmail: OnUncertain },
  draft: { modality: string | null } | null,
): OnUncertain =>
  draft?.modality === 'text' ? config.deliveryOnUncertainText : config.deliveryOnUncertainEmail;

/** Events of a delivery, the same for every kind of draft. */
export type DeliveryEvent =
  | { type: 'DeliveryStarted'; data: { attempt: number; at: Instant; lease_until: Instant; worker: number } }
  | {
      type: 'DeliveryRetryScheduled';
      data: {
        error: string;
        next_attempt_at: Instant;
        partly?: Partly;
        /** The outcome of the attempt is unknowable. */
        may_have_left?: true;
      };
    }
  /** The remaining recipients have the mail now. */
  | { type: 'DeliveryCompleted'; data: object }
  | { type: 'DeliveryFailed'; data: { error: string } }
  | { type: 'DeliveryBecameUncertain'; data: { error: string } };

export const NOT_QUEUED: Delivery = {
  status: 'none',
  attempts: 0,
  last_error: null,
  next_attempt_at: null,
  lease_until: null,
  worker: null,
  handed_over_at: null,
  may_have_left: false,
};

export const queuedAt = (at: Instant): Delivery => ({ ...NOT_QUEUED, status: 'queued', next_attempt_at: at });

/**
 * A delivery once the provider accepted it. The fields cleared here tell of an attempt: one for the remaining recipients
 * sets them anew.
 */
export const sentDelivery = (delivery: Delivery): Delivery => ({
  ...delivery,
  status: 'sent',
  lease_until: null,
  worker: null,
  handed_over_at: null,
  may_have_left: false,
});

/** Error of an attempt lost with its worker: it may or may not have reached the provider. */
const WORKER_LOST = 'the worker ended before it learned the outcome';

/** What a worker needs to claim a delivery. */
export interface Claim {
  at: Instant;
  lease_until: Instant;
  worker: number;
  /** A worker known to be gone: its deliveries can be taken over before the lease ends. */
  gone_worker: number | null;
  max_attempts: number;
  on_uncertain: OnUncertain;
}

/**
 * Claims a due delivery; nothing happens to one that is not due. The event raises the stream's version, which is the fence:
 * a worker that wakes up after another took its delivery over can no longer write.
 */
export function startDelivery(delivery: Delivery, claim: Claim): DeliveryEvent[] {
  const { at, lease_until, worker, gone_worker, max_attempts, on_uncertain } = claim;
  const waiting = delivery.status === 'queued' || delivery.status === 'retrying';
  const abandoned =
    delivery.status === 'sending' && (delivery.lease_until! <= at || delivery.worker === gone_worker);
  // A mail that crashes every worker must not be tried for ever.
  const last = delivery.attempts >= max_attempts;
  if (abandoned && (on_uncertain === 'hold' || last))
    return [{ type: 'DeliveryBecameUncertain', data: { error: WORKER_LOST } }];
  if (!abandoned && !(waiting && delivery.next_attempt_at! <= at)) return [];
  return [{ type: 'DeliveryStarted', data: { attempt: delivery.attempts + 1, at, lease_until, worker } }];
}

interface RetryPolicy {
  max_attempts: number;
  next_attempt_at: Instant;
  on_uncertain: OnUncertain;
}

/** The event for a failed attempt. */
export function recordFailure(
  delivery: Delivery,
  outcome: Exclude<Outcome, { kind: 'accepted' }>,
  policy: RetryPolicy,
): DeliveryEvent {
  const error = [...(delivery.partly?.rejected ?? []), outcome.error].join('; ');
  const { max_attempts, next_attempt_at, on_uncertain } = policy;
  if (outcome.kind === 'permanent') return { type: 'DeliveryFailed', data: { error } };
  const last = delivery.attempts >= max_attempts;
  if (outcome.kind === 'unknown' && (on_uncertain === 'hold' || last))
    return { type: 'DeliveryBecameUncertain', data: { error } };
  if (last) return { type: 'DeliveryFailed', data: { error } };
  const mayHaveLeft = outcome.kind === 'unknown' && { may_have_left: true as const };
  return { type: 'DeliveryRetryScheduled', data: { error, next_attempt_at, ...mayHaveLeft } };
}

/**
 * Events after the server took the mail for some recipients and refused others. Those refused only for now are tried again.
 */
export function recordRefusals(
  delivery: Delivery,
  outcome: Accepted,
  { max_attempts, next_attempt_at }: Pick<RetryPolicy, 'max_attempts' | 'next_attempt_at'>,
): DeliveryEvent[] {
  const { deferred } = outcome;
  const rejected = [...(delivery.partly?.rejected ?? []), ...outcome.rejected];
  const error = [...rejected, ...deferred.map((one) => one.error)].join('; ');
  if (deferred.length > 0 && delivery.attempts < max_attempts) {
    const left_to = deferred.map(({ recipient }) => recipient);
    return [
      { type: 'DeliveryRetryScheduled', data: { error, next_attempt_at, partly: { left_to, rejected } } },
    ];
  }
  if (error !== '') return [{ type: 'DeliveryFailed', data: { error } }];
  return delivery.partly ? [{ type: 'DeliveryCompleted', data: {} }] : [];
}

/** Events after a report that the mail did not arrive. It does not change who is still to be sent the mail. */
export function recordBounce(
  { status, last_error, partly, next_attempt_at }: Delivery,
  error: string,
): DeliveryEvent[] {
  if (status === 'sending') return [];
  // Other recipients may have been refused before.
  const known = status === 'failed' && last_error !== null ? [last_error] : [];
  if (status !== 'retrying')
    return [{ type: 'DeliveryFailed', data: { error: [...known, error].join('; ') } }];
  const noted = { left_to: partly!.left_to, rejected: [...partly!.rejected, error] };
  return [
    { type: 'DeliveryRetryScheduled', data: { error, next_attempt_at: next_attempt_at!, partly: noted } },
  ];
}

export function evolveDelivery(delivery: Delivery, event: DeliveryEvent): Delivery {
  const idle = { next_attempt_at: null, lease_until: null, worker: null };
  switch (event.type) {
    case 'DeliveryStarted':
      return {
        ...delivery,
        ...idle,
        status: 'sending',
        attempts: event.data.attempt,
        lease_until: event.data.lease_until,
        worker: event.data.worker,
        handed_over_at: delivery.handed_over_at ?? event.data.at,
        // A delivery already sending is taken over from a lost worker.
        may_have_left: delivery.may_have_left || delivery.status === 'sending',
      };
    case 'DeliveryRetryScheduled': {
      const may_have_left = delivery.may_have_left || event.data.may_have_left === true;
      return {
        ...delivery,
        ...idle,
        status: 'retrying',
        last_error: event.data.error,
        next_attempt_at: event.data.next_attempt_at,
        handed_over_at: may_have_left ? delivery.handed_over_at : null,
        may_have_left,
        ...(event.data.partly && { partly: event.data.partly }),
      };
    }
    case 'DeliveryCompleted':
      return { ...delivery, ...idle, status: 'sent' };
    case 'DeliveryFailed':
      return { ...delivery, ...idle, status: 'failed', last_error: event.data.error };
    case 'DeliveryBecameUncertain':
      return { ...delivery, ...idle, status: 'uncertain', last_error: event.data.error };
  }
}

/** When a worker must look at the delivery again; null for never. */
export const dueAt = ({ next_attempt_at, lease_until }: Delivery): Instant | null =>
  next_attempt_at ?? lease_until;

/**
 * Seconds to wait before the next try: `baseMs` doubled with each attempt, times a random 0.5 to 1.5, so that deliveries
 * that failed together are not retried together. With 30,000 ms, 8 tries span about an hour.
 */
export const backoffSeconds = (attempts: number, baseMs: number, random: number): number =>
  (baseMs / 1000) * 2 ** (attempts - 1) * (0.5 + random);
