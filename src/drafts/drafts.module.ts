import { Module } from '@nestjs/common';
import { ConversationsModule } from '../conversations/conversations.module.js';
import { CrmModule } from '../crm/crm.module.js';
import { CreateMessageDraftHandler } from './create-message-draft.js';
import { DeleteDraftHandler } from './delete-draft.js';
import { AllResponseDraftsController } from './all-response-drafts.controller.js';
import { CancelOnReply } from './extensions/cancel-on-reply.js';
import { Bounces } from './delivery/bounces.js';
import { Claims } from './delivery/claims.js';
import { Deliveries } from './delivery/deliveries.js';
import { DeliveriesAdminController } from './delivery/deliveries.admin.controller.js';
import { DeliveryQueries } from './delivery/deliveries.queries.js';
import { DeliveryQueue } from './delivery/delivery.queue.js';
import { DraftLookup } from './draft-lookup.js';
import { DraftQueries } from './drafts.queries.js';
import { FilesModule } from '../files/files.module.js';
import { HoldConversation } from './extensions/hold-conversation.js';
import { OwnMail } from './extensions/own-mail.js';
import { LinksController } from './links/links.controller.js';
import { MarkBounce } from './extensions/mark-bounce.js';
import { MessageDraftsController } from './message-drafts.controller.js';
import { QueueingPolicy } from './send-policy.js';
import { ReplyRecipients } from './reply-recipients.js';
import { Outcomes } from './delivery/outcomes.js';
import { ResponseDraftsController } from './response-drafts.controller.js';
import { NoticeSender } from './notices/notice-sender.js';
import { NoticeTexts } from './notices/notice-texts.js';
import { ReviewRequests } from './notices/review-requests.js';
import { TellReviewers } from './notices/tell-reviewers.js';
import { RetryDeliveryHandler } from './delivery/retry-delivery.js';
import { SavedDrafts } from './saved-drafts.js';
import { SaveResponseDraftHandler } from './save-response-draft.js';
import { SendDraftHandler } from './send-draft.js';
import { Senders } from './providers/senders.js';
import { SmtpSender } from './providers/smtp.js';
import { UnscheduleDraftHandler } from './unschedule-draft.js';
import { SuppressedRecipients } from './suppressed-recipients.js';
import { SuppressionsModule } from '../suppressions/suppressions.module.js';
import { Templated } from './templated.js';
import { TemplatesModule } from '../templates/templates.module.js';
import { TrackedLinksController } from './links/tracked-links.controller.js';
import { RelinkDrafts } from './extensions/relink-drafts.js';
import { DraftsTimeline } from './drafts-timeline.queries.js';

/** Messages before they are sent, their delivery, and their promotion. */
@Module({
  imports: [CrmModule, ConversationsModule, FilesModule, SuppressionsModule, TemplatesModule],
  controllers: [
    MessageDraftsController,
    ResponseDraftsController,
    AllResponseDraftsController,
    DeliveriesAdminController,
    LinksController,
    TrackedLinksController,
  ],
  providers: [
    DraftsTimeline,
    DraftQueries,
    DeliveryQueries,
    DraftLookup,
    QueueingPolicy,
    ReplyRecipients,
    SavedDrafts,
    Templated,
    SuppressedRecipients,
    DeliveryQueue,
    Deliveries,
    Claims,
    Bounces,
    Outcomes,
    Senders,
    SmtpSender,
    MarkBounce,
    HoldConversation,
    RelinkDrafts,
    CancelOnReply,
    OwnMail,
    ReviewRequests,
    NoticeTexts,
    TellReviewers,
    NoticeSender,
    CreateMessageDraftHandler,
    SaveResponseDraftHandler,
    SendDraftHandler,
    UnscheduleDraftHandler,
    DeleteDraftHandler,
    RetryDeliveryHandler,
  ],
  exports: [NoticeTexts],
})
export class DraftsModule {}
