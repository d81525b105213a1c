import { CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import type { Context } from '#kernel/context.js';
import { isId } from '#kernel/id.js';
import { EventStore } from '#event-store/event-store.js';
import { notFound } from '#http/problem.js';
import { atVersion } from '#http/versioned.js';
import { Directory } from '../workspace/workspace.contract.js';
import { conversation, type Conversation, type Triage } from './conversation.js';
import type { ConversationResponse } from './conversations.dto.js';
import { conversations } from './conversations.projection.js';

/** Marks a conversation read or unread, files it in a folder, gives it an owner. */
export class TriageConversation {
  constructor(
    readonly context: Context,
    readonly conversationId: string,
    readonly triage: Triage,
  ) {}
}

@CommandHandler(TriageConversation)
export class TriageConversationHandler implements ICommandHandler<TriageConversation, ConversationResponse> {
  constructor(
    private readonly store: EventStore,
    private readonly directory: Directory,
  ) {}

  async execute({ context, conversationId, triage }: TriageConversation): Promise<ConversationResponse> {
    if (!isId('conv', conversationId)) throw notFound('conversation', conversationId);
    await this.directory.requireAgent(context.organizationId, triage.agent_id);
    const { state, version } = await this.store.change(
      context,
      conversations,
      conversationId,
      ({ state }) => {
        if (!state) throw notFound('conversation', conversationId);
        return conversation.decide(state, { type: 'TriageConversation', triage });
      },
    );
    return atVersion(shownConversation(state!), version);
  }
}

const shownConversation = (state: Conversation): ConversationResponse => ({
  conversation_id: state.conversation_id,
  start_at: state.start_at,
  last_activity_at: state.last_activity_at,
  folder: state.folder,
  is_read: state.is_read,
  contact_id: state.contact_id,
  agent_id: state.agent_id,
});
