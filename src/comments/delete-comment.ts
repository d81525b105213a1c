import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import type { Context } from '#kernel/context.js';
import { appendTo } from '#event-store/append.js';
import { EventStore } from '#event-store/event-store.js';
import { comment, type Comment } from './comment.js';
import { comments } from './comments.projection.js';
import { CountComments } from './count-comments.js';
import { OwnComments } from './own-comments.js';

/** Deletes a comment. Refuses one of somebody else (403). */
export class DeleteComment extends Command<void> {
  constructor(
    readonly context: Context,
    readonly id: string,
  ) {
    super();
  }
}

@CommandHandler(DeleteComment)
export class DeleteCommentHandler implements ICommandHandler<DeleteComment> {
  constructor(
    private readonly store: EventStore,
    private readonly own: OwnComments,
    private readonly counts: CountComments,
  ) {}

  async execute({ context, id }: DeleteComment): Promise<void> {
    let isDeleted = false;
    while (!isDeleted) isDeleted = await this.deleted(context, await this.own.comment(context, id));
  }

  /**
   * Deletes the comment where it was found; false when it is on another record by now. Whoever merges conversations locks them before
   * their comments, and so does this.
   */
  private deleted(context: Context, { comment_id, record_type, record_id }: Comment): Promise<boolean> {
    const { organizationId } = context;
    const conversationIds = record_type === 'conversation' ? [record_id] : [];
    return this.store.exclusively(organizationId, conversationIds, async (tx) => {
      this.store.lock(tx, organizationId, [comment_id]);
      const current = await this.store.load(tx, organizationId, comments, comment_id);
      const state = this.own.required(context, comment_id, current.state);
      if (state.record_id !== record_id) return false;
      const appends = [
        appendTo(comments, comment_id, current, comment.decide(state, { type: 'DeleteComment' })),
      ];
      for (const conversationId of conversationIds) {
        const counted = await this.counts.by(tx, organizationId, conversationId, -1);
        if (counted) appends.push(counted);
      }
      await this.store.appendIn(tx, context, appends);
      return true;
    });
  }
}
