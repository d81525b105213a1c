import { Module } from '@nestjs/common';
import { CrmModule } from '../crm/crm.module.js';
import { Authors } from './recording/authors.js';
import { AnswerTime } from './recording/answer-time.js';
import { AnsweredMails } from './answered-mails.queries.js';
import { AttachmentFiles } from './attachments/attachment-files.js';
import { AttachmentsController } from './attachments/attachments.controller.js';
import { RawMailController } from './attachments/raw-mail.controller.js';
import { BounceQueries } from './bounces/bounces.queries.js';
import { ConversationsController } from './conversations.controller.js';
import { MessagesController } from './messages.controller.js';
import { MessageQueries } from './messages.queries.js';
import { ConversationQueries } from './conversations.queries.js';
import { ConversationHolds } from './conversation-holds.js';
import { OwnAddress } from './recording/own-address.js';
import { TagsModule } from '../tags/tags.module.js';
import { FilesModule } from '../files/files.module.js';
import { InboundMessages } from './inbound/inbound-messages.js';
import { FormController } from './inbound/form.controller.js';
import { HooksController } from './inbound/hooks.controller.js';
import { ImportMbox } from './inbound/import-mbox.js';
import { LinkClicks } from './link-clicks.queries.js';
import { MailReceiver } from './inbound/mail-receiver.js';
import { MessagePlanner } from './recording/message-planner.js';
import { RecordBatch, RecordMessageHandler } from './recording/record-batch.js';
import { MessageExtensions } from './message-extensions.js';
import { MessageRecords } from './message-records.js';
import { MessagesByIds } from './messages-by-ids.queries.js';
import { ContactMatcher } from './recording/contact-matcher.js';
import { ThreadFinder } from './recording/thread-finder.js';
import { ThreadQueries } from './recording/threads.queries.js';
import { RecordBounceHandler } from './bounces/record-bounce.js';
import { SuppressionsModule } from '../suppressions/suppressions.module.js';
import { RecordComplaintHandler } from './bounces/record-complaint.js';
import { RecordTextReportHandler } from './bounces/record-text-report.js';
import { InboundSmtp } from './inbound/smtp-server.js';
import { TwilioController } from './inbound/twilio.controller.js';
import { SnoozedConversations } from './snooze/snoozed-conversations.queries.js';
import { WakeConversations } from './snooze/wake-conversations.js';
import { ChangeConversationsHandler } from './bulk/change-conversations.js';
import { UpdateConversationHandler } from './update-conversation.js';
import { TagConversations } from './tag-conversations.js';
import { RelinkConversations } from './relink-conversations.js';
import { MergeConversationHandler } from './merge-conversation.js';
import { MessagesTimeline } from './messages-timeline.queries.js';

/** Conversations, their messages, and the doors through which messages come in. */
@Module({
  imports: [CrmModule, TagsModule, FilesModule, SuppressionsModule],
  controllers: [
    ConversationsController,
    MessagesController,
    AttachmentsController,
    RawMailController,
    HooksController,
    FormController,
    TwilioController,
  ],
  providers: [
    MessagesTimeline,
    MergeConversationHandler,
    ChangeConversationsHandler,
    RelinkConversations,
    TagConversations,
    ConversationQueries,
    MessageQueries,
    AnsweredMails,
    AnswerTime,
    BounceQueries,
    ConversationHolds,
    LinkClicks,
    MessageExtensions,
    MessageRecords,
    MessagesByIds,
    ThreadQueries,
    ThreadFinder,
    ContactMatcher,
    Authors,
    OwnAddress,
    MessagePlanner,
    RecordBatch,
    RecordMessageHandler,
    RecordBounceHandler,
    RecordTextReportHandler,
    RecordComplaintHandler,
    UpdateConversationHandler,
    AttachmentFiles,
    InboundMessages,
    MailReceiver,
    ImportMbox,
    InboundSmtp,
    SnoozedConversations,
    WakeConversations,
  ],
  exports: [
    AttachmentFiles,
    ConversationQueries,
    AnsweredMails,
    BounceQueries,
    ConversationHolds,
    LinkClicks,
    MessageExtensions,
    RecordBatch,
  ],
})
export class ConversationsModule {}
