// What other contexts may use of conversations.
export {
  conversation,
  documentedFields as conversationFields,
  replyModality,
  type ConversationEvent,
} from './conversation.js';
export type { Conversation } from './conversation-state.js';
export { conversations, survivorOf } from './conversations.projection.js';
export { AnsweredMails, type AnsweredMessage } from './answered-mails.queries.js';
export { BounceQueries } from './bounces.queries.js';
export { ConversationQueries } from './conversations.queries.js';
export { HeldConversations } from './held-conversations.js';
export { LinkClicks, shownLink } from './link-clicks.queries.js';
export { TrackedLinkResponse } from './conversations.dto.js';
export { htmlLayout } from './mail/mail-layout.js';
export { allStorable } from './mail/mail.js';
export { mailLock, replyLock } from './locks.js';
export { type Bounced, MessageListeners } from './message-listeners.js';
export { noticeMessageId } from './notice-mail.js';
export { SMTP_BANNER } from './doors/smtp.door.js';
export { sentTextId } from './doors/twilio.door.js';
export { MessagePlanner, type PreparedMessage } from './message-planner.js';
export { MessageRecorder } from './message-recorder.js';
export type { MessageToRecord } from './message-to-record.js';
export { isLater, mailExternalId, messageIdKey, type Moment, type RecordedMessage } from './message.js';
export { ReplyTokens } from './reply-token.js';
export { ImportMbox } from './doors/import-mbox.js';
