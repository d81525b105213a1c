import { Module } from '@nestjs/common';
import { ConversationsModule } from '../conversations/conversations.module.js';
import { CrmModule } from '../crm/crm.module.js';
import { DeleteResponseDraftHandler } from './delete-response-draft.js';
import { DeliverDraftHandler } from './deliver-draft.js';
import { DeliveryQueue } from './delivery.queue.js';
import { ResponseDraftsController } from './drafts.controller.js';
import { DraftQueries } from './drafts.queries.js';
import { QueueingPolicy } from './queueing.js';
import { ResponseDraftLookup } from './response-draft-lookup.js';
import { SaveResponseDraftHandler } from './save-response-draft.js';
import { SendResponseDraftHandler } from './send-response-draft.js';
import { SmtpSender } from './smtp.js';

/** Replies before they are sent, their delivery, and their promotion to messages. */
@Module({
  imports: [CrmModule, ConversationsModule],
  controllers: [ResponseDraftsController],
  providers: [
    DraftQueries,
    ResponseDraftLookup,
    QueueingPolicy,
    DeliveryQueue,
    SmtpSender,
    SaveResponseDraftHandler,
    SendResponseDraftHandler,
    DeleteResponseDraftHandler,
    DeliverDraftHandler,
  ],
})
export class DraftsModule {}
