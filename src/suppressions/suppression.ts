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
  | { type: 'SuppressionRemoved'; data: object };

export type SuppressionCommand =
  ({ type: 'AddSuppression' } & Suppression) | { type: 'NoteBounce' } | { type: 'RemoveSuppression' };

export const suppression: Decider<Suppression, SuppressionCommand, SuppressionEvent> = {
  decide(state, command) {
    switch (command.type) {
      case 'AddSuppression': {
        const { type: _, ...data } = command;
        return state ? [] : [{ type: 'SuppressionAdded', data }];
      }
      case 'NoteBounce':
        return state && state.reason !== 'bounced' ? [{ type: 'SuppressionBounced', data: {} }] : [];
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
      case 'SuppressionRemoved':
        return null;
    }
  },
};
