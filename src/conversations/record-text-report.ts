import { CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import type { Context } from '#kernel/context.js';
import { EventStore } from '#event-store/event-store.js';
import { ConversationQueries } from './conversations.queries.js';
import { MessageListeners } from './message-listeners.js';

/** Records that a text which the provider had taken was not delivered. One about an unknown text changes nothing. */
export class RecordTextReport {
  constructor(
    readonly context: Context,
    /** The `external_id` of the sent message. */
    readonly externalId: string,
    readonly error: string,
  ) {}
}

@CommandHandler(RecordTextReport)
export class RecordTextReportHandler implements ICommandHandler<RecordTextReport, void> {
  constructor(
    private readonly store: EventStore,
    private readonly queries: ConversationQueries,
    private readonly listeners: MessageListeners,
  ) {}

  execute({ context, externalId, error }: RecordTextReport): Promise<void> {
    const { organizationId } = context;
    return this.store.exclusively(organizationId, [`external:${externalId}`], async (tx) => {
      const message = await this.queries.recordedMessage(tx, organizationId, externalId, null);
      if (!message) return;
      const appends = await this.listeners.appendsOfBounce(tx, organizationId, message.message_id, error);
      if (appends.length > 0) await this.store.appendIn(tx, context, appends);
    });
  }
}
