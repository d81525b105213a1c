import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { actingAgent, type Context } from '#kernel/context.js';
import { now } from '#kernel/instant.js';
import { appendTo } from '#event-store/append.js';
import type { Versioned } from '#event-store/change.js';
import { EventStore } from '#event-store/event-store.js';
import { decideAsExpected } from '#event-store/expectation.js';
import { atVersion } from '#http/versions/versioned.js';
import { comment, type Comment, newlyMentioned } from './comment.js';
import type { ChangeCommentBody, CommentResponse } from './comments.dto.js';
import { comments } from './comments.projection.js';
import { shownComment } from './comments.queries.js';
import { Mentions } from './mentions.js';
import { OwnComments } from './own-comments.js';

/** Changes what a comment says or whom it mentions, and tells those whom it did not mention before. Refuses a comment of somebody else (403). */
export class ChangeComment extends Command<CommentResponse> {
  constructor(
    readonly context: Context,
    readonly id: string,
    readonly body: ChangeCommentBody,
  ) {
    super();
  }
}

@CommandHandler(ChangeComment)
export class ChangeCommentHandler implements ICommandHandler<ChangeComment> {
  constructor(
    private readonly store: EventStore,
    private readonly own: OwnComments,
    private readonly mentions: Mentions,
  ) {}

  async execute({ context, id, body }: ChangeComment): Promise<CommentResponse> {
    const { organizationId } = context;
    await this.own.comment(context, id);
    const telling = await this.mentions.prepare(organizationId, body.mentioned_agent_ids);
    const { state, version } = await this.store.exclusively(organizationId, [id], async (tx) => {
      const current = await this.store.load(tx, organizationId, comments, id);
      const events = decideAsExpected(context, current, ({ state }) =>
        comment.decide(this.own.required(context, id, state), {
          type: 'ChangeComment',
          changes: { ...body },
          at: now(),
        }),
      );
      if (events.length === 0) return current;
      const append = appendTo(comments, id, current, events);
      const after = { ...current.state!, ...body };
      const told = newlyMentioned(after, current.state!.mentioned_agent_ids).filter(
        (agentId) => agentId !== actingAgent(context),
      );
      const [changed] = await this.store.appendIn(tx, context, [append, ...telling(id, told)]);
      return changed as Versioned<Comment>;
    });
    return atVersion(shownComment(state!), version);
  }
}
