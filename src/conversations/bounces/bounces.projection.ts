import type { Aggregate } from '#event-store/aggregate.js';
import { bounce, type Bounce, type BounceEvent } from './bounce.js';

export const bounces: Aggregate<Bounce, BounceEvent> = {
  streamType: 'bounce',
  evolve: bounce.evolve,
  row: {
    table: 'bounce',
    key: 'bounce_id',
    columns: ['bounce_id', 'external_id', 'original_message_id', 'message_id', 'recipients', 'received_at'],
  },
};
