import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import type { Context } from '#kernel/context.js';
import { EventStore } from '#event-store/event-store.js';
import { RecordLinks } from '#event-store/record-links.js';
import { deleteRecord } from '#http/records/delete-record.js';
import { tasks } from './tasks.projection.js';

/** Deletes a task. */
export class DeleteTask extends Command<void> {
  constructor(
    readonly context: Context,
    readonly id: string,
  ) {
    super();
  }
}

@CommandHandler(DeleteTask)
export class DeleteTaskHandler implements ICommandHandler<DeleteTask> {
  constructor(
    private readonly store: EventStore,
    private readonly links: RecordLinks,
  ) {}

  execute({ context, id }: DeleteTask): Promise<void> {
    const record = { context, aggregate: tasks, id };
    return deleteRecord(this.store, this.links, record, { type: 'TaskDeleted', data: {} });
  }
}
