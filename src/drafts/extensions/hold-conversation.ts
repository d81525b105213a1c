import { Injectable, type OnModuleInit } from '@nestjs/common';
import { MessageListeners } from '../../conversations/conversations.contract.js';
import { DraftQueries } from '../drafts.queries.js';

/** Keeps a conversation with a pending reply from being merged into another: the reply may be leaving at this moment. */
@Injectable()
export class HoldConversation implements OnModuleInit {
  constructor(
    private readonly listeners: MessageListeners,
    private readonly queries: DraftQueries,
  ) {}

  onModuleInit(): void {
    this.listeners.replying.add((...question) => this.queries.conversationsWithPending(...question));
  }
}
