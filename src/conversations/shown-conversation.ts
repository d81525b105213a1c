import { replyModality } from './conversation.js';
import type { ConversationResponse } from './conversations.dto.js';

export type ConversationRow = Omit<ConversationResponse, 'last_message' | 'reply_modality'> & {
  last_message_id: string;
  last_direction: 'sent' | 'received';
  last_modality: string;
  last_agent_id: string | null;
  /** Null where nothing came in. */
  inbound_modality: string | null;
};

export const shownConversation = (row: ConversationRow): ConversationResponse => ({
  conversation_id: row.conversation_id,
  start_at: row.start_at,
  last_activity_at: row.last_activity_at,
  folder: row.folder,
  is_read: row.is_read,
  contact_id: row.contact_id,
  agent_id: row.agent_id,
  status: row.status,
  snoozed_until: row.snoozed_until,
  subject: row.subject,
  preview: row.preview,
  message_count: row.message_count,
  last_message: {
    message_id: row.last_message_id,
    direction: row.last_direction,
    modality: row.last_modality,
    sent_at: row.last_activity_at,
    agent_id: row.last_agent_id,
  },
  reply_modality: replyModality({
    last_inbound: row.inbound_modality === null ? null : { modality: row.inbound_modality },
    last_modality: row.last_modality,
  }),
  waiting_since: row.waiting_since,
  has_draft: row.has_draft,
  participants: row.participants,
  tags: row.tags,
  comment_count: row.comment_count,
  updated_at: row.updated_at,
});
