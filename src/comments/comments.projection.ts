import type { Aggregate } from '#event-store/aggregate.js';
import { comment, type Comment, type CommentEvent } from './comment.js';

export const comments: Aggregate<Comment, CommentEvent> = {
  streamType: 'comment',
  evolve: comment.evolve,
  row: {
    table: 'comment',
    key: 'comment_id',
    columns: [
      'comment_id',
      'record_type',
      'record_id',
      'agent_id',
      'body',
      'mentioned_agent_ids',
      'created_at',
      'edited_at',
    ],
  },
};
