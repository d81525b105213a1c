import { newId } from '#kernel/id.js';
import { type Append, appendTo, NEW } from '#event-store/append.js';
import { comment, comments } from '../comments/comments.contract.js';
import { type Ids, instantOf } from './ids.js';
import type { PlannedComment } from './plan-conversations.js';

export function commentAppend(
  record: { type: 'conversation' | 'sale'; id: string },
  { agent, mentioned, body, at }: PlannedComment,
  ids: Ids,
): Append {
  const comment_id = newId('comment');
  const events = comment.decide(null, {
    type: 'AddComment',
    comment_id,
    record_type: record.type,
    record_id: record.id,
    agent_id: ids.agents[agent]!,
    body,
    mentioned_agent_ids: mentioned.map((nr) => ids.agents[nr]!),
    created_at: instantOf(at),
  });
  return appendTo(comments, comment_id, NEW, events);
}
