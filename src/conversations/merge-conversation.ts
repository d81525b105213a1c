import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import type { Context } from '#kernel/context.js';
import { EventStore } from '#event-store/event-store.js';
import { RecordLinks } from '#event-store/record-links.js';
import { Problem } from '#http/problems/problem.js';
import { mergeRecord } from '#http/records/merge-record.js';
import { conversation } from './conversation.js';
import type { ConversationResponse } from './conversations.dto.js';
import { conversations } from './conversations.projection.js';
import { ConversationQueries } from './conversations.queries.js';
import { MessageExtensions } from './message-extensions.js';
import { replyLock } from './recording/locks.js';

/** Merges another conversation into one; see `mergeRecord`. Refuses two that both have a pending reply (409). */
export class MergeConversation extends Command<ConversationResponse> {
  constructor(
    readonly context: Context,
    readonly conversationId: string,
    readonly fromId: string,
  ) {
    super();
  }
}

@CommandHandler(MergeConversation)
export class MergeConversationHandler implements ICommandHandler<MergeConversation> {
  constructor(
    private readonly store: EventStore,
    private readonly links: RecordLinks,
    private readonly queries: ConversationQueries,
    private readonly extensions: MessageExtensions,
  ) {}

  async execute({ context, conversationId, fromId }: MergeConversation): Promise<ConversationResponse> {
    const { organizationId } = context;
    const ids = [conversationId, fromId];
    await mergeRecord(this.store, this.links, {
      context,
      aggregate: conversations,
      kind: 'conv',
      id: conversationId,
      fromId,
      field: 'from_conversation_id',
      missing: () => this.queries.missing(organizationId, conversationId),
      // Nobody begins a reply meanwhile.
      locks: () => ids.map(replyLock),
      check: async (tx) => {
        const replying = await this.extensions.replying.ask(tx, organizationId, ids);
        if (replying.length < 2) return;
        const detail = 'Both conversations have a pending reply: send or delete one of them first.';
        throw new Problem(409, 'both_have_replies', detail);
      },
      decide: (record, from) => [
        conversation.decide(record, { type: 'TakeConversationIn', conversation: from, by_hand: true }),
        conversation.decide(from, {
          type: 'MergeConversation',
          into_conversation_id: conversationId,
          by_hand: true,
        }),
      ],
    });
    return this.queries.existing(organizationId, conversationId);
  }
}
