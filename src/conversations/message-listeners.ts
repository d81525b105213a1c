import { Injectable } from '@nestjs/common';
import type { Instant } from '#kernel/instant.js';
import type { Transaction } from '#database/statement.js';
import type { Append } from '#event-store/append.js';

/**
 * What follows, in the same transaction, from a message that is recorded in a conversation at this instant, and from
 * others being merged into it.
 */
type Listener = (
  tx: Transaction,
  organizationId: string,
  conversationId: string,
  at: Instant,
  mergedIds: string[],
) => Promise<Append[]>;

/** Which of these conversations have a reply that is not sent yet. */
type Replying = (tx: Transaction, organizationId: string, conversationIds: string[]) => Promise<string[]>;

/** Whether a mail of this Message-ID is on its way out of the organization. */
type Leaving = (organizationId: string, emailMessageId: string) => Promise<boolean>;

/** What follows, in the same transaction, from a report that this sent message has not arrived. */
type BounceListener = (
  tx: Transaction,
  organizationId: string,
  messageId: string,
  error: string,
) => Promise<Append[]>;

/** Lets other contexts add to the transaction that records a message or a bounce, and tell of what is not recorded yet. */
@Injectable()
export class MessageListeners {
  private readonly listeners: Listener[] = [];
  private readonly bounceListeners: BounceListener[] = [];
  private readonly replying: Replying[] = [];
  private readonly leaving: Leaving[] = [];

  add(listener: Listener): void {
    this.listeners.push(listener);
  }

  addForBounces(listener: BounceListener): void {
    this.bounceListeners.push(listener);
  }

  addReplying(replying: Replying): void {
    this.replying.push(replying);
  }

  addLeaving(leaving: Leaving): void {
    this.leaving.push(leaving);
  }

  /** Whether a mail of this Message-ID is on its way out. */
  async isLeaving(...mail: Parameters<Leaving>): Promise<boolean> {
    for (const leaving of this.leaving) if (await leaving(...mail)) return true;
    return false;
  }

  /** Which of these conversations have a reply that is not sent yet. */
  async withPendingReply(...question: Parameters<Replying>): Promise<string[]> {
    const found = [];
    for (const replying of this.replying) found.push(...(await replying(...question)));
    return found;
  }

  /** The appends that all listeners add to a message. */
  async appends(...message: Parameters<Listener>): Promise<Append[]> {
    const added = [];
    for (const listener of this.listeners) added.push(...(await listener(...message)));
    return added;
  }

  /** The appends that all listeners add to a bounce. */
  async appendsOfBounce(...bounce: Parameters<BounceListener>): Promise<Append[]> {
    const added = [];
    for (const listener of this.bounceListeners) added.push(...(await listener(...bounce)));
    return added;
  }
}
