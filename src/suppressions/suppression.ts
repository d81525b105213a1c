import type { Decider } from '#kernel/decider.js';
import type { Instant } from '#kernel/instant.js';

export const REASONS = ['bounced', 'unsubscribed', 'complained', 'manual'] as const;

export type Reason = (typeof REASONS)[number];

/** An address or number that first messages are not sent to, and replies only unless it bounced. One of the two is set. */
export interface Suppression {
  suppression_id: string;
  /** As given. */
  email: string | null;
  phone_number: string | null;
  /** The form that all spellings of the address or number share. */
  address_key: string;
  reason: Reason;
  created_at: Instant;
}

export type SuppressionEvent =
  | { type: 'SuppressionAdded'; data: Suppression }
  /** It was listed for another reason, and bounced. */
  | { type: 'SuppressionBounced'; data: object }
  /** It bounced, and wrote to us since: what is left is the reason that it was listed for before. */
  | { type: 'SuppressionBounceLifted'; data: { reason: Reason } }
  | { type: 'SuppressionRemoved'; data: object };

export type SuppressionCommand =
  | ({ type: 'AddSuppression' } & Suppression)
  | { type: 'NoteBounce' }
  /** A mail came from it; `listed` is why it was suppressed at first. */
  | { type: 'LiftBounce'; listed: Reason }
  /** A text asks for texts again; `byHand`: somebody listed it, not a text or the provider. */
  | { type: 'LiftStop'; byHand: boolean }
  | { type: 'RemoveSuppression' };

export const suppression: Decider<Suppression, SuppressionCommand, SuppressionEvent> = {
  decide(state, command) {
    switch (command.type) {
      case 'AddSuppression': {
        const { type: _, ...data } = command;
        return state ? [] : [{ type: 'SuppressionAdded', data }];
      }
      case 'NoteBounce':
        return state && state.reason !== 'bounced' ? [{ type: 'SuppressionBounced', data: {} }] : [];
      case 'LiftBounce':
        if (state?.reason !== 'bounced') return [];
        return command.listed === 'bounced'
          ? [{ type: 'SuppressionRemoved', data: {} }]
          : [{ type: 'SuppressionBounceLifted', data: { reason: command.listed } }];
      case 'LiftStop':
        return state?.reason === 'unsubscribed' && !command.byHand
          ? [{ type: 'SuppressionRemoved', data: {} }]
          : [];
      case 'RemoveSuppression':
        return state ? [{ type: 'SuppressionRemoved', data: {} }] : [];
    }
  },

  evolve(state, event) {
    switch (event.type) {
      case 'SuppressionAdded':
        return event.data;
      case 'SuppressionBounced':
        return state && { ...state, reason: 'bounced' };
      case 'SuppressionBounceLifted':
        return state && { ...state, reason: event.data.reason };
      case 'SuppressionRemoved':
        return null;
    }
  },
};
