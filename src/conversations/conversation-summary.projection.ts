import type { Statement } from '#database/statements/statement.js';
import type { ConversationChange } from './conversation-authors.projection.js';

const OWN = 'organization_id = $1 AND conversation_id = $2';

/**
 * What a list of conversations shows of their messages, found in the messages themselves, so that it follows `sent_at` whatever
 * came first. Each value is one probe of an index; only the number of messages is counted up, and counted anew after a merger.
 */
const SUMMARISE = `
  WITH response AS (
    SELECT sent_at, message_id FROM message WHERE ${OWN} AND message_direction = 'sent'
     ORDER BY sent_at DESC, message_id DESC LIMIT 1)
  UPDATE conversation SET
    message_count = CASE WHEN $4 THEN (SELECT count(*) FROM message WHERE ${OWN}) ELSE message_count + $3 END,
    subject = (
      SELECT subject FROM message WHERE ${OWN} AND subject <> '' ORDER BY sent_at, message_id LIMIT 1),
    (preview, last_direction, last_agent_id) = (
      SELECT preview, message_direction, agent_id FROM message
       WHERE organization_id = $1 AND message_id = conversation.last_message_id),
    waiting_since = (
      SELECT sent_at FROM message
       WHERE ${OWN} AND message_direction = 'received' AND NOT is_auto_reply
         AND (sent_at, message_id) > (coalesce((SELECT sent_at FROM response), '-infinity'),
                                      coalesce((SELECT message_id FROM response), ''))
       ORDER BY sent_at, message_id LIMIT 1),
    participants = ARRAY(
      SELECT contact_id FROM conversation_author WHERE ${OWN} ORDER BY contact_id LIMIT 20)
   WHERE ${OWN}`;

/** Brings the summaries of these conversations up to date, once their messages are written. `taking` took others' messages in. */
export function summaries(
  organizationId: string,
  changes: ConversationChange[],
  taking: ReadonlySet<string>,
): Statement[] {
  const added = new Map<string, number>([...taking].map((id) => [id, 0]));
  for (const { streamId, events, state } of changes) {
    const messages = events.filter(({ data }) => 'message' in data).length;
    if (state !== null && messages > 0) added.set(streamId, messages);
  }
  return [...added].map(([id, messages]) => ({
    name: 'summarise_conversation',
    text: SUMMARISE,
    values: [organizationId, id, messages, taking.has(id)],
  }));
}

const MOST_CHARACTERS = 200;

/** The beginning of a text by code points, white space folded. */
export function previewOf(text: string): string {
  const folded = text.trim().replace(/\s+/gu, ' ');
  return Array.from(folded.slice(0, 2 * MOST_CHARACTERS))
    .slice(0, MOST_CHARACTERS)
    .join('');
}
