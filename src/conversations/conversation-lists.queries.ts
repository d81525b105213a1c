import type { Condition, List } from '#http/paging/page.js';
import type { ListConversationsQuery } from './list-conversations.dto.js';

/** When a conversation of any list last changed. */
const CHANGED_AT = `greatest(conversation.updated_at, (
  SELECT changed_at FROM conversation_draft its
   WHERE its.organization_id = $1 AND its.conversation_id = conversation.conversation_id))`;

/** The columns of a shown conversation, from a table or subquery of that name. $1 is the organization. */
export const CONVERSATION_COLUMNS = `conversation_id, start_at, last_activity_at, folder, is_read, contact_id, agent_id, subject,
  preview, message_count, last_message_id, last_direction, last_modality, last_agent_id, waiting_since, participants,
  comment_count,
  EXISTS (SELECT FROM draft
           WHERE draft.organization_id = $1 AND draft.conversation_id = conversation.conversation_id
             AND kind = 'response' AND message_id IS NULL) AS has_draft,
  ${CHANGED_AT} AS updated_at`;

/**
 * Conversations by when they last changed, `changed_at`: of most of them their row tells; of some a reply that was drafted or deleted
 * since. With the order in each half, PostgreSQL merges them.
 */
const UPDATED = `SELECT ${CONVERSATION_COLUMNS} FROM (
  (SELECT c.*, c.updated_at AS changed_at FROM conversation c
    WHERE c.organization_id = $1 AND NOT EXISTS (
      SELECT FROM conversation_draft d
       WHERE d.organization_id = $1 AND d.conversation_id = c.conversation_id AND d.changed_at > c.updated_at)
    ORDER BY c.updated_at, c.conversation_id)
  UNION ALL
  (SELECT c.*, d.changed_at FROM conversation_draft d
     JOIN conversation c ON c.organization_id = $1 AND c.conversation_id = d.conversation_id
    WHERE d.organization_id = $1 AND d.changed_at > c.updated_at
    ORDER BY d.changed_at, d.conversation_id)) conversation`;

export const CONVERSATIONS: List = {
  name: 'conversations',
  select: `SELECT ${CONVERSATION_COLUMNS} FROM conversation`,
  sort: 'last_activity_at',
  id: 'conversation_id',
  orders: {
    last_activity_at: { sort: 'last_activity_at', ascending: true },
    waiting_since: { sort: 'waiting_since', ascending: true, where: 'waiting_since IS NOT NULL' },
  },
  updated: { select: UPDATED, sort: 'changed_at', isHidden: true },
};

/** For which `agent_id` a conversation has no owner. */
const NONE = 'none';

const WAITS = 'waiting_since IS NOT NULL';
const REPLY = `draft WHERE draft.organization_id = $1 AND kind = 'response' AND message_id IS NULL`;
/** Begins with the replies: there are few of them, while PostgreSQL would read all conversations to join the two. */
const HAS_DRAFT = `conversation_id = ANY (ARRAY(SELECT draft.conversation_id FROM ${REPLY}))`;
const HAS_NO_DRAFT = `NOT EXISTS (SELECT FROM ${REPLY} AND draft.conversation_id = conversation.conversation_id)`;

/** What a list of conversations is narrowed to. */
export const conversationFilters = (query: ListConversationsQuery): Condition[] => [
  ['folder =', query.folder],
  holds('is_read', query.is_read),
  ['agent_id =', query.agent_id === NONE ? undefined : query.agent_id],
  holds('agent_id IS NULL', query.agent_id === NONE ? true : undefined),
  ['contact_id =', query.contact_id],
  [
    'contact_id IN (SELECT contact_id FROM contact WHERE contact.organization_id = $1 AND company_id = ?)',
    query.company_id,
  ],
  ['last_modality =', query.modality],
  holds(WAITS, query.waiting),
  holds(query.has_draft ? HAS_DRAFT : HAS_NO_DRAFT, query.has_draft === undefined ? undefined : true),
];

/** That this holds, or that it does not. */
const holds = (sql: string, wanted: boolean | undefined): Condition =>
  wanted === undefined ? [sql, undefined] : [`?::boolean AND ${wanted ? sql : `NOT (${sql})`}`, true];

/** $2 is the contact. With the order in each half, PostgreSQL merges them and reads the contact's own by their index. */
export const CONVERSATIONS_OF_CONTACT: List = {
  sort: CONVERSATIONS.sort,
  id: CONVERSATIONS.id,
  name: 'conversations_of_contact',
  updated: { sort: CHANGED_AT, isHidden: true },
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
