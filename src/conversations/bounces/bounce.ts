import type { Decider } from '#kernel/decider.js';
import type { Instant } from '#kernel/instant.js';
import type { BouncedRecipient } from '#mail/mail.js';

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
