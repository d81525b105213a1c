import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import type { Context } from '#kernel/context.js';
import { EventStore } from '#event-store/event-store.js';
import { RecordLinks } from '#event-store/record-links.js';
import { deleteRecord } from '#http/records/delete-record.js';
import { companies } from './crm.projection.js';
import { CrmQueries } from './crm.queries.js';

/** Deletes a company. Contacts, sales and tasks no longer link to it. Refuses one that is the last party of a sale (409). */
export class DeleteCompany extends Command<void> {
  constructor(
    readonly context: Context,
    readonly id: string,
  ) {
    super();
  }
}

@CommandHandler(DeleteCompany)
export class DeleteCompanyHandler implements ICommandHandler<DeleteCompany> {
  constructor(
    private readonly store: EventStore,
    private readonly links: RecordLinks,
    private readonly queries: CrmQueries,
  ) {}

  execute({ context, id }: DeleteCompany): Promise<void> {
    const record = { context, aggregate: companies, id };
    return deleteRecord(this.store, this.links, record, { type: 'CompanyDeleted', data: {} }).catch(
      this.queries.tellingMerged(context.organizationId, 'company', id),
    );
  }
}
