import { randomBytes } from 'node:crypto';
import { Webhook } from 'standardwebhooks';
import type { Instant } from '#kernel/instant.js';
import type { Reply } from './retries.js';

const PREFIX = 'whsec_';
const SECRET_BYTES = 32;

/** A webhook's secrets, stored sealed: the current one, and earlier ones still valid after a rotation. */
export interface Secrets {
  current: string;
  previous: { secret: string; expires_at: Instant }[];
}

/** Stands in for an answer when the secrets cannot be opened: nothing is sent unsigned. */
export const NOT_SIGNED: Reply = {
  status_code: null,
  error:
    'its secret cannot be opened: set PARLEY_SECRET_KEY to the key that has sealed it, or rotate the secret',
  retry_after_seconds: null,
  duration_ms: 0,
};

/** A secret of 256 bits in the form of the Standard Webhooks specification. */
export const newSecret = (): string => PREFIX + randomBytes(SECRET_BYTES).toString('base64');

/** The secrets after a rotation at `at`: the current one, if it is known, stays valid until `expires_at`. */
export const rotated = (
  secrets: Secrets | null,
  secret: string,
  at: Instant,
  expires_at: Instant,
): Secrets => ({
  current: secret,
  previous: secrets
    ? [{ secret: secrets.current, expires_at }, ...secrets.previous].filter((one) => one.expires_at > at)
    : [],
});

/**
 * The headers of an event by the Standard Webhooks specification, signed at `at` with each secret valid then. Every try has
 * the same id, so that a receiver can fold repeats.
 */
export function signedHeaders(
  secrets: Secrets,
  id: string,
  at: Instant,
  body: string,
): Record<string, string> {
  const valid = secrets.previous.filter(({ expires_at }) => expires_at > at).map(({ secret }) => secret);
  const time = new Date(at);
  const signatures = [secrets.current, ...valid].map((secret) => new Webhook(secret).sign(id, time, body));
  return {
    'webhook-id': id,
    'webhook-timestamp': String(Math.floor(time.getTime() / 1_000)),
    'webhook-signature': signatures.join(' '),
  };
}
