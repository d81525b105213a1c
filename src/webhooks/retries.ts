import { type Instant, microsBetween, plusSeconds } from '#kernel/instant.js';

/**
 * Pauses before the second, third and further tries, in units of the base. With 5 s: 5 s, 5 min, 30 min, 2 h, 5 h, 10 h, 14 h,
 * 20 h and 24 h, three days and some hours in all.
 */
const PAUSES = [1, 60, 360, 1_440, 3_600, 7_200, 10_080, 14_400, 17_280];
/** How long an endpoint may fail without a success before it is given up, in the same units: three days. */
const GIVE_UP_AFTER = 51_840;
/** The longest rest of an endpoint in trouble, in the same units: five minutes. */
const LONGEST_REST = 60;
/** An endpoint may ask for longer pauses than ours, within reason. */
const LONGEST_ASKED_SECONDS = 24 * 3600;

const GONE = 410;

/** The result of sending an event once. */
export interface Reply {
  /** Null when there was no answer. */
  status_code: number | null;
  /** Null when the endpoint took it. */
  error: string | null;
  /** From `Retry-After`. */
  retry_after_seconds: number | null;
  duration_ms: number;
}

/** How a webhook's endpoint has been doing. */
export interface Health {
  /** Consecutive tries that found the endpoint in trouble; those that were under way together count as one. */
  failures: number;
  /** When the first try failed after the last success. */
  failing_since: Instant | null;
  /** Until when nothing is sent there. */
  resting_until: Instant | null;
}

/** The statuses of a delivery after a try. */
export const TRIED = ['retrying', 'delivered', 'failed'] as const;

/** Where a delivery stands after a try. */
export interface Tried {
  status: (typeof TRIED)[number];
  attempts: number;
  due_at: Instant | null;
}

/** Why nothing is sent to a webhook: an operator asked for it, its endpoint answered 410, or has failed for three days. */
export const PAUSED_BECAUSE = ['asked', 'gone', 'failing'] as const;

export type PausedBecause = (typeof PAUSED_BECAUSE)[number];

export interface Policy {
  baseMs: number;
  /**
   * From 0 up to 1; spreads pauses over 0.8 to 1.2 times their length, so that deliveries that failed together are not
   * retried together.
   */
  random: number;
}

export const HEALTHY: Health = { failures: 0, failing_since: null, resting_until: null };

export const wasTaken = ({ status_code }: Reply): boolean =>
  status_code !== null && status_code >= 200 && status_code < 300;

/** What follows from a try. */
export interface Outcome {
  tried: Tried;
  health: Health;
  pause: PausedBecause | null;
}

/**
 * What follows from a try that ended at `at`; `attempts` counts it and those before it. If `health` counts more failures than
 * when the try began, another that was under way beside it has told of the trouble already.
 */
export function afterTry(
  attempts: number,
  reply: Reply,
  health: Health,
  at: Instant,
  policy: Policy,
  failuresAtBegin = health.failures,
): Outcome {
  if (wasTaken(reply))
    return { tried: { status: 'delivered', attempts, due_at: null }, health: HEALTHY, pause: null };
  const failing_since = health.failing_since ?? at;
  const giveUpAfterMicros = BigInt(GIVE_UP_AFTER * policy.baseMs * 1_000);
  const gone = reply.status_code === GONE;
  return {
    tried: retryOf(attempts, reply, at, policy),
    health: { ...restOf(reply, health, at, policy, failuresAtBegin), failing_since },
    pause: gone ? 'gone' : microsBetween(failing_since, at) >= giveUpAfterMicros ? 'failing' : null,
  };
}

/** What follows when the event is not shown any more, which is no fault of the endpoint. */
export const withdrawn = (attempts: number, health: Health): Outcome => ({
  tried: { status: 'failed', attempts, due_at: null },
  health: { ...health, resting_until: null },
  pause: null,
});

function retryOf(attempts: number, reply: Reply, at: Instant, { baseMs, random }: Policy): Tried {
  // The webhook gets paused; this delivery is the first to be sent when it is resumed.
  if (reply.status_code === GONE) return { status: 'retrying', attempts, due_at: at };
  const units = PAUSES[attempts - 1];
  if (units === undefined) return { status: 'failed', attempts, due_at: null };
  const pause = (units * baseMs * (0.8 + 0.4 * random)) / 1_000;
  return { status: 'retrying', attempts, due_at: plusSeconds(at, Math.max(pause, askedPause(reply))) };
}

/** An endpoint in trouble rests, longer each time, so that a backlog does not hammer it. */
function restOf(
  reply: Reply,
  { failures, resting_until }: Health,
  at: Instant,
  { baseMs }: Policy,
  failuresAtBegin: number,
): Omit<Health, 'failing_since'> {
  const isKnown = failures > failuresAtBegin;
  if (!isInTrouble(reply))
    return isKnown ? { failures, resting_until } : { failures: 0, resting_until: null };
  const count = isKnown ? failures : failures + 1;
  const rest = (Math.min(2 ** (count - 1), LONGEST_REST) * baseMs) / 1_000;
  const until = plusSeconds(at, Math.max(rest, askedPause(reply)));
  return { failures: count, resting_until: isKnown && resting_until! > until ? resting_until : until };
}

/** Whether other events would fail, too. An endpoint that refuses an event (4xx) is well: it may take the next. */
const isInTrouble = ({ status_code }: Reply): boolean =>
  status_code === null ||
  status_code < 400 ||
  status_code >= 500 ||
  status_code === 408 ||
  status_code === 429;

const askedPause = ({ retry_after_seconds }: Reply): number =>
  Math.min(retry_after_seconds ?? 0, LONGEST_ASKED_SECONDS);

/** Seconds that `Retry-After` asks for, as a number or a date (RFC 9110, 10.2.3); null for anything else. */
export function readRetryAfter(value: string | undefined, now: Date): number | null {
  if (value === undefined) return null;
  if (/^\d{1,9}$/.test(value)) return Number(value);
  const date = Date.parse(value);
  return Number.isNaN(date) ? null : Math.max(0, (date - now.getTime()) / 1_000);
}
