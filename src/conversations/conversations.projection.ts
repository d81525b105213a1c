import { createHash } from 'node:crypto';
import type { StoredEvent } from '#kernel/context.js';
import type { Aggregate } from '#event-store/aggregate.js';
import type { Change } from '#event-store/change.js';
import { upsert } from '#event-store/rows.js';
import { bounce, type Bounce, type BounceEvent } from './bounce.js';
import { conversation, type Conversation, type ConversationEvent } from './conversation.js';
import { answeredMails, FOLLOWED, messageIdKey, type RecordedMessage } from './message.js';

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
  'visitor_id',
  'attachments',
];

const REFERENCE_COLUMNS = ['reference_hash', 'message_id', 'conversation_id', 'sent_at'];

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
  alsoTables: ['message', 'mail_reference'],
  also(changes) {
    const placed = changes.flatMap(placedMessages);
    const references = placed.flatMap(referenceRows);
    return [
      ...(placed.length > 0
        ? [upsert('message', ['message_id'], MESSAGE_COLUMNS, placed.map(messageRow))]
        : []),
      ...(references.length > 0
        ? [upsert('mail_reference', ['reference_hash', 'message_id'], REFERENCE_COLUMNS, references)]
        : []),
    ];
  },
};

type PlacedMessage = RecordedMessage & { organization_id: string; conversation_id: string };

const placedMessages = ({ organizationId, streamId, events }: Change<Conversation>): PlacedMessage[] =>
  events.flatMap((event) => {
    const { message } = (event as StoredEvent<ConversationEvent>).data as { message?: RecordedMessage };
    return message ? [{ organization_id: organizationId, conversation_id: streamId, ...message }] : [];
  });

function messageRow(message: PlacedMessage): object {
  const { email_message_id } = message.email_metadata;
  return {
    ...message,
    tracked_links: message.tracked_links ?? [],
    email_message_key: email_message_id === null ? null : messageIdKey(email_message_id),
  };
}

/** One row for each mail that this one answers, so that an original that arrives after its replies finds them. */
const referenceRows = ({
  organization_id,
  conversation_id,
  message_id,
  sent_at,
  email_metadata,
}: PlacedMessage): object[] =>
  answeredMails(email_metadata, FOLLOWED).map((key) => ({
    organization_id,
    reference_hash: referenceHash(key),
    message_id,
    conversation_id,
    sent_at,
  }));

/** A Message-ID may be longer than an index entry. */
export const referenceHash = (key: string): string => createHash('md5').update(key).digest('hex');

export const bounces: Aggregate<Bounce, BounceEvent> = {
  streamType: 'bounce',
  evolve: bounce.evolve,
  row: {
    table: 'bounce',
    key: 'bounce_id',
    columns: ['bounce_id', 'external_id', 'original_message_id', 'message_id', 'recipients', 'received_at'],
  },
};
