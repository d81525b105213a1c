import { Injectable, type OnModuleInit } from '@nestjs/common';
import { TagCarriers } from '../tags/tags.contract.js';
import { ConversationQueries } from './conversations.queries.js';
import { conversations } from './conversations.projection.js';

/** Lets conversations have tags. */
@Injectable()
export class TagConversations implements OnModuleInit {
  constructor(
    private readonly carriers: TagCarriers,
    private readonly queries: ConversationQueries,
  ) {}

  onModuleInit(): void {
    this.carriers.add({
      kind: 'conversation',
      idKind: 'conv',
      aggregate: conversations,
      event: 'ConversationTagsChanged',
      missing: (organizationId, id) => this.queries.missing(organizationId, id),
    });
  }
}
