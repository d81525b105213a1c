import type { Aggregate } from '#event-store/aggregate.js';
import { tag, type Tag, type TagEvent } from './tag.js';

export const tags: Aggregate<Tag, TagEvent> = {
  streamType: 'tag',
  evolve: tag.evolve,
  row: {
    table: 'tag',
    key: 'tag_id',
    columns: ['tag_id', 'name', 'colour', 'created_at', 'name_key', 'order_key'],
  },
};
