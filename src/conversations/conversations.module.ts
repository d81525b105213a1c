import { Module } from '@nestjs/common';
import { CrmModule } from '../crm/crm.module.js';
import { AnswerTime } from './answer-time.js';
import { AnsweredMails } from './answered-mails.queries.js';
import { AttachmentFiles } from './attachments/attachment-files.js';
import { AttachmentsController } from './attachments/attachments.controller.js';
import { BounceQueries } from './bounces/bounces.queries.js';
import { ConversationsController } from './conversations.controller.js';
import { ConversationQueries } from './conversations.queries.js';
import { HeldConversations } from './conversation-holds.js';
import { OwnAddress } from './recording/own-address.js';
import { Doors } from './inbound/inbound-messages.js';
import { FormController } from './inbound/form.controller.js';
import { HooksController } from './inbound/hooks.controller.js';
import { ImportMbox } from './inbound/import-mbox.js';
import { LinkClicks } from './link-clicks.queries.js';
import { MailDoor } from './inbound/mail-receiver.js';
import { MessagePlanner } from './recording/message-planner.js';
import { MessageRecorder } from './recording/message-recorder.js';
import { MessageListeners } from './message-extensions.js';
import { Parties } from './recording/contact-matcher.js';
import { Placing } from './recording/thread-finder.js';
import { PlacingQueries } from './recording/threads.queries.js';
import { RecordBounceHandler } from './bounces/record-bounce.js';
import { RecordMessageHandler } from './recording/record-message.js';
import { RecordingQueue } from './recording/recording-queue.js';
import { RecordTextReportHandler } from './bounces/record-text-report.js';
import { SmtpDoor } from './inbound/smtp-server.js';
import { TwilioController } from './inbound/twilio.controller.js';
import { TriageConversationHandler } from './update-conversation.js';

/** Conversations, their messages, and the doors through which messages come in. */
@Module({
  imports: [CrmModule],
  controllers: [
    ConversationsController,
    AttachmentsController,
    HooksController,
    FormController,
    TwilioController,
  ],
  providers: [
    ConversationQueries,
    AnsweredMails,
    AnswerTime,
    BounceQueries,
    HeldConversations,
    LinkClicks,
    MessageListeners,
    PlacingQueries,
    Placing,
    Parties,
    OwnAddress,
    MessagePlanner,
    MessageRecorder,
    RecordingQueue,
    RecordMessageHandler,
    RecordBounceHandler,
    RecordTextReportHandler,
    TriageConversationHandler,
    AttachmentFiles,
    Doors,
    MailDoor,
    ImportMbox,
    SmtpDoor,
  ],
  exports: [
    ConversationQueries,
    AnsweredMails,
    BounceQueries,
    HeldConversations,
    LinkClicks,
    MessageListeners,
    MessagePlanner,
    MessageRecorder,
  ],
})
export class ConversationsModule {}
