import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { actingAgent, type Context } from '#kernel/context.js';
import { newId } from '#kernel/id.js';
import { now } from '#kernel/instant.js';
import { type Append, appendTo, NEW } from '#event-store/append.js';
import type { Change, Versioned } from '#event-store/change.js';
import { EventStore } from '#event-store/event-store.js';
import { required } from '#event-store/required.js';
import { atVersion } from '#http/versions/versioned.js';
import { comment, type Comment, newlyMentioned } from './comment.js';
import { type CommentedRecord, CommentedRecords, kindOf } from './commented-records.js';
import type { AddCommentBody, CommentResponse } from './comments.dto.js';
import { comments } from './comments.projection.js';
import { shownComment } from './comments.queries.js';
import { CountComments } from './count-comments.js';
import { Mentions } from './mentions.js';

/** Adds a comment to a record and tells whom it mentions. Refuses an unknown record (404) and unknown agents (400). */
export class AddComment extends Command<CommentResponse> {
  constructor(
    readonly context: Context,
    readonly record: CommentedRecord,
    readonly body: AddCommentBody,
  ) {
    super();
  }
}

@CommandHandler(AddComment)
export class AddCommentHandler implements ICommandHandler<AddComment> {
  constructor(
    private readonly store: EventStore,
    private readonly records: CommentedRecords,
    private readonly mentions: Mentions,
    private readonly counts: CountComments,
  ) {}

  async execute({ context, record, body }: AddComment): Promise<CommentResponse> {
    const { organizationId } = context;
    const { mentioned_agent_ids = [] } = body;
    const telling = await this.mentions
      .prepare(organizationId, mentioned_agent_ids)
      .catch(async (error: unknown) => {
        await this.records.require(organizationId, record);
        throw error;
      });
    const comment_id = newId('comment');
    const agent_id = actingAgent(context);
    const events = comment.decide(null, {
      type: 'AddComment',
      comment_id,
      record_type: record.type,
      record_id: record.id,
      agent_id,
      body: body.body,
      mentioned_agent_ids,
      created_at: now(),
    });
    const requires = [required(kindOf(record.type), record.id, () => new NotThere())];
    const appends = [
      appendTo(comments, comment_id, NEW, events, requires),
      ...telling(comment_id, newlyMentioned({ agent_id, mentioned_agent_ids })),
    ];
    try {
      const [added] = await this.append(context, record, appends);
      const { state, version } = added as Versioned<Comment>;
      return atVersion(shownComment(state!), version);
    } catch (error) {
      throw error instanceof NotThere ? await this.records.missing(organizationId, record) : error;
    }
  }

  /** With one more comment in the count of a conversation. */
  private append(context: Context, { type, id }: CommentedRecord, appends: Append[]): Promise<Change[]> {
    if (type !== 'conversation') return this.store.append(context, appends);
    return this.store.exclusively(context.organizationId, [id], async (tx) => {
      const counted = await this.counts.by(tx, context.organizationId, id, 1);
      if (!counted) throw new NotThere();
      return this.store.appendIn(tx, context, [...appends, counted]);
    });
  }
}

/** Where the record has gone is looked up outside of the transaction. */
class NotThere extends Error {}
