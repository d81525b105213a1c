// What other contexts may use of conversations.
export {
  conversation,
  documentedFields as conversationFields,
  replyModality,
  type ConversationEvent,
} from './conversation.js';
export type { Conversation } from './conversation-state.js';
export { conversations } from './conversations.projection.js';
export {
  AnsweredMails,
  type AnsweredMessage,
  type MailSender,
  type Sender,
  type TextSender,
} from './answered-mails.queries.js';
export { AttachmentFiles } from './attachments/attachment-files.js';
export { BounceQueries } from './bounces/bounces.queries.js';
export { ConversationQueries } from './conversations.queries.js';
export { ConversationHolds } from './conversation-holds.js';
export { LinkClicks, shownLink } from './link-clicks.queries.js';
export { TrackedLinkResponse } from './conversations.dto.js';
export { mailLock, replyLock } from './recording/locks.js';
export { type Bounced, type FailureReport, MessageExtensions } from './message-extensions.js';
export { noteDraft } from './note-draft.js';
export { noticeMessageId } from './notice-mail.js';
export { SMTP_BANNER } from './inbound/smtp-server.js';
export { sentTextId } from './inbound/text-message.js';
export { RecordBatch } from './recording/record-batch.js';
export type { MessageToRecord } from './recording/message-to-record.js';
export { isLater, mailExternalId, messageIdKey, type Moment, type RecordedMessage } from './message.js';
export { ReplyTokens } from './reply-token.js';
export { ImportMbox } from './inbound/import-mbox.js';
