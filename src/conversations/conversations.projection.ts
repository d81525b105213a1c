import { createHash } from 'node:crypto';
import type { Statement } from '#database/statements/statement.js';
import type { Aggregate } from '#event-store/aggregate.js';
import { survivorOf } from '#event-store/merged-rows.js';
import { upsert } from '#event-store/rows.js';
import { conversation, type ConversationEvent } from './conversation.js';
import type { Conversation } from './conversation-state.js';
import {
  type ConversationChange,
  contactOf,
  conversationAuthors,
  markOwnAuthor,
  replaceContact,
  moveAuthors,
} from './conversation-authors.projection.js';
import { summaries } from './conversation-summary.projection.js';
import { authorsOf, previewOf } from './summary.js';
import { answeredMails, FOLLOWED, messageIdKey, NAMELESS, type RecordedMessage } from './message.js';

const MESSAGE_COLUMNS = [
  'message_id',
  'conversation_id',
  'agent_id',
  'modality',
  'message_direction',
  'is_form_request',
  'subject',
  'content',
  'body_html',
  'call_transcript',
  'form_request_body',
  'sent_at',
  'drafted_at',
  'email_metadata',
  'call_metadata',
  'external_id',
  'is_auto_reply',
  'email_message_key',
  'tracked_links',
  'new_content',
  'preview',
  'visitor_id',
  'attachments',
  'text_addresses',
  'author',
  'recipients',
  'copies',
  'raw',
];

const REFERENCE_KEY = ['reference_hash', 'contact_id', 'message_id'];

export const conversations: Aggregate<Conversation, ConversationEvent> = {
  streamType: 'conversation',
  evolve: conversation.evolve,
  row: {
    table: 'conversation',
    key: 'conversation_id',
    stamped: true,
    columns: [
      'conversation_id',
      'contact_id',
      'folder',
      'is_read',
      'agent_id',
      'owner_source',
      'first_sender',
      'foldered_by',
      'start_at',
      'last_activity_at',
      'last_message_id',
      'last_modality',
      'last_inbound',
      'heard_at',
      'has_beginning',
      'subject',
      'preview',
      'message_count',
      'last_direction',
      'last_agent_id',
      'waiting_since',
      'participants',
      'status',
      'snoozed_until',
      'tags',
      'tag_ids',
      'comment_count',
    ],
  },
  // Naming the present owner makes that owner assigned, which nobody sees.
  isSilent: ({ type }, before, after) =>
    type === 'ConversationTriaged' &&
    before.is_read === after.is_read &&
    before.folder === after.folder &&
    before.agent_id === after.agent_id &&
    before.status === after.status &&
    before.snoozed_until === after.snoozed_until,
  alsoTables: ['message', 'mail_reference', 'conversation_author', 'merged_conversation'],
  reaching: [
    'ConversationTakenIn',
    'ConversationMerged',
    'ConversationContactReplaced',
  ] satisfies ConversationEvent['type'][],
  also(organizationId, changes) {
    const placed = changes.flatMap(placedMessages);
    const references = placed.flatMap(referenceRows);
    const merged = mergedInto(changes);
    const taking = takingIn(changes, merged);
    const replaced = replacedContacts(changes, merged);
    return [
      ...(placed.length > 0
        ? [upsert('message', ['message_id'], MESSAGE_COLUMNS, organizationId, placed.map(messageRow))]
        : []),
      ...(references.length > 0
        ? [upsert('mail_reference', REFERENCE_KEY, REFERENCE_KEY, organizationId, references)]
        : []),
      ...conversationAuthors(organizationId, changes),
      ...mergers(organizationId, changes, merged),
      ...[...taking].map((id) => markOwnAuthor(organizationId, id)),
      ...replaced.flatMap(({ id, data }) => replaceContact(organizationId, id, data)),
      ...summaries(
        organizationId,
        changes,
        taking,
        replaced.map(({ id }) => id),
      ),
    ];
  },
};

type PlacedMessage = RecordedMessage & {
  conversation_id: string;
  /** Empty where the conversation was given. */
  contact_id: string;
  /** The contact who wrote it; null of a sent one. */
  written_by: string | null;
};

const placedMessages = (change: ConversationChange): PlacedMessage[] =>
  change.events.flatMap(({ data }) => {
    if (!('message' in data)) return [];
    const { streamId } = change;
    const { message, contact_id = '' } = data;
    const [written_by = null] = authorsOf(data, contactOf(change));
    return [{ conversation_id: streamId, contact_id, written_by, ...message }];
  });

/** The conversations that end here by being merged, each with the one it was merged into. */
const mergedInto = (changes: ConversationChange[]): Map<string, string> =>
  new Map(
    changes.flatMap(({ streamId, events }) =>
      events.flatMap(({ type, data }): [string, string][] =>
        type === 'ConversationMerged' ? [[streamId, data.into_conversation_id]] : [],
      ),
    ),
  );

const isByHand = ({ events }: ConversationChange): boolean =>
  events.some(({ type, data }) => type === 'ConversationMerged' && data.by_hand === true);

/** The conversations that have others' messages from now on, or had them before they were written here themselves. */
const takingIn = (changes: ConversationChange[], merged: ReadonlyMap<string, string>): Set<string> =>
  new Set([
    ...[...merged.keys()].map((id) => survivorOf(id, merged)),
    ...changes
      .filter(({ events }) => events.some(({ type }) => type === 'ConversationTakenIn'))
      .map(({ streamId }) => streamId),
  ]);

/** The contacts that were replaced, each with the conversation that has the messages now. */
const replacedContacts = (changes: ConversationChange[], merged: ReadonlyMap<string, string>) =>
  changes.flatMap(({ streamId, events }) =>
    events.flatMap(({ type, data }) =>
      type === 'ConversationContactReplaced' ? [{ id: survivorOf(streamId, merged), data }] : [],
    ),
  );

/** Moves the messages of merged conversations. All of them are there by then: nothing is recorded in a merged conversation. */
function mergers(
  organizationId: string,
  changes: ConversationChange[],
  merged: ReadonlyMap<string, string>,
): Statement[] {
  if (merged.size === 0) return [];
  const byHand = new Set(changes.filter(isByHand).map(({ streamId }) => streamId));
  const rows = [...merged].map(([conversation_id, into_conversation_id]) => ({
    conversation_id,
    into_conversation_id,
    by_hand: byHand.has(conversation_id),
  }));
  return [
    upsert(
      'merged_conversation',
      ['conversation_id'],
      ['conversation_id', 'into_conversation_id', 'by_hand'],
      organizationId,
      rows,
    ),
    ...[...merged.keys()].flatMap((conversation_id) => {
      const values = [organizationId, conversation_id, survivorOf(conversation_id, merged)];
      return [
        {
          name: 'move_messages',
          text: 'UPDATE message SET conversation_id = $3 WHERE organization_id = $1 AND conversation_id = $2',
          values,
        },
        moveAuthors(values),
      ];
    }),
  ];
}

function messageRow(message: PlacedMessage): object {
  const { email_message_id } = message.email_metadata;
  return {
    preview: previewOf(message),
    // What was recorded before messages named their authors has the contact it was exchanged with.
    author: message.from ?? { ...NAMELESS, contact_id: message.written_by },
    recipients: message.to ?? [],
    copies: message.cc ?? message.email_metadata.cc_emails.map((email) => ({ name: null, email })),
    email_message_key: email_message_id === null ? null : messageIdKey(email_message_id),
    ...message,
    tracked_links: message.tracked_links ?? [],
  };
}

/** A row for each mail that this one answers: an original that arrives after its replies finds them by these. */
const referenceRows = ({ contact_id, message_id, email_metadata }: PlacedMessage): object[] =>
  answeredMails(email_metadata, FOLLOWED).map((key) => ({
    reference_hash: referenceHash(key),
    contact_id,
    message_id,
  }));

/** The form in which Message-IDs are indexed: one may be longer than an index entry. */
export const referenceHash = (key: string): string => createHash('md5').update(key).digest('hex');
