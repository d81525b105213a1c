import { Injectable } from '@nestjs/common';
import type { Instant } from '#kernel/instant.js';
import type { Transaction } from '#database/statements/statement.js';
import type { Append } from '#event-store/append.js';
import type { RecordedMessage } from './message.js';

/** A question to other contexts, or an occasion for them to add something. */
class Listeners<Asked extends unknown[], Answer> {
  private readonly all: ((...asked: Asked) => Promise<Answer[]>)[] = [];

  add(listener: (...asked: Asked) => Promise<Answer[]>): void {
    this.all.push(listener);
  }

  /** All answers. Asks one after the other, as they may share a transaction. */
  async ask(...asked: Asked): Promise<Answer[]> {
    const answers = [];
    for (const listener of this.all) answers.push(...(await listener(...asked)));
    return answers;
  }
}

/** A sent message, a mail with the addresses that it names; or a mail that is none as far as we know. */
export type Bounced = { message_id: string; sent_to?: string[] } | { email_message_id: string };

/** What a report says of the addresses that something was sent to. */
export interface FailureReport {
  /** Why it did not reach one of them; null when the report says no such thing. */
  failure(sentTo: string[]): string | null;
  /** Those of them that take no mail any more. */
  gone(sentTo: string[]): string[];
}

/** Lets other contexts take part in what happens to messages. They know of this context; it does not know of them. */
@Injectable()
export class MessageExtensions {
  /**
   * Appends for the same transaction when a message is recorded `at` an instant and other conversations merge into its own.
   */
  readonly recorded = new Listeners<
    [
      tx: Transaction,
      organizationId: string,
      conversationId: string,
      message: RecordedMessage,
      at: Instant,
      mergedIds: string[],
    ],
    Append
  >();

  /**
   * Appends for the same transaction when a report comes in about this.
   */
  readonly bounced = new Listeners<
    [tx: Transaction, organizationId: string, bounced: Bounced, report: FailureReport],
    Append
  >();

  /** The addresses that this sent message went to, where a draft tells. */
  readonly sentTo = new Listeners<[tx: Transaction, organizationId: string, messageId: string], string>();

  /** Which of these conversations have a reply that has not been sent yet. */
  readonly replying = new Listeners<
    [tx: Transaction, organizationId: string, conversationIds: string[]],
    string
  >();

  /** The drafts that are being sent as the mail with this Message-ID. */
  readonly leaving = new Listeners<[organizationId: string, emailMessageId: string], string>();

  /** When those of our mails with these keys (`messageIdKey`) were handed over that may have left and are no messages yet. */
  readonly handedOver = new Listeners<
    [tx: Transaction, organizationId: string, mailKeys: string[]],
    Instant
  >();

  /** Which of these ids are notices from the organization to its own people. */
  readonly noticed = new Listeners<[organizationId: string, noticeIds: string[]], string>();
}
