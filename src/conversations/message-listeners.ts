import { Injectable } from '@nestjs/common';
import type { Instant } from '#kernel/instant.js';
import type { Transaction } from '#database/database.js';
import type { Append } from '#event-store/append.js';

/** What follows, in the same transaction, from a message that is recorded in a conversation at this instant. */
type Listener = (
  tx: Transaction,
  organizationId: string,
  conversationId: string,
  at: Instant,
) => Promise<Append[]>;

/** Lets other contexts add to the transaction that records a message. */
@Injectable()
export class MessageListeners {
  private readonly listeners: Listener[] = [];

  add(listener: Listener): void {
    this.listeners.push(listener);
  }

  /** The appends that all listeners add. */
  async appends(...message: Parameters<Listener>): Promise<Append[]> {
    const added = [];
    for (const listener of this.listeners) added.push(...(await listener(...message)));
    return added;
  }
}
