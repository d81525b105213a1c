import { RuleViolation } from '#kernel/decider.js';
import { type Instant, now, plusSeconds } from '#kernel/instant.js';

const MOST_DAYS_AHEAD = 366;

/** When a draft is asked to leave; null for at once. Throws `RuleViolation` for more than 366 days ahead, or without autosend. */
export function sendAtOf({ send_at }: { send_at?: Instant }, autosend: boolean): Instant | null {
  if (send_at === undefined) return null;
  if (!autosend) throw refusal('needs autosend_draft to be true');
  if (send_at > plusSeconds(now(), MOST_DAYS_AHEAD * 86_400))
    throw refusal(`must be at most ${MOST_DAYS_AHEAD} days ahead`);
  return send_at;
}

const refusal = (detail: string) => new RuleViolation('validation_failed', detail, 'send_at');
