import { Module } from '@nestjs/common';
import { CrmModule } from '../crm/crm.module.js';
import { AnswerTime } from './answer-time.js';
import { AnsweredMails } from './answered-mails.queries.js';
import { AttachmentFiles } from './attachment-files.js';
import { AttachmentsController } from './attachments.controller.js';
import { BounceQueries } from './bounces.queries.js';
import { ConversationsController } from './conversations.controller.js';
import { ConversationQueries } from './conversations.queries.js';
import { HeldConversations } from './held-conversations.js';
import { OwnAddress } from './own-address.js';
import { Doors } from './doors/doors.js';
import { FormController } from './doors/form.controller.js';
import { HooksController } from './doors/hooks.controller.js';
import { ImportMbox } from './doors/import-mbox.js';
import { LinkClicks } from './link-clicks.queries.js';
import { MailDoor } from './doors/mail.door.js';
import { MessagePlanner } from './message-planner.js';
import { MessageRecorder } from './message-recorder.js';
import { MessageListeners } from './message-listeners.js';
import { Parties } from './parties.js';
import { Placing } from './placing.js';
import { PlacingQueries } from './placing.queries.js';
import { RecordBounceHandler } from './record-bounce.js';
import { RecordMessageHandler } from './record-message.js';
import { RecordingQueue } from './recording-queue.js';
import { RecordTextReportHandler } from './record-text-report.js';
import { SmtpDoor } from './doors/smtp.door.js';
import { TwilioController } from './doors/twilio.controller.js';
import { TriageConversationHandler } from './triage-conversation.js';

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
