import { CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import type { Context } from '#kernel/context.js';
import { newId } from '#kernel/id.js';
import { now } from '#kernel/instant.js';
import { appendTo, NEW } from '#event-store/append.js';
import { EventStore } from '#event-store/event-store.js';
import { bounce } from './bounce.js';
import { BounceQueries, type RecordedBounce } from './bounces.queries.js';
import { bounces } from './conversations.projection.js';
import type { BouncedRecipient } from './mail.js';
import { MessageListeners } from './message-listeners.js';

/** Records a delivery report, tied to the sent message it answers. A redelivered one changes nothing. */
export class RecordBounce {
  constructor(
    readonly context: Context,
    readonly report: {
      external_id: string;
      original_message_id: string | null;
      recipients: BouncedRecipient[];
    },
  ) {}
}

@CommandHandler(RecordBounce)
export class RecordBounceHandler implements ICommandHandler<RecordBounce, RecordedBounce> {
  constructor(
    private readonly store: EventStore,
    private readonly queries: BounceQueries,
    private readonly listeners: MessageListeners,
  ) {}

  async execute({ context, report }: RecordBounce): Promise<RecordedBounce> {
    const { organizationId } = context;
    return this.store.exclusively(organizationId, [`bounce:${report.external_id}`], async (tx) => {
      const known = await this.queries.recorded(tx, organizationId, report.external_id);
      if (known) return known;
      const message_id =
        report.original_message_id === null
          ? null
          : await this.queries.sentMail(tx, organizationId, report.original_message_id);
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
        ...(message_id !== null && report.recipients.some(hasFailed)
          ? await this.listeners.appendsOfBounce(tx, organizationId, message_id, reasonOf(report.recipients))
          : []),
      ]);
      return { bounce_id, message_id };
    });
  }
}

/** Of the actions of RFC 3464 (2.3.3), the one that is final; a delayed mail may still arrive. */
const hasFailed = ({ action }: BouncedRecipient): boolean => action === 'failed';

const reasonOf = (recipients: BouncedRecipient[]): string =>
  recipients
    .filter(hasFailed)
    .map(({ address, status, diagnostic }) => `${address}: ${diagnostic ?? status ?? 'not delivered'}`)
    .join('; ');
