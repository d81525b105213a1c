import { setTimeout as sleep } from 'node:timers/promises';
import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import type { Context } from '#kernel/context.js';
import { EventStore } from '#event-store/event-store.js';
import { MessageQueries } from '../messages.queries.js';
import { externalIdLock } from '../recording/locks.js';
import { MessageExtensions } from '../message-extensions.js';

/** A report may arrive before we have written down that the provider took the text. */
const PATIENCE_MS = 5_000;
const PAUSE_MS = 250;

/**
 * Records that a text was not delivered after the provider had taken it. A report about a text that stays unknown changes
 * nothing.
 */
export class RecordTextReport extends Command<void> {
  constructor(
    readonly context: Context,
    /** The `external_id` of the sent message. */
    readonly externalId: string,
    readonly error: string,
  ) {
    super();
  }
}

@CommandHandler(RecordTextReport)
export class RecordTextReportHandler implements ICommandHandler<RecordTextReport> {
  constructor(
    private readonly store: EventStore,
    private readonly queries: MessageQueries,
    private readonly extensions: MessageExtensions,
  ) {}

  async execute(report: RecordTextReport): Promise<void> {
    const until = performance.now() + PATIENCE_MS;
    while (!(await this.isRecorded(report)) && performance.now() < until) await sleep(PAUSE_MS);
  }

  /** False when the text is unknown. */
  private isRecorded({ context, externalId, error }: RecordTextReport): Promise<boolean> {
    const { organizationId } = context;
    return this.store.exclusively(organizationId, [externalIdLock(externalId)], async (tx) => {
      const message = await this.queries.recordedMessage(tx, organizationId, externalId, null);
      if (!message) return false;
      const appends = await this.extensions.bounced.ask(tx, organizationId, message, {
        failure: () => error,
        gone: () => [],
      });
      if (appends.length > 0) await this.store.appendIn(tx, context, appends);
      return true;
    });
  }
}
