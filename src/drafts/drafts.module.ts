import { Module } from '@nestjs/common';
import { ConversationsModule } from '../conversations/conversations.module.js';
import { CrmModule } from '../crm/crm.module.js';
import { CreateMessageDraftHandler } from './create-message-draft.js';
import { DeleteDraftHandler } from './delete-draft.js';
import { Bounces } from './delivery/bounces.js';
import { Claims } from './delivery/claims.js';
import { Deliveries } from './delivery/deliveries.js';
import { DeliveriesAdminController } from './deliveries.admin.controller.js';
import { DeliveryQueries } from './deliveries.queries.js';
import { DeliveryQueue } from './delivery/delivery.queue.js';
import { DraftLookup } from './draft-lookup.js';
import { DraftQueries } from './drafts.queries.js';
import { HoldConversation } from './hold-conversation.js';
import { OwnMail } from './own-mail.js';
import { LinksController } from './links.controller.js';
import { MarkBounce } from './mark-bounce.js';
import { MessageDraftsController } from './message-drafts.controller.js';
import { QueueingPolicy } from './queueing.js';
import { ReplyRecipients } from './reply-recipients.js';
import { Outcomes } from './delivery/outcomes.js';
import { PromotionQueue } from './delivery/promotion-queue.js';
import { ResponseDraftsController } from './response-drafts.controller.js';
import { NoticeSender } from './delivery/notice-sender.js';
import { ReviewRequests } from './review-requests.js';
import { RetryDeliveryHandler } from './retry-delivery.js';
import { SavedDrafts } from './saved-drafts.js';
import { SaveResponseDraftHandler } from './save-response-draft.js';
import { SendDraftHandler } from './send-draft.js';
import { Senders } from './delivery/senders.js';
import { SmtpSender } from './delivery/smtp.js';
import { TrackedLinksController } from './tracked-links.controller.js';

/** Messages before they are sent, their delivery, and their promotion. */
@Module({
  imports: [CrmModule, ConversationsModule],
  controllers: [
    MessageDraftsController,
    ResponseDraftsController,
    DeliveriesAdminController,
    LinksController,
    TrackedLinksController,
  ],
  providers: [
    DraftQueries,
    DeliveryQueries,
    DraftLookup,
    QueueingPolicy,
    ReplyRecipients,
    SavedDrafts,
    DeliveryQueue,
    Deliveries,
    Claims,
    Bounces,
    Outcomes,
    PromotionQueue,
    Senders,
    SmtpSender,
    MarkBounce,
    HoldConversation,
    OwnMail,
    ReviewRequests,
    NoticeSender,
    CreateMessageDraftHandler,
    SaveResponseDraftHandler,
    SendDraftHandler,
    DeleteDraftHandler,
    RetryDeliveryHandler,
  ],
})
export class DraftsModule {}
