import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import type { Context } from '#kernel/context.js';
import { newId } from '#kernel/id.js';
import { now } from '#kernel/instant.js';
import type { Transaction } from '#database/statements/statement.js';
import { appendTo, NEW } from '#event-store/append.js';
import { EventStore } from '#event-store/event-store.js';
import { bounce } from './bounce.js';
import { failureOf, goneOf } from './bounce-failure.js';
import { BounceQueries, type RecordedBounce } from './bounces.queries.js';
import { bounces } from './bounces.projection.js';
import { mailLock } from '../recording/locks.js';
import type { BouncedRecipient } from '#mail/mail.js';
import { type Bounced, MessageExtensions } from '../message-extensions.js';

/** Records a delivery report and ties it to the sent message that it answers. A redelivered report changes nothing. */
export class RecordBounce extends Command<RecordedBounce> {
  constructor(
    readonly context: Context,
    readonly report: {
      external_id: string;
      original_message_id: string | null;
      recipients: BouncedRecipient[];
    },
  ) {
    super();
  }
}

@CommandHandler(RecordBounce)
export class RecordBounceHandler implements ICommandHandler<RecordBounce> {
  constructor(
    private readonly store: EventStore,
    private readonly queries: BounceQueries,
    private readonly extensions: MessageExtensions,
  ) {}

  async execute({ context, report }: RecordBounce): Promise<RecordedBounce> {
    const { organizationId } = context;
    // Locks the mail, too: it may be being recorded as sent right now, and then one of the two must find the other.
    const mail = report.original_message_id === null ? [] : [mailLock(report.original_message_id)];
    const keys = [`bounce:${report.external_id}`, ...mail];
    return this.store.exclusively(organizationId, keys, async (tx) => {
      const known = await this.queries.recorded(tx, organizationId, report.external_id);
      if (known) return known;
      const bounced = await this.bounced(tx, organizationId, report.original_message_id);
      const message_id = bounced && 'message_id' in bounced ? bounced.message_id : null;
      const bounce_id = newId('bounce');
      const events = bounce.decide(null, {
        type: 'ReceiveBounce',
        bounce_id,
        message_id,
        received_at: now(),
        ...report,
      });
      await this.store.appendIn(tx, context, [
        appendTo(bounces, bounce_id, NEW, events),
        ...(bounced === null
          ? []
          : await this.extensions.bounced.ask(tx, organizationId, bounced, {
              failure: (sentTo) => failureOf(report.recipients, sentTo),
              gone: (sentTo) => goneOf(report.recipients, sentTo),
            })),
      ]);
      return { bounce_id, message_id };
    });
  }

  /** What the report is about: the message if the mail is one already. */
  private async bounced(
    tx: Transaction,
    organizationId: string,
    email_message_id: string | null,
  ): Promise<Bounced | null> {
    if (email_message_id === null) return null;
    return (await this.queries.sentMail(tx, organizationId, email_message_id)) ?? { email_message_id };
  }
}
