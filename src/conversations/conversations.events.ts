import { inOrder } from '#kernel/in-order.js';
import { type PublicForms, shownAs } from '#event-store/public-event.js';
import type { BounceEvent } from './bounces/bounce.js';
import type { ConversationEvent } from './conversation.js';
import {
  BounceReceivedData,
  ConversationCommentsCountedData,
  ConversationContactReplacedData,
  ConversationMergedData,
  ConversationOpenedData,
  ConversationTakenInData,
  ConversationTriagedData,
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
    'A conversation was marked, filed or given to somebody.',
    (changes) => inOrder(changes, ['is_read', 'folder', 'agent_id']),
  ),
  ConversationTakenIn: shownAs(
    ConversationTakenInData,
    'Another conversation is part of this one, as a message has shown or somebody decided. Its messages are here from now on.',
    ({ conversation: { conversation_id }, folder, is_read, agent_id }) => ({
      conversation_id,
      folder,
      is_read,
      agent_id,
    }),
  ),
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
  return shown;
}
