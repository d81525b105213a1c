import { foundByIds } from '#database/by-ids.js';
import type { Reader } from '#database/statements/statement.js';
import { isId } from '#kernel/id.js';
import { type Conversation, replyModality } from '../conversations/conversations.contract.js';

/** By which channel the saved ones among these replies would leave, as their conversations are now. */
export async function modalitiesOfSaved(
  reader: Reader,
  organizationId: string,
  ids: string[],
): Promise<[string, string][]> {
  const replies = ids.filter((id) => isId('response', id));
  if (replies.length === 0) return [];
  const rows = await reader.query<
    Pick<Conversation, 'last_inbound' | 'last_modality'> & { draft_id: string }
  >({
    name: 'modalities_of_saved',
    text: `SELECT draft_id, conversation.* FROM ${foundByIds(
      'draft',
      'draft_id',
      'draft_id, conversation_id',
      `delivery ->> 'status' NOT IN ('queued', 'sending', 'retrying')`,
    )} CROSS JOIN LATERAL (SELECT last_inbound, last_modality FROM conversation
         WHERE conversation.organization_id = $1 AND conversation.conversation_id = found.conversation_id OFFSET 0) conversation`,
    values: [organizationId, replies],
  });
  return rows.map((row) => [row.draft_id, replyModality(row)]);
}
