import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import type { Context } from '#kernel/context.js';
import { EventStore } from '#event-store/event-store.js';
import { RecordLinks } from '#event-store/record-links.js';
import { mergeRecord } from '#http/records/merge-record.js';
import { atVersion } from '#http/versions/versioned.js';
import { TagQueries } from '../tags/tags.contract.js';
import { company } from './company.js';
import { shownCompany } from './create-company.js';
import type { CompanyResponse } from './crm.dto.js';
import { companies } from './crm.projection.js';
import { CrmQueries } from './crm.queries.js';

/** Merges another company into one; see `mergeRecord`. */
export class MergeCompany extends Command<CompanyResponse> {
  constructor(
    readonly context: Context,
    readonly companyId: string,
    readonly fromId: string,
  ) {
    super();
  }
}

@CommandHandler(MergeCompany)
export class MergeCompanyHandler implements ICommandHandler<MergeCompany> {
  constructor(
    private readonly store: EventStore,
    private readonly links: RecordLinks,
    private readonly queries: CrmQueries,
    private readonly tags: TagQueries,
  ) {}

  async execute({ context, companyId, fromId }: MergeCompany): Promise<CompanyResponse> {
    const { state, version } = await mergeRecord(this.store, this.links, {
      context,
      aggregate: companies,
      kind: 'company',
      id: companyId,
      fromId,
      field: 'from_company_id',
      missing: () => this.queries.missing(context.organizationId, 'company', companyId),
      decide: (record, from) => [
        company.decide(record, { type: 'TakeOver', from }),
        company.decide(from, { type: 'MergeInto', into_company_id: companyId }),
      ],
    });
    return this.tags.present(context.organizationId, atVersion(shownCompany(state!), version));
  }
}
