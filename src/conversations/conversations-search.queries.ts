import type { StoredEvent } from '#kernel/context.js';
import type { Instant } from '#kernel/instant.js';
import type { Reader } from '#database/statements/statement.js';
import { foundByIds } from '#database/by-ids.js';
import { isId } from '#kernel/id.js';
import type { Documents, SearchDocument, SearchField, SearchSource } from '../search/search.contract.js';
import type { ConversationEvent } from './conversation.js';
import type { Attachment, RecordedMessage } from './message.js';
import { previewOf } from './summary.js';

/** Characters of a text that stand for a message without a subject. */
const TITLE = 100;

/** What messages and conversations are found by. */
export const CONVERSATIONS_SEARCH: SearchSource = {
  streamType: 'conversation',
  idKinds: ['msg', 'conv'],
  async changed(reader, organizationId, stored) {
    const events = stored as StoredEvent<ConversationEvent>[];
    const ids = [...new Set(events.map(({ stream_id }) => stream_id))];
    const contacts = await contactsOf(reader, organizationId, ids);
    const documents: Documents = new Map();
    for (const { stream_id: conversation_id, data, type } of events) {
      if (type === 'ConversationMerged') documents.set(conversation_id, null);
      if (!('message' in data)) continue;
      const contact_id = contacts.get(conversation_id)!;
      const { message } = data;
      const cc = message.cc ?? message.email_metadata.cc_emails.map((email) => ({ name: null, email }));
      documents.set(message.message_id, messageDocument({ conversation_id, contact_id, ...message, cc }));
    }
    // By what it is now: messages that come late, mergers and people change what earlier events have told.
    for (const [id, document] of await presentConversations(reader, organizationId, ids))
      if (document.title !== '') documents.set(id, document);
    // Whose its messages are now: another contact's, or those of a conversation that it took in.
    const replaced = events.filter(
      ({ type }) => type === 'ConversationContactReplaced' || type === 'ConversationTakenIn',
    );
    for (const [id, document] of await messagesOf(
      reader,
      organizationId,
      replaced.map(({ stream_id }) => stream_id),
    ))
      documents.set(id, document);
    await nameSurvivors(reader, organizationId, documents);
    return documents;
  },
  async present(reader, organizationId, ids) {
    const [messages, conversations] = await Promise.all([
      presentMessages(
        reader,
        organizationId,
        ids.filter((id) => isId('msg', id)),
      ),
      presentConversations(
        reader,
        organizationId,
        ids.filter((id) => isId('conv', id)),
      ),
    ]);
    return new Map([...messages, ...conversations]);
  },
};

/** The documents of the messages of these conversations as they are now. */
async function messagesOf(
  reader: Reader,
  organizationId: string,
  ids: string[],
): Promise<[string, SearchDocument][]> {
  if (ids.length === 0) return [];
  const rows = await reader.query<{ message_id: string }>({
    name: 'messages_of_conversations',
    text: `SELECT found.* FROM ${foundByIds('message', 'conversation_id', 'message_id')}`,
    values: [organizationId, ids],
  });
  return presentMessages(
    reader,
    organizationId,
    rows.map(({ message_id }) => message_id),
  );
}

/** Puts the contacts that stay in place of those who were merged into them. */
async function nameSurvivors(reader: Reader, organizationId: string, documents: Documents): Promise<void> {
  const found = [...documents.values()].filter((one) => one !== null);
  const ids = [...new Set(found.flatMap(({ contact_ids }) => contact_ids))];
  if (ids.length === 0) return;
  const rows = await reader.query<{ contact_id: string; into_id: string }>({
    name: 'survivors_of_contacts',
    text: `SELECT found.* FROM ${foundByIds('merged_contact', 'contact_id', 'contact_id, into_id')}`,
    values: [organizationId, ids],
  });
  if (rows.length === 0) return;
  const into = new Map(rows.map(({ contact_id, into_id }) => [contact_id, into_id]));
  for (const document of found) document.contact_ids = document.contact_ids.map((id) => into.get(id) ?? id);
}

/** The contact that each conversation began with: later events need not say whose it is. */
async function contactsOf(
  reader: Reader,
  organizationId: string,
  ids: string[],
): Promise<Map<string, string>> {
  const rows = await reader.query<{ stream_id: string; contact_id: string }>({
    name: 'contacts_that_began',
    text: `SELECT found.* FROM ${foundByIds('es_event', 'stream_id', `stream_id, data ->> 'contact_id' AS contact_id`, 'version = 1')}`,
    values: [organizationId, ids],
  });
  return new Map(rows.map(({ stream_id, contact_id }) => [stream_id, contact_id]));
}

type FoundMessage = Pick<
  RecordedMessage,
  'subject' | 'content' | 'call_transcript' | 'sent_at' | 'agent_id' | 'modality'
> & {
  conversation_id: string;
  contact_id: string;
  new_content?: string | null;
  from?: RecordedMessage['from'] | null;
  to?: RecordedMessage['to'] | null;
  cc?: RecordedMessage['cc'] | null;
  attachments?: Attachment[] | null;
};

function messageDocument(message: FoundMessage): SearchDocument {
  const people = [
    ...(message.from ? [{ as: 'from', ...message.from }] : []),
    ...(message.to ?? []).map((one) => ({ as: 'to', ...one })),
    ...(message.cc ?? []).map((one) => ({ as: 'cc', ...one, phone_number: null })),
  ];
  const text = message.new_content ?? message.content;
  return {
    type: 'message',
    title: message.subject || previewOf(message).slice(0, TITLE),
    conversation_id: message.conversation_id,
    occurred_at: message.sent_at,
    agent_id: message.agent_id,
    contact_ids: [message.contact_id, message.from?.contact_id ?? null].filter((id) => id !== null),
    modality: message.modality,
    fields: [
      { name: 'subject', text: message.subject, kind: 'title' },
      { name: 'content', text },
      ...people.flatMap(({ as, name, email, phone_number }): SearchField[] => [
        { name: `${as}.name`, text: name },
        { name: `${as}.email`, text: email, kind: 'address' },
        { name: `${as}.phone_number`, text: phone_number, kind: 'number' },
      ]),
      { name: 'call_transcript', text: message.call_transcript },
      ...(message.attachments ?? []).map(({ file_name }) => ({ name: 'attachments', text: file_name })),
    ],
  };
}

type FoundConversation = {
  conversation_id: string;
  contact_id: string;
  subject: string | null;
  sent_at: Instant;
  agent_id: string | null;
  modality: string;
};

const conversationDocument = ({
  conversation_id,
  contact_id,
  subject,
  sent_at,
  agent_id,
  modality,
}: FoundConversation): SearchDocument => ({
  type: 'conversation',
  title: subject ?? '',
  conversation_id,
  occurred_at: sent_at,
  agent_id,
  contact_ids: [contact_id],
  modality,
  fields: [{ name: 'subject', text: subject, kind: 'title' }],
});

async function presentMessages(
  reader: Reader,
  organizationId: string,
  ids: string[],
): Promise<[string, SearchDocument][]> {
  if (ids.length === 0) return [];
  const rows = await reader.query<FoundMessage & { message_id: string }>({
    name: 'found_messages',
    text: `SELECT found.*, conversation.contact_id FROM ${foundByIds(
      'message',
      'message_id',
      `message_id, conversation_id, subject, content, new_content, call_transcript, sent_at, agent_id, modality, attachments,
       author AS "from", recipients AS "to", copies AS cc`,
    )} CROSS JOIN LATERAL (SELECT contact_id FROM conversation
         WHERE conversation.organization_id = $1 AND conversation.conversation_id = found.conversation_id OFFSET 0) conversation`,
    values: [organizationId, ids],
  });
  return rows.map((row) => [row.message_id, messageDocument(row)]);
}

async function presentConversations(
  reader: Reader,
  organizationId: string,
  ids: string[],
): Promise<[string, SearchDocument][]> {
  if (ids.length === 0) return [];
  const rows = await reader.query<FoundConversation>({
    name: 'found_conversations',
    text: `SELECT found.* FROM ${foundByIds(
      'conversation',
      'conversation_id',
      'conversation_id, contact_id, subject, start_at AS sent_at, agent_id, last_modality AS modality',
    )}`,
    values: [organizationId, ids],
  });
  return rows.map((row) => [row.conversation_id, conversationDocument(row)]);
}
