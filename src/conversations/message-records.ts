import { Injectable, type OnModuleInit } from '@nestjs/common';
import type { Expansions } from '#http/expansion/expandable.js';
import { RecordReaders } from '#http/expansion/record-readers.js';
import type { ConversationResponse, MessageResponse } from './conversations.dto.js';
import { MessagesByIds } from './messages-by-ids.queries.js';

/** What may be shown in a conversation. */
export const CONVERSATION_EXPANSIONS: Expansions<ConversationResponse> = {
  contact: { kind: 'contact', named: ({ contact_id }) => contact_id },
  agent: { kind: 'agent', named: ({ agent_id }) => agent_id },
  last_message: { kind: 'message', named: ({ last_message }) => last_message.message_id },
};

/** What may be shown in a message. */
export const MESSAGE_EXPANSIONS: Expansions<MessageResponse> = {
  agent: { kind: 'agent', named: ({ agent_id }) => agent_id },
};

/** Lets records that name messages be shown with them. */
@Injectable()
export class MessageRecords implements OnModuleInit {
  constructor(
    private readonly readers: RecordReaders,
    private readonly messages: MessagesByIds,
  ) {}

  onModuleInit(): void {
    this.readers.add('message', (...asked) => this.messages.read(...asked));
  }
}
