import { Injectable } from '@nestjs/common';
import { actingAgent, type Context } from '#kernel/context.js';
import { isId } from '#kernel/id.js';
import { EventStore } from '#event-store/event-store.js';
import { notFound, Problem } from '#http/problems/problem.js';
import { type Comment, mayChange } from './comment.js';
import { comments } from './comments.projection.js';

/** Finds comments that whoever acts may change. */
@Injectable()
export class OwnComments {
  constructor(private readonly store: EventStore) {}

  /** The comment. Throws a 404 when there is none, and a 403 where somebody else wrote it. */
  async comment(context: Context, id: string): Promise<Comment> {
    if (!isId('comment', id)) throw notFound('comment', id);
    const { state } = await this.store.latest(context.organizationId, comments, id);
    return this.required(context, id, state);
  }

  /** The comment with this state; throws as `comment` does. */
  required(context: Context, id: string, state: Comment | null): Comment {
    if (!state) throw notFound('comment', id);
    if (mayChange(state, actingAgent(context))) return state;
    throw new Problem(
      403,
      'not_your_comment',
      `The comment ${id} was written by ${state.agent_id ?? 'a key without an agent'}: only they can change it, or a key without an agent.`,
    );
  }
}
