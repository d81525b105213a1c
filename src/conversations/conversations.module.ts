import { Module } from '@nestjs/common';
import { CrmModule } from '../crm/crm.module.js';
import { ConversationsController } from './conversations.controller.js';
import { ConversationQueries } from './conversations.queries.js';
import { RecordMessageHandler } from './record-message.js';
import { TriageConversationHandler } from './triage-conversation.js';

/** Conversations, their messages, and the doors through which messages come in. */
@Module({
  imports: [CrmModule],
  controllers: [ConversationsController],
  providers: [ConversationQueries, RecordMessageHandler, TriageConversationHandler],
  exports: [ConversationQueries],
})
export class ConversationsModule {}
