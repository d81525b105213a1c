import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import type { Context } from '#kernel/context.js';
import { EventStore } from '#event-store/event-store.js';
import { RecordLinks } from '#event-store/record-links.js';
import { deleteRecord } from '#http/records/delete-record.js';
import { sales } from './sales.projection.js';

/** Deletes a sale. Tasks no longer link to it. */
export class DeleteSale extends Command<void> {
  constructor(
    readonly context: Context,
    readonly id: string,
  ) {
    super();
  }
}

@CommandHandler(DeleteSale)
export class DeleteSaleHandler implements ICommandHandler<DeleteSale> {
  constructor(
    private readonly store: EventStore,
    private readonly links: RecordLinks,
  ) {}

  execute({ context, id }: DeleteSale): Promise<void> {
    const record = { context, aggregate: sales, id };
    return deleteRecord(this.store, this.links, record, { type: 'SaleDeleted', data: {} });
  }
}
