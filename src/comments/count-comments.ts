import { Injectable } from '@nestjs/common';
import type { Transaction } from '#database/statements/statement.js';
import { type Append, appendTo } from '#event-store/append.js';
import { EventStore } from '#event-store/event-store.js';
import { conversation, conversations } from '../conversations/conversations.contract.js';

/** Keeps the number of comments that a conversation shows. */
@Injectable()
export class CountComments {
  constructor(private readonly store: EventStore) {}

  /** The append by which a conversation has so many comments more; null when it is not there. Its lock is held. */
  async by(tx: Transaction, organizationId: string, id: string, more: number): Promise<Append | null> {
    const current = await this.store.load(tx, organizationId, conversations, id);
    const events = conversation.decide(current.state, { type: 'CountComments', more });
    return current.state && appendTo(conversations, id, current, events);
  }
}
