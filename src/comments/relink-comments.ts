import { Injectable, type OnModuleInit } from '@nestjs/common';
import type { Transaction } from '#database/statements/statement.js';
import { type Append, appendTo } from '#event-store/append.js';
import { EventStore } from '#event-store/event-store.js';
import { RecordLinks } from '#event-store/record-links.js';
import { MessageExtensions } from '../conversations/conversations.contract.js';
import { comment, COMMENTED } from './comment.js';
import { comments } from './comments.projection.js';
import { CommentQueries } from './comments.queries.js';

/** Tells of the records that comments are on, for whoever ends one, and follows conversations that a message ties together. */
@Injectable()
export class RelinkComments implements OnModuleInit {
  constructor(
    private readonly links: RecordLinks,
    private readonly extensions: MessageExtensions,
    private readonly store: EventStore,
    private readonly queries: CommentQueries,
  ) {}

  onModuleInit(): void {
    this.links.add({
      aggregate: comments,
      linkedTo: (tx, organizationId, { type, id }) =>
        (COMMENTED as readonly string[]).includes(type)
          ? this.queries.onRecords(tx, organizationId, [id])
          : Promise.resolve([]),
      relink: (state, _, to) =>
        comment.decide(
          state,
          to === null ? { type: 'DeleteComment' } : { type: 'MoveComment', record_id: to },
        ),
    });
    this.extensions.recorded.add((tx, organizationId, conversationId, _message, _at, mergedIds) =>
      this.moved(tx, organizationId, conversationId, mergedIds),
    );
  }

  /** The appends by which a conversation has the comments of those that were merged into it. */
  private async moved(
    tx: Transaction,
    organizationId: string,
    record_id: string,
    mergedIds: string[],
  ): Promise<Append[]> {
    if (mergedIds.length === 0) return [];
    const ids = await this.queries.onRecords(tx, organizationId, mergedIds);
    if (ids.length === 0) return [];
    // Waits for a change of a comment under way, then reads the result.
    this.store.lock(tx, organizationId, ids);
    const states = await this.store.loadAll(tx, organizationId, comments, ids);
    return [...states].flatMap(([id, current]) => {
      const events = comment.decide(current.state, { type: 'MoveComment', record_id });
      return events.length > 0 ? [appendTo(comments, id, current, events)] : [];
    });
  }
}
