import type { Aggregate } from '#event-store/aggregate.js';
import { suppression, type Suppression, type SuppressionEvent } from './suppression.js';

export const suppressions: Aggregate<Suppression, SuppressionEvent> = {
  streamType: 'suppression',
  evolve: suppression.evolve,
  row: {
    table: 'suppression',
    key: 'suppression_id',
    columns: ['suppression_id', 'email', 'phone_number', 'address_key', 'reason', 'created_at'],
  },
};
