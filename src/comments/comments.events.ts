import { type PublicForms, shownAs } from '#event-store/public-event.js';
import { inOrder } from '#kernel/in-order.js';
import type { CommentEvent } from './comment.js';
import {
  CommentAddedData,
  CommentChangedData,
  CommentDeletedData,
  CommentMovedData,
} from './comments.events.dto.js';

export const commentEvents: PublicForms<CommentEvent> = {
  CommentAdded: shownAs(
    CommentAddedData,
    'Somebody commented on a conversation, contact, company or sale.',
    ({ record_type: type, record_id: id, ...comment }) => ({
      comment_id: comment.comment_id,
      record: { type, id },
      agent_id: comment.agent_id,
      body: comment.body,
      mentioned_agent_ids: comment.mentioned_agent_ids,
      created_at: comment.created_at,
    }),
  ),
  CommentChanged: shownAs(CommentChangedData, 'A comment was edited.', (changed) =>
    inOrder(changed, ['body', 'mentioned_agent_ids', 'edited_at']),
  ),
  CommentMoved: shownAs(
    CommentMovedData,
    'The record of a comment was merged into another, which the comment is on from now on.',
    ({ record_type: type, record_id: id }) => ({ record: { type, id } }),
  ),
  CommentDeleted: shownAs(
    CommentDeletedData,
    'A comment was deleted, or the record that it was on.',
    () => ({}),
  ),
};
