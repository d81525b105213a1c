import { inOrder } from '#kernel/in-order.js';
import { type PublicForms, shownAs } from '#event-store/public-event.js';
import { shownTag, tagsChangedOf } from '../tags/tags.contract.js';
import type { BounceEvent } from './bounces/bounce.js';
import type { ConversationEvent } from './conversation.js';
import {
  BounceReceivedData,
  ConversationCommentsCountedData,
  ConversationContactReplacedData,
  ConversationDraftChangedData,
  ConversationMergedData,
  ConversationOpenedData,
  ConversationTakenInData,
  ConversationTriagedData,
  ConversationWokenData,
  MessageRecordedData,
  type RecordedMessageData,
} from './conversations.events.dto.js';
import { shownMessage } from './shown-message.js';
import type { RecordedMessage } from './message.js';

export const conversationEvents: PublicForms<ConversationEvent> = {
  ConversationOpened: shownAs(
    ConversationOpenedData,
    'A conversation began with its first message.',
    ({ conversation_id, contact_id, folder, agent_id, message }) => ({
      conversation_id,
      contact_id,
      folder,
      agent_id,
      message: recorded(conversation_id, message),
    }),
    {
      type: 'MessageRecorded',
      show: ({ conversation_id, folder, message }): MessageRecordedData => ({
        message: recorded(conversation_id, message),
        ...(folder !== null && { folder }),
      }),
    },
  ),
  MessageRecorded: shownAs(
    MessageRecordedData,
    'A message was added to a conversation. For readers who do not ask for ConversationOpened, also its first message.',
    ({ message, folder }, { stream_id }) => ({
      message: recorded(stream_id, message),
      ...(folder !== undefined && { folder }),
    }),
  ),
  ConversationTriaged: shownAs(
    ConversationTriagedData,
    'A conversation was marked, filed, given to somebody, snoozed, closed or opened.',
    (changes) => inOrder(changes, ['is_read', 'folder', 'agent_id', 'status', 'snoozed_until']),
  ),
  ConversationWoken: shownAs(
    ConversationWokenData,
    'The instant came until which a conversation was snoozed: it is open again.',
    ({ snoozed_until }) => ({ snoozed_until }),
  ),
  ConversationDraftChanged: shownAs(
    ConversationDraftChangedData,
    'A conversation has a reply that is not sent yet, or has none any more since it was deleted.',
    ({ has_draft }) => ({ has_draft }),
  ),
  ConversationTakenIn: shownAs(
    ConversationTakenInData,
    'Another conversation is part of this one, as a message has shown or somebody decided. Its messages are here from now on.',
    ({ conversation: { conversation_id }, folder, is_read, agent_id, tags, ...rest }) => ({
      conversation_id,
      folder,
      is_read,
      agent_id,
      status: rest.status ?? 'open',
      snoozed_until: rest.snoozed_until ?? null,
      ...(tags && { tags: tags.map(shownTag) }),
    }),
  ),
  ConversationTagsChanged: tagsChangedOf('conversation'),
  ConversationMerged: shownAs(
    ConversationMergedData,
    'A conversation is part of another, where its messages are from now on. It is no more.',
    ({ into_conversation_id }) => ({ into_conversation_id }),
  ),
  ConversationContactReplaced: shownAs(
    ConversationContactReplacedData,
    'A contact of a conversation was merged into another, who is its contact, or wrote in it, from now on.',
    ({ from_contact_id, to_contact_id }) => ({ from_contact_id, to_contact_id }),
  ),
  ConversationCommentsCounted: shownAs(
    ConversationCommentsCountedData,
    'A comment on a conversation was added or deleted.',
    ({ comment_count }) => ({ comment_count }),
  ),
};

export const bounceEvents: PublicForms<BounceEvent> = {
  BounceReceived: shownAs(
    BounceReceivedData,
    'A delivery report came back for a sent e-mail.',
    ({ bounce_id, original_message_id, message_id, recipients, received_at }) => ({
      bounce_id,
      original_message_id,
      message_id,
      recipients: recipients.map(({ address, action, ...rest }) => ({ address, action, ...rest })),
      received_at,
    }),
  ),
};

function recorded(conversation_id: string, message: RecordedMessage): RecordedMessageData {
  const { tracked_links: _, ...shown } = shownMessage({ conversation_id, ...message });
  return { ...shown, ...(message.also_by && { also_by: message.also_by }) };
}
