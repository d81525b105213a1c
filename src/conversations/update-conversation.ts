import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import type { Context } from '#kernel/context.js';
import { isId } from '#kernel/id.js';
import { now } from '#kernel/instant.js';
import { EventStore } from '#event-store/event-store.js';
import { pathFirst } from '#http/path-first.js';
import { Directory } from '../workspace/workspace.contract.js';
import { conversation, type ConversationChanges } from './conversation.js';
import type { ConversationResponse } from './conversations.dto.js';
import { conversations } from './conversations.projection.js';
import { ConversationQueries } from './conversations.queries.js';
import { WakeConversations } from './snooze/wake-conversations.js';

/** Marks a conversation read or unread, files it in a folder, gives it an owner, snoozes, closes or opens it. */
export class UpdateConversation extends Command<ConversationResponse> {
  constructor(
    readonly context: Context,
    readonly conversationId: string,
    readonly changes: ConversationChanges,
  ) {
    super();
  }
}

@CommandHandler(UpdateConversation)
export class UpdateConversationHandler implements ICommandHandler<UpdateConversation> {
  constructor(
    private readonly store: EventStore,
    private readonly queries: ConversationQueries,
    private readonly directory: Directory,
    private readonly waking: WakeConversations,
  ) {}

  async execute({ context, conversationId, changes }: UpdateConversation): Promise<ConversationResponse> {
    const { organizationId } = context;
    const missing = () => this.queries.missing(organizationId, conversationId);
    if (!isId('conv', conversationId)) throw await missing();
    await this.directory
      .requireAgent(organizationId, changes.agent_id)
      .catch(pathFirst(this.store, context, conversations, conversationId, missing));
    try {
      await this.store.change(context, conversations, conversationId, ({ state }) => {
        if (!state) throw new NotThere();
        return conversation.decide(state, { type: 'UpdateConversation', changes, at: now() });
      });
    } catch (error) {
      throw error instanceof NotThere ? await missing() : error;
    }
    if (changes.snoozed_until) this.waking.wakeAt(organizationId, changes.snoozed_until);
    return this.queries.existing(organizationId, conversationId);
  }
}

/** Thrown before any version is compared. Where the conversation has gone is looked up outside of the decision. */
class NotThere extends Error {}
