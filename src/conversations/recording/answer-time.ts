import { Injectable } from '@nestjs/common';
import { type Instant, justAfter } from '#kernel/instant.js';
import type { Transaction } from '#database/statements/statement.js';
import { AnsweredMails } from '../answered-mails.queries.js';
import { FOLLOWED, messageIdKey } from '../message.js';
import { MessageExtensions } from '../message-extensions.js';
import type { MessageToRecord } from './message-to-record.js';

/** Knows that nobody answers a mail before it was sent, whatever the clock says from which a `Date` is. */
@Injectable()
export class AnswerTime {
  constructor(
    private readonly mails: AnsweredMails,
    private readonly extensions: MessageExtensions,
  ) {}

  /**
   * When a message was sent that is recorded `at` this instant. Just after the mail of ours that it answers, if it came as a
   * mail that has an earlier `Date` or none. Whoever records our mail waits for the locks of the answer.
   */
  async of(tx: Transaction, organizationId: string, message: MessageToRecord, at: Instant): Promise<Instant> {
    const { sent_at, dated } = message;
    const told = sent_at ?? at;
    const keys = answeredDirectly(message.email_metadata);
    if (dated === undefined || message.message_direction === 'sent' || keys.length === 0) return told;
    const ours = [
      await this.mails.latestSent(tx, organizationId, keys),
      ...(await this.extensions.handedOver.ask(tx, organizationId, keys)),
    ].filter((one) => one !== null);
    const latest = ours.sort().at(-1);
    if (latest === undefined || (dated === 'by its sender' && told > latest)) return told;
    return justAfter(latest);
  }
}

/** What it replies to: what its In-Reply-To names, without one the last of its References (RFC 5322, 3.6.4). */
const answeredDirectly = ({ in_reply_to, references }: MessageToRecord['email_metadata']): string[] =>
  (in_reply_to.length > 0 ? in_reply_to.slice(0, FOLLOWED) : references.slice(-1)).map(messageIdKey);
