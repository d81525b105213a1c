import type { StoredEvent } from '#kernel/context.js';
import type { Aggregate } from '#event-store/aggregate.js';
import type { Change } from '#event-store/change.js';
import { upsert } from '#event-store/rows.js';
import { bounce, type Bounce, type BounceEvent } from './bounce.js';
import { conversation, type Conversation, type ConversationEvent } from './conversation.js';
import { messageIdKey, type RecordedMessage } from './message.js';

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
];

export const conversations: Aggregate<Conversation, ConversationEvent> = {
  streamType: 'conversation',
  evolve: conversation.evolve,
  row: {
    table: 'conversation',
    key: 'conversation_id',
    columns: [
      'conversation_id',
      'contact_id',
      'folder',
      'is_read',
      'agent_id',
      'owner_source',
      'first_sender',
      'start_at',
      'last_activity_at',
      'last_message_id',
      'last_modality',
      'last_inbound',
    ],
  },
  alsoTables: ['message'],
  also(changes) {
    const rows = changes.flatMap(messageRows);
    return rows.length > 0 ? [upsert('message', ['message_id'], MESSAGE_COLUMNS, rows)] : [];
  },
};

const messageRows = ({ organizationId, streamId, events }: Change<Conversation>): object[] =>
  events.flatMap((event) => {
    const { message } = (event as StoredEvent<ConversationEvent>).data as { message?: RecordedMessage };
    if (!message) return [];
    const { email_message_id } = message.email_metadata;
    return [
      {
        organization_id: organizationId,
        conversation_id: streamId,
        ...message,
        tracked_links: message.tracked_links ?? [],
        email_message_key: email_message_id === null ? null : messageIdKey(email_message_id),
      },
    ];
  });

export const bounces: Aggregate<Bounce, BounceEvent> = {
  streamType: 'bounce',
  evolve: bounce.evolve,
  row: {
    table: 'bounce',
    key: 'bounce_id',
    columns: ['bounce_id', 'external_id', 'original_message_id', 'message_id', 'recipients', 'received_at'],
  },
};
