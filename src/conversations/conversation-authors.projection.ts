import type { Statement } from '#database/statements/statement.js';
import type { Change } from '#event-store/change.js';
import type { ContactReplaced, ConversationEvent } from './conversation.js';
import type { Conversation } from './conversation-state.js';
import { authorsOf } from './summary.js';

export type ConversationChange = Change<Conversation, ConversationEvent>;

/** Whose conversation it is, or was before these events. */
export function contactOf({ before, events }: ConversationChange): string | null {
  const [first] = events;
  return before?.contact_id ?? (first?.type === 'ConversationOpened' ? first.data.contact_id : null);
}

/** A row for each contact who wrote in a conversation; `is_own` where it is the contact's own. */
export function conversationAuthors(organizationId: string, changes: ConversationChange[]): Statement[] {
  const rows = changes.flatMap((change) => {
    const { streamId, before, events } = change;
    const contactId = contactOf(change);
    const all = events.flatMap(({ type, data }) => {
      return type === 'ConversationOpened' || type === 'MessageRecorded' ? authorsOf(data, contactId) : [];
    });
    // Participants have their row.
    const added = all.filter((one) => !before?.participants.includes(one));
    return [...new Set(added)].map((contact_id) => ({
      contact_id,
      conversation_id: streamId,
      is_own: contact_id === contactId,
    }));
  });
  if (rows.length === 0) return [];
  return [{ name: 'add_authors', text: ADD_AUTHORS, values: [organizationId, JSON.stringify(rows)] }];
}

/** What is there already is not written again. */
const ADD_AUTHORS = `
  INSERT INTO conversation_author (organization_id, contact_id, conversation_id, is_own)
  SELECT $1, contact_id, conversation_id, is_own FROM jsonb_populate_recordset(NULL::conversation_author, $2)
      ON CONFLICT (organization_id, contact_id, conversation_id) DO UPDATE SET is_own = true
   WHERE excluded.is_own AND NOT conversation_author.is_own`;

/** Marks the row of the conversation's own contact, which may have come from a merged conversation. */
export const markOwnAuthor = (organizationId: string, conversationId: string): Statement => ({
  name: 'mark_own_author',
  text: `UPDATE conversation_author SET is_own = true
          WHERE organization_id = $1 AND conversation_id = $2 AND NOT is_own
            AND contact_id = (
                  SELECT contact_id FROM conversation WHERE organization_id = $1 AND conversation_id = $2)`,
  values: [organizationId, conversationId],
});

/** Whoever wrote as a contact who was merged wrote as the one that stays. */
export const replaceContact = (
  organizationId: string,
  conversationId: string,
  { from_contact_id, to_contact_id }: ContactReplaced,
): Statement[] => {
  const values = [organizationId, conversationId, from_contact_id, to_contact_id];
  return [
    {
      name: 'replace_message_authors',
      text: `UPDATE message SET author = jsonb_set(author, '{contact_id}', to_jsonb($4::text))
              WHERE organization_id = $1 AND conversation_id = $2 AND author ->> 'contact_id' = $3`,
      values,
    },
    {
      name: 'replace_author',
      text: `WITH gone AS (
               DELETE FROM conversation_author
                WHERE organization_id = $1 AND conversation_id = $2 AND contact_id = $3 RETURNING 1)
             INSERT INTO conversation_author (organization_id, contact_id, conversation_id, is_own)
             SELECT $1, $4, $2, false FROM gone
                 ON CONFLICT (organization_id, contact_id, conversation_id) DO NOTHING`,
      values,
    },
    markOwnAuthor(organizationId, conversationId),
  ];
};

/** Who wrote in a conversation that was merged wrote in the one that is left. */
export const moveAuthors = (values: unknown[]): Statement => ({
  name: 'move_authors',
  text: `WITH moved AS (
           DELETE FROM conversation_author WHERE organization_id = $1 AND conversation_id = $2 RETURNING contact_id)
         INSERT INTO conversation_author (organization_id, contact_id, conversation_id, is_own)
         SELECT $1, contact_id, $3, false FROM moved
             ON CONFLICT (organization_id, contact_id, conversation_id) DO NOTHING`,
  values,
});
