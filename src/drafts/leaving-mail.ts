import { Injectable, type OnModuleInit } from '@nestjs/common';
import { MessageListeners } from '../conversations/conversations.contract.js';
import { DraftQueries } from './drafts.queries.js';

/** A mail of ours that comes back before we know that it was taken makes no message: its draft will be one. */
@Injectable()
export class LeavingMail implements OnModuleInit {
  constructor(
    private readonly listeners: MessageListeners,
    private readonly queries: DraftQueries,
  ) {}

  onModuleInit(): void {
    this.listeners.leaving.add((...mail) => this.queries.leaving(...mail));
  }
}
