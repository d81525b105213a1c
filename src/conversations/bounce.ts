import type { Decider } from '#kernel/decider.js';
import type { Instant } from '#kernel/instant.js';
import type { BouncedRecipient } from './mail/mail.js';

/** A delivery report (RFC 3464) that came back instead of a message. */
export interface Bounce {
  bounce_id: string;
  /** Tells a redelivered report from a new one. */
  external_id: string;
  /** Message-ID of the mail it answers. */
  original_message_id: string | null;
  /** The sent message it answers, if it is one of ours. */
  message_id: string | null;
  recipients: BouncedRecipient[];
  received_at: Instant;
}

/** The only final failure among the actions of RFC 3464 (2.3.3): a delayed mail may still arrive. */
const hasFailed = ({ action }: BouncedRecipient): boolean => action === 'failed';

/** Whom a mail did not reach and why; null when it failed for nobody. */
export function failureOf(recipients: BouncedRecipient[]): string | null {
  const failed = recipients.filter(hasFailed);
  if (failed.length === 0) return null;
  return failed
    .map(({ address, status, diagnostic }) => `${address}: ${diagnostic ?? status ?? 'not delivered'}`)
    .join('; ');
}

export interface BounceEvent {
  type: 'BounceReceived';
  data: Bounce;
}

export const bounce: Decider<Bounce, { type: 'ReceiveBounce' } & Bounce, BounceEvent> = {
  decide(state, { type: _, ...data }) {
    return state ? [] : [{ type: 'BounceReceived', data }];
  },
  evolve(_state, event) {
    return event.data;
  },
};
