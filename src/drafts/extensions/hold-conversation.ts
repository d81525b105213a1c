import { Injectable, type OnModuleInit } from '@nestjs/common';
import { MessageExtensions } from '../../conversations/conversations.contract.js';
import { DraftQueries } from '../drafts.queries.js';

/** Keeps a conversation with a pending reply from being merged into another: the reply may be leaving at this moment. */
@Injectable()
export class HoldConversation implements OnModuleInit {
  constructor(
    private readonly extensions: MessageExtensions,
    private readonly queries: DraftQueries,
  ) {}

  onModuleInit(): void {
    this.extensions.replying.add((...question) => this.queries.conversationsWithPending(...question));
  }
}
