import type { Condition, List } from '#http/paging/list.js';
import { hasTags, tagsOf } from '../tags/tags.contract.js';
import type { ListConversationsQuery } from './list-conversations.dto.js';
import { STATUSES } from './status.js';

/** The columns of a shown conversation, from a table or subquery of that name. $1 is the organization. */
export const CONVERSATION_COLUMNS = `conversation_id, start_at, last_activity_at, folder, is_read, contact_id, agent_id, status, snoozed_until, subject,
  preview, message_count, last_message_id, last_direction, last_modality, last_agent_id, waiting_since, participants,
  comment_count, last_inbound->>'modality' AS inbound_modality,
  EXISTS (SELECT FROM draft
           WHERE draft.organization_id = $1 AND draft.conversation_id = conversation.conversation_id
             AND kind = 'response' AND message_id IS NULL) AS has_draft,
  ${tagsOf('conversation')},
  updated_at`;

const CONVERSATIONS: List = {
  name: 'conversations',
  select: `SELECT ${CONVERSATION_COLUMNS} FROM conversation`,
  sort: 'last_activity_at',
  id: 'conversation_id',
  orders: {
    last_activity_at: { sort: 'last_activity_at', ascending: true },
    waiting_since: { sort: 'waiting_since', ascending: true, where: 'waiting_since IS NOT NULL' },
  },
};

/** Those of several statuses: a page of each that is asked for is read, by the order of an index, since most may be of another. */
const CONVERSATIONS_OF_STATUSES: List = {
  ...CONVERSATIONS,
  name: 'conversations_of_statuses',
  each: `SELECT one.* FROM unnest(ARRAY[${STATUSES.map((status) => `'${status}'`).join(', ')}]) AS asked (status)`,
};
const OF_ASKED = 'status = asked.status AND asked.status = ANY (?::text[])';

/** The list that reads the fewest conversations for this query, and its conditions but the organization's. */
export function conversationList(query: ListConversationsQuery): { list: List; conditions: Condition[] } {
  const [status, ...others] = new Set(query.status);
  const filters = conversationFilters(query);
  if (others.length === 0) return { list: CONVERSATIONS, conditions: [['status =', status], ...filters] };
  return { list: CONVERSATIONS_OF_STATUSES, conditions: [[OF_ASKED, [status, ...others]], ...filters] };
}

/** For which `agent_id` a conversation has no owner. */
const NONE = 'none';

const WAITS = 'waiting_since IS NOT NULL';
const REPLY = `draft WHERE draft.organization_id = $1 AND kind = 'response' AND message_id IS NULL`;
/** Begins with the replies: there are few of them, while PostgreSQL would read all conversations to join the two. */
const HAS_DRAFT = `conversation_id = ANY (ARRAY(SELECT draft.conversation_id FROM ${REPLY}))`;
const HAS_NO_DRAFT = `NOT EXISTS (SELECT FROM ${REPLY} AND draft.conversation_id = conversation.conversation_id)`;

/** What a list of conversations is narrowed to beside their status. */
const conversationFilters = (query: ListConversationsQuery): Condition[] => [
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
  ...hasTags('conversation', query.tag_id),
];

/** That this holds, or that it does not. */
const holds = (sql: string, wanted: boolean | undefined): Condition =>
  wanted === undefined ? [sql, undefined] : [`?::boolean AND ${wanted ? sql : `NOT (${sql})`}`, true];

/** $2 is the contact. With the order in each half, PostgreSQL merges them and reads the contact's own by their index. */
export const CONVERSATIONS_OF_CONTACT: List = {
  sort: CONVERSATIONS.sort,
  id: CONVERSATIONS.id,
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
