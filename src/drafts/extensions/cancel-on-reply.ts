import { Injectable, type OnModuleInit } from '@nestjs/common';
import type { Transaction } from '#database/statements/statement.js';
import { type Append, appendTo } from '#event-store/append.js';
import { EventStore } from '#event-store/event-store.js';
import { MessageExtensions, type RecordedMessage } from '../../conversations/conversations.contract.js';
import { draft } from '../draft.js';
import { drafts } from '../drafts.projection.js';
import { DraftQueries } from '../drafts.queries.js';

/**
 * Takes back a queued reply with `cancel_on_reply` when the contact writes, in the message's transaction. A worker claims the
 * draft in its stream, too, so one of the two comes first, and the other finds that.
 */
@Injectable()
export class CancelOnReply implements OnModuleInit {
  constructor(
    private readonly extensions: MessageExtensions,
    private readonly store: EventStore,
    private readonly queries: DraftQueries,
  ) {}

  onModuleInit(): void {
    this.extensions.recorded.add((tx, organizationId, conversationId, message) =>
      this.appends(tx, organizationId, conversationId, message),
    );
  }

  private async appends(
    tx: Transaction,
    organizationId: string,
    conversationId: string,
    message: RecordedMessage,
  ): Promise<Append[]> {
    // An automatic reply says nothing.
    if (message.message_direction !== 'received' || message.is_auto_reply) return [];
    const id = await this.queries.cancelledByReply(tx, organizationId, conversationId);
    if (id === null) return [];
    this.store.lock(tx, organizationId, [id]);
    const current = await this.store.load(tx, organizationId, drafts, id);
    const events = draft.decide(current.state, { type: 'NoteReply', reply: message });
    return events.length > 0 ? [appendTo(drafts, id, current, events)] : [];
  }
}
