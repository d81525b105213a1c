import type { List } from '#http/paging/page.js';

/** The columns of a shown conversation, from a table or subquery of that name. $1 is the organization. */
export const CONVERSATION_COLUMNS = `conversation_id, start_at, last_activity_at, folder, is_read, contact_id, agent_id, subject,
  preview, message_count, last_message_id, last_direction, last_modality, last_agent_id, waiting_since, participants,
  EXISTS (SELECT FROM draft
           WHERE draft.organization_id = $1 AND draft.conversation_id = conversation.conversation_id
             AND kind = 'response' AND message_id IS NULL) AS has_draft`;

export const CONVERSATIONS: List = {
  name: 'conversations',
  select: `SELECT ${CONVERSATION_COLUMNS} FROM conversation`,
  sort: 'last_activity_at',
  id: 'conversation_id',
};

/** $2 is the contact. With the order in each half, PostgreSQL merges them and reads the contact's own by their index. */
export const CONVERSATIONS_OF_CONTACT: List = {
  ...CONVERSATIONS,
  name: 'conversations_of_contact',
  select: `SELECT ${CONVERSATION_COLUMNS} FROM (
             (SELECT c.*, c.contact_id AS of_contact FROM conversation c
               WHERE c.organization_id = $1 AND c.contact_id = $2
               ORDER BY c.last_activity_at DESC, c.conversation_id DESC)
             UNION ALL
             (SELECT c.*, a.contact_id AS of_contact FROM conversation_author a
                JOIN conversation c ON c.organization_id = $1 AND c.conversation_id = a.conversation_id
               WHERE a.organization_id = $1 AND a.contact_id = $2 AND NOT a.is_own AND c.contact_id <> $2
               ORDER BY c.last_activity_at DESC, c.conversation_id DESC)) conversation`,
};
