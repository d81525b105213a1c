import type { Decider } from '#kernel/decider.js';
import type { Instant } from '#kernel/instant.js';
import { isLater, type Moment, type RecordedMessage } from './message.js';

/** A conversation, every field of which is what it would be had its messages arrived in the order they were sent. */
export interface Conversation {
  conversation_id: string;
  contact_id: string;
  folder: string | null;
  is_read: boolean;
  /** The owner, an agent. */
  agent_id: string | null;
  /** Where the owner comes from; only `sender` and none give way to an earlier sender. */
  owner_source: 'assigned' | 'company' | 'sender' | null;
  /** The first message bearing an agent. */
  first_sender: Moment | null;
  start_at: Instant;
  last_activity_at: Instant;
  last_message_id: string;
  last_modality: string;
  /** The latest inbound message, and the channel it came by. */
  last_inbound: (Moment & { modality: string }) | null;
}

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
      };
    }
  | { type: 'MessageRecorded'; data: { message: RecordedMessage; folder?: string } }
  | { type: 'ConversationTriaged'; data: Triage };

/** What people decide about a conversation as a whole; fields left out stay. */
export interface Triage {
  is_read?: boolean;
  folder?: string | null;
  agent_id?: string | null;
}

export type ConversationCommand =
  | {
      type: 'RecordMessage';
      /** Of the conversation that is opened when there is none yet. */
      opening: { conversation_id: string; contact_id: string; company_agent_id: string | null };
      message: RecordedMessage;
      folder: string | undefined;
    }
  | { type: 'TriageConversation'; triage: Triage };

export const conversation: Decider<Conversation, ConversationCommand, ConversationEvent> = {
  decide(state, command) {
    switch (command.type) {
      case 'RecordMessage': {
        const { opening, message, folder } = command;
        if (state)
          return [{ type: 'MessageRecorded', data: { message, ...(folder !== undefined && { folder }) } }];
        const { conversation_id, contact_id, company_agent_id: agent_id } = opening;
        const data = { conversation_id, contact_id, folder: folder ?? null, agent_id, message };
        return [{ type: 'ConversationOpened', data }];
      }
      case 'TriageConversation': {
        const changed = state ? changes(state, command.triage) : {};
        return Object.keys(changed).length > 0 ? [{ type: 'ConversationTriaged', data: changed }] : [];
      }
    }
  },

  evolve(state, event) {
    switch (event.type) {
      case 'ConversationOpened':
        return withMessage(opened(event.data), event.data.message);
      case 'MessageRecorded':
        return (
          state &&
          withMessage(
            { ...state, ...(event.data.folder !== undefined && { folder: event.data.folder }) },
            event.data.message,
          )
        );
      case 'ConversationTriaged':
        return (
          state && {
            ...state,
            ...event.data,
            ...(event.data.agent_id !== undefined && { owner_source: 'assigned' as const }),
          }
        );
    }
  },
};

/** The fields of the triage that differ; naming the present owner pins it. */
function changes(state: Conversation, triage: Triage): Triage {
  const { is_read, folder, agent_id } = triage;
  return {
    ...(is_read !== undefined && is_read !== state.is_read && { is_read }),
    ...(folder !== undefined && folder !== state.folder && { folder }),
    ...(agent_id !== undefined &&
      (agent_id !== state.agent_id || state.owner_source !== 'assigned') && { agent_id }),
  };
}

type Opened = Extract<ConversationEvent, { type: 'ConversationOpened' }>['data'];

const opened = ({ conversation_id, contact_id, folder, agent_id, message }: Opened): Conversation => ({
  conversation_id,
  contact_id,
  folder,
  is_read: false,
  agent_id,
  owner_source: agent_id === null ? null : 'company',
  first_sender: null,
  start_at: message.sent_at,
  last_activity_at: message.sent_at,
  last_message_id: '',
  last_modality: message.modality,
  last_inbound: null,
});

function withMessage(state: Conversation, message: RecordedMessage): Conversation {
  return withOwner(withLatest(withInbound(state, message), message), message);
}

function withLatest(state: Conversation, message: RecordedMessage): Conversation {
  const start_at = message.sent_at < state.start_at ? message.sent_at : state.start_at;
  if (!isLater(message, { sent_at: state.last_activity_at, message_id: state.last_message_id }))
    return { ...state, start_at };
  return {
    ...state,
    start_at,
    last_activity_at: message.sent_at,
    last_message_id: message.message_id,
    last_modality: message.modality,
    is_read: message.message_direction === 'sent',
  };
}

function withInbound(state: Conversation, message: RecordedMessage): Conversation {
  if (message.message_direction !== 'received') return state;
  if (state.last_inbound && !isLater(message, state.last_inbound)) return state;
  const { sent_at, message_id, modality } = message;
  return { ...state, last_inbound: { sent_at, message_id, modality } };
}

function withOwner(state: Conversation, message: RecordedMessage): Conversation {
  const { agent_id, sent_at, message_id } = message;
  if (message.message_direction !== 'sent' || agent_id === null) return state;
  if (state.first_sender && !isLater(state.first_sender, message)) return state;
  const first_sender = { sent_at, message_id };
  const owned = state.owner_source === 'assigned' || state.owner_source === 'company';
  return owned ? { ...state, first_sender } : { ...state, first_sender, agent_id, owner_source: 'sender' };
}

/** The channel on which a reply leaves: that of the latest inbound message; a call is answered by text, anything without a channel by e-mail. */
export function replyModality(state: Pick<Conversation, 'last_inbound'>): 'email' | 'text' | 'live_chat' {
  const modality = state.last_inbound?.modality;
  if (modality === 'text' || modality === 'call') return 'text';
  return modality === 'live_chat' ? 'live_chat' : 'email';
}

/** The conversation's fields as the contract documents them. */
export const documentedFields = (state: Conversation): Record<string, unknown> => ({
  conversation_id: state.conversation_id,
  start_at: state.start_at,
  last_activity_at: state.last_activity_at,
  folder: state.folder,
  is_read: state.is_read,
  contact_id: state.contact_id,
});
