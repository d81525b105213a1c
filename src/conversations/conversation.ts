import type { Decider } from '#kernel/decider.js';
import type { Instant } from '#kernel/instant.js';
import { type RecordTag, type Tagged, type TagsChange, UNTAGGED, withTagsChanged } from '#kernel/tags.js';
import {
  type Conversation,
  heard,
  lastMessage,
  opened,
  together,
  withFolder,
  withMessage,
} from './conversation-state.js';
import type { RecordedMessage } from './message.js';
import { changesOfStatus, CLOSED, difference, isWritten, OPEN, type Status } from './status.js';

export type ConversationEvent =
  | {
      type: 'ConversationOpened';
      data: {
        conversation_id: string;
        contact_id: string;
        folder: string | null;
        /** The agent of the contact's company, who owns the conversation from the start. */
        agent_id: string | null;
        message: RecordedMessage;
        /** Left out where the message follows another. */
        begins?: true;
        recorded_at?: Instant;
      };
    }
  | {
      type: 'MessageRecorded';
      data: {
        message: RecordedMessage;
        folder?: string;
        begins?: true;
        /** The contact it was exchanged with; left out where the conversation was given. */
        contact_id?: string;
        /** When it was recorded, of one that a person wrote to us. Left out by versions before 1.0.0-beta.2. */
        recorded_at?: Instant;
      };
    }
  | { type: 'ConversationTriaged'; data: ConversationChanges }
  /** The instant came until which it was snoozed. */
  | { type: 'ConversationWoken'; data: { snoozed_until: Instant } }
  /** A reply was drafted, or deleted unsent. One that is sent tells of itself as a message. */
  | { type: 'ConversationDraftChanged'; data: { has_draft: boolean } }
  /** All messages of another conversation are now in this one. The other fields are this one's values from now on. */
  | {
      type: 'ConversationTakenIn';
      data: { conversation: TakenIn } & Pick<Conversation, 'folder' | 'is_read' | 'agent_id'> &
        /** Left out before there were any. */
        Partial<Status & { tags: RecordTag[] }> & {
          /** Somebody decided it: folder and owner stay where there are any. Left out by versions before 1.0.0-beta.2. */
          by_hand?: true;
        };
    }
  /** The conversation ends: its messages are in the other one. */
  | { type: 'ConversationMerged'; data: { into_conversation_id: string; by_hand?: true } }
  | { type: 'ConversationTagsChanged'; data: TagsChange }
  /** A contact was merged into another: whose conversation it is, or who wrote in it, is the other one from now on. */
  | { type: 'ConversationContactReplaced'; data: ContactReplaced }
  /** A comment was added or deleted; so many there are now. */
  | { type: 'ConversationCommentsCounted'; data: Pick<Conversation, 'comment_count'> };

/** A conversation as it was; of versions before 1.0.0-beta.2 without what they did not keep. */
type TakenIn = Omit<Conversation, SinceBeta2> & Partial<Pick<Conversation, SinceBeta2>>;
type SinceBeta2 = keyof Status | keyof Tagged | 'heard_at' | 'comment_count';

export interface ContactReplaced {
  from_contact_id: string;
  to_contact_id: string;
}

/** What people decide about a whole conversation. Fields left out stay. */
export interface ConversationChanges extends Partial<Status> {
  is_read?: boolean;
  folder?: string | null;
  agent_id?: string | null;
}

export type ConversationCommand =
  | {
      type: 'RecordMessage';
      /** Used when no conversation is there yet and this message opens one. */
      opening: { conversation_id: string; contact_id: string; company_agent_id: string | null };
      message: RecordedMessage;
      folder: string | undefined;
      begins: boolean;
      /** The contact it was exchanged with; null where the conversation was given. */
      contact_id: string | null;
      /** When it is recorded. */
      at: Instant;
    }
  /** `at`: now, for what is to be in the future. */
  | { type: 'UpdateConversation'; changes: ConversationChanges; at: Instant }
  /** Opens it again if it is snoozed until this instant or an earlier one. */
  | { type: 'WakeConversation'; at: Instant }
  /** Closes it after a reply, unless somebody has written to us since the conversation was at this `heard_at`. */
  | { type: 'CloseAfterReply'; heard_at: Instant | null }
  | { type: 'NoteDraft'; has_draft: boolean }
  | { type: 'TakeConversationIn'; conversation: Conversation; by_hand?: true }
  | { type: 'MergeConversation'; into_conversation_id: string; by_hand?: true }
  | ({ type: 'ReplaceContact' } & ContactReplaced)
  /** It has so many comments more. */
  | { type: 'CountComments'; more: number };

export const conversation: Decider<Conversation, ConversationCommand, ConversationEvent> = {
  decide(state, command) {
    switch (command.type) {
      case 'RecordMessage': {
        const { opening, message, folder } = command;
        const begins = command.begins && { begins: true as const };
        const recorded = isWritten(message) && { recorded_at: command.at };
        if (state) {
          const contact = command.contact_id !== null && { contact_id: command.contact_id };
          const data = {
            message,
            ...(folder !== undefined && { folder }),
            ...begins,
            ...contact,
            ...recorded,
          };
          return [{ type: 'MessageRecorded', data }];
        }
        const { conversation_id, contact_id, company_agent_id: agent_id } = opening;
        const data = {
          conversation_id,
          contact_id,
          folder: folder ?? null,
          agent_id,
          message,
          ...begins,
          ...recorded,
        };
        return [{ type: 'ConversationOpened', data }];
      }
      case 'UpdateConversation': {
        const changed = state ? whatChanges(state, command.changes, command.at) : {};
        return Object.keys(changed).length > 0 ? [{ type: 'ConversationTriaged', data: changed }] : [];
      }
      case 'WakeConversation': {
        const until = state?.snoozed_until ?? null;
        if (until === null || until > command.at) return [];
        return [{ type: 'ConversationWoken', data: { snoozed_until: until } }];
      }
      case 'CloseAfterReply': {
        if (state?.heard_at !== command.heard_at || state.status === 'closed') return [];
        return [{ type: 'ConversationTriaged', data: difference(state, CLOSED) }];
      }
      case 'NoteDraft':
        return state ? [{ type: 'ConversationDraftChanged', data: { has_draft: command.has_draft } }] : [];
      case 'TakeConversationIn': {
        if (!state) return [];
        const { conversation, by_hand } = command;
        const both = together(state, conversation, by_hand);
        const { folder, is_read, agent_id, status, snoozed_until, tags } = both;
        const data = {
          conversation,
          folder,
          is_read,
          agent_id,
          status,
          snoozed_until,
          tags,
          ...(by_hand && { by_hand }),
        };
        return [{ type: 'ConversationTakenIn', data }];
      }
      case 'MergeConversation': {
        const { into_conversation_id, by_hand } = command;
        const data = { into_conversation_id, ...(by_hand && { by_hand }) };
        return state ? [{ type: 'ConversationMerged', data }] : [];
      }
      case 'ReplaceContact': {
        const { type: _, ...data } = command;
        return state ? [{ type: 'ConversationContactReplaced', data }] : [];
      }
      case 'CountComments': {
        if (!state) return [];
        const comment_count = state.comment_count + command.more;
        return [{ type: 'ConversationCommentsCounted', data: { comment_count } }];
      }
    }
  },

  evolve(state, event) {
    switch (event.type) {
      case 'ConversationOpened':
        return heard(withMessage(opened(event.data), event.data.message), event.data.recorded_at);
      case 'MessageRecorded': {
        if (!state) return null;
        const { message, folder, begins, contact_id, recorded_at } = event.data;
        const has_beginning = state.has_beginning || begins === true;
        const filed = withFolder({ ...state, has_beginning }, message, folder);
        return heard(withMessage(filed, message, contact_id), recorded_at);
      }
      case 'ConversationTriaged':
        return (
          state && {
            ...state,
            ...event.data,
            ...(event.data.folder !== undefined && { foldered_by: lastMessage(state) }),
            ...(event.data.agent_id !== undefined && { owner_source: 'assigned' as const }),
          }
        );
      case 'ConversationWoken':
        return state && { ...state, ...OPEN };
      case 'ConversationDraftChanged':
        // A state of its own, so that it counts as changed: the draft is shown with the conversation.
        return state && { ...state };
      case 'ConversationTakenIn':
        return state && together(state, asNow(event.data.conversation), event.data.by_hand);
      case 'ConversationTagsChanged':
        return state && { ...state, ...withTagsChanged(state, event.data) };
      case 'ConversationMerged':
        return null;
      case 'ConversationContactReplaced':
        return state && withContactReplaced(state, event.data);
      case 'ConversationCommentsCounted':
        return state && { ...state, ...event.data };
    }
  },
};

/** The same with what its version did not keep. */
const asNow = (earlier: TakenIn): Conversation => ({
  heard_at: null,
  comment_count: 0,
  ...OPEN,
  ...UNTAGGED,
  ...earlier,
});

function withContactReplaced(state: Conversation, { from_contact_id, to_contact_id }: ContactReplaced) {
  const present = (id: string) => (id === from_contact_id ? to_contact_id : id);
  return {
    ...state,
    contact_id: present(state.contact_id),
    participants: [...new Set(state.participants.map(present))].sort(),
  };
}

/**
 * The fields among these changes that change something. Naming the present owner again counts as a change: it makes that owner
 * `assigned`, so no message changes it.
 */
function whatChanges(state: Conversation, changes: ConversationChanges, at: Instant): ConversationChanges {
  const { is_read, folder, agent_id, status, snoozed_until } = changes;
  return {
    ...(is_read !== undefined && is_read !== state.is_read && { is_read }),
    ...(folder !== undefined && folder !== state.folder && { folder }),
    ...(agent_id !== undefined &&
      (agent_id !== state.agent_id || (agent_id !== null && state.owner_source !== 'assigned')) && {
        agent_id,
      }),
    ...changesOfStatus(state, { status, snoozed_until }, at),
  };
}

export const REPLY_MODALITIES = ['email', 'text', 'live_chat'] as const;

/**
 * The channel for a reply: that of the latest inbound message, or of the latest message when none is inbound. A call is
 * answered by text, anything without a channel of its own by e-mail.
 */
export function replyModality({
  last_inbound,
  last_modality,
}: Pick<Conversation, 'last_modality'> & {
  last_inbound: { modality: string } | null;
}): (typeof REPLY_MODALITIES)[number] {
  const modality = last_inbound?.modality ?? last_modality;
  if (modality === 'text' || modality === 'call') return 'text';
  return modality === 'live_chat' ? 'live_chat' : 'email';
}

/**
 * The conversation's fields as the contract documents them. The owner is among them only when people triage the
 * conversation, not when messages decide it.
 */
export const documentedFields = (
  state: Conversation,
  event: Pick<ConversationEvent, 'type'>,
): Record<string, unknown> => ({
  conversation_id: state.conversation_id,
  start_at: state.start_at,
  last_activity_at: state.last_activity_at,
  folder: state.folder,
  is_read: state.is_read,
  contact_id: state.contact_id,
  status: state.status,
  snoozed_until: state.snoozed_until,
  tags: state.tags,
  ...(event.type === 'ConversationTriaged' && { agent_id: state.agent_id }),
});
