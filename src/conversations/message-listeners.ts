import { Injectable } from '@nestjs/common';
import type { Instant } from '#kernel/instant.js';
import type { Transaction } from '#database/statement.js';
import type { Append } from '#event-store/append.js';

/** A question that other contexts answer, or an occasion on which they have something to add. */
class Listeners<Asked extends unknown[], Answer> {
  private readonly all: ((...asked: Asked) => Promise<Answer[]>)[] = [];

  add(listener: (...asked: Asked) => Promise<Answer[]>): void {
    this.all.push(listener);
  }

  /** What all of them answer, one after the other: they may share a transaction. */
  async ask(...asked: Asked): Promise<Answer[]> {
    const answers = [];
    for (const listener of this.all) answers.push(...(await listener(...asked)));
    return answers;
  }
}

/** Lets other contexts, which know of this one and not it of them, take part in what happens to messages. */
@Injectable()
export class MessageListeners {
  /** What follows, in the same transaction, from a message recorded at this instant, and from others being merged into its conversation. */
  readonly recorded = new Listeners<
    [tx: Transaction, organizationId: string, conversationId: string, at: Instant, mergedIds: string[]],
    Append
  >();

  /** What follows, in the same transaction, from a report that this sent message has not arrived. */
  readonly bounced = new Listeners<
    [tx: Transaction, organizationId: string, messageId: string, error: string],
    Append
  >();

  /** Which of these conversations have a reply that is not sent yet. */
  readonly replying = new Listeners<
    [tx: Transaction, organizationId: string, conversationIds: string[]],
    string
  >();

  /** The drafts by which a mail of this Message-ID is on its way out of the organization. */
  readonly leaving = new Listeners<[organizationId: string, emailMessageId: string], string>();

  /** Which of these are notices of the organization to its own people. */
  readonly noticed = new Listeners<[organizationId: string, noticeIds: string[]], string>();
}
