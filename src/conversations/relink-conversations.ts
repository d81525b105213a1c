import { Injectable, type OnModuleInit } from '@nestjs/common';
import { RecordLinks } from '#event-store/record-links.js';
import { Problem } from '#http/problems/problem.js';
import { conversation } from './conversation.js';
import { ConversationQueries } from './conversations.queries.js';
import { conversations } from './conversations.projection.js';

/** Tells of the contacts that conversations have, for whoever ends one: a contact who wrote in a conversation cannot be deleted. */
@Injectable()
export class RelinkConversations implements OnModuleInit {
  constructor(
    private readonly links: RecordLinks,
    private readonly queries: ConversationQueries,
  ) {}

  onModuleInit(): void {
    this.links.add({
      aggregate: conversations,
      linkedTo: (tx, organizationId, { type, id }, to) =>
        type === 'contact'
          ? this.queries.withContact(tx, organizationId, id, to === null ? 1 : null)
          : Promise.resolve([]),
      relink: (state, { id }, to) => {
        if (to !== null)
          return conversation.decide(state, {
            type: 'ReplaceContact',
            from_contact_id: id,
            to_contact_id: to,
          });
        throw new Problem(
          409,
          'contact_has_conversations',
          `The contact ${id} wrote in conversations, such as ${state.conversation_id}, and cannot be deleted.`,
        );
      },
    });
  }
}
