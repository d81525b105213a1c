import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import type { Context } from '#kernel/context.js';
import { EventStore } from '#event-store/event-store.js';
import { RecordLinks } from '#event-store/record-links.js';
import { deleteRecord } from '#http/records/delete-record.js';
import { contacts } from './crm.projection.js';
import { CrmQueries } from './crm.queries.js';

/** Deletes a contact. Sales and tasks no longer link to it. Refuses one with conversations, and one that is the last party of a sale (409). */
export class DeleteContact extends Command<void> {
  constructor(
    readonly context: Context,
    readonly id: string,
  ) {
    super();
  }
}

@CommandHandler(DeleteContact)
export class DeleteContactHandler implements ICommandHandler<DeleteContact> {
  constructor(
    private readonly store: EventStore,
    private readonly links: RecordLinks,
    private readonly queries: CrmQueries,
  ) {}

  execute({ context, id }: DeleteContact): Promise<void> {
    const record = { context, aggregate: contacts, id };
    return deleteRecord(this.store, this.links, record, { type: 'ContactDeleted', data: {} }).catch(
      this.queries.tellingMerged(context.organizationId, 'contact', id),
    );
  }
}
