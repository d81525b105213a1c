import type { Statement } from '#database/statements/statement.js';
import type { ConversationChange } from './conversation-authors.projection.js';
import { lastMessage } from './conversation-state.js';
import { isLater, type Moment } from './message.js';

const OWN = 'organization_id = $1 AND conversation_id = $2';

/**
 * Finds the summary in the messages: each value is one probe of an index. Their number is counted only after a merger. `opened` in
 * `conversation-state.ts` and what follows give the same for messages that come in their order.
 */
const SUMMARISE = `
  WITH response AS (
    SELECT sent_at, message_id FROM message WHERE ${OWN} AND message_direction = 'sent'
     ORDER BY sent_at DESC, message_id DESC LIMIT 1),
  latest AS (
    SELECT preview, message_direction, agent_id FROM message
     WHERE organization_id = $1 AND message_id = (SELECT last_message_id FROM conversation WHERE ${OWN}))
  UPDATE conversation SET
    message_count = CASE WHEN $3 THEN (SELECT count(*) FROM message WHERE ${OWN}) ELSE message_count END,
    subject = (
      SELECT subject FROM message WHERE ${OWN} AND subject <> '' ORDER BY sent_at, message_id LIMIT 1),
    preview = (SELECT preview FROM latest),
    last_direction = (SELECT message_direction FROM latest),
    last_agent_id = (SELECT agent_id FROM latest),
    waiting_since = (
      SELECT sent_at FROM message
       WHERE ${OWN} AND message_direction = 'received' AND NOT is_auto_reply
         AND (sent_at, message_id) > (coalesce((SELECT sent_at FROM response), '-infinity'),
                                      coalesce((SELECT message_id FROM response), ''))
       ORDER BY sent_at, message_id LIMIT 1),
    participants = ARRAY(
      SELECT contact_id FROM conversation_author WHERE ${OWN} ORDER BY contact_id LIMIT 20)
   WHERE ${OWN}`;

/** Corrects the summaries of conversations that got a message out of its order, others' messages (`taking`), or another contact. */
export function summaries(
  organizationId: string,
  changes: ConversationChange[],
  taking: ReadonlySet<string>,
  replaced: string[],
): Statement[] {
  const late = changes.filter((change) => change.state !== null && !isInOrder(change));
  return [...new Set([...taking, ...late.map(({ streamId }) => streamId), ...replaced])].map((id) => ({
    name: 'summarise_conversation',
    text: SUMMARISE,
    values: [organizationId, id, taking.has(id)],
  }));
}

/** Whether each message came after those that were sent before it. */
function isInOrder({ before, events }: ConversationChange): boolean {
  let last: Moment | null = before && lastMessage(before);
  for (const { data } of events) {
    if (!('message' in data)) continue;
    if (last && !isLater(data.message, last)) return false;
    last = data.message;
  }
  return true;
}
