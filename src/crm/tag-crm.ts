import { Injectable, type OnModuleInit } from '@nestjs/common';
import { TagCarriers } from '../tags/tags.contract.js';
import { companies, contacts } from './crm.projection.js';
import { CrmQueries } from './crm.queries.js';

/** Lets contacts and companies have tags. */
@Injectable()
export class TagCrm implements OnModuleInit {
  constructor(
    private readonly carriers: TagCarriers,
    private readonly queries: CrmQueries,
  ) {}

  onModuleInit(): void {
    this.carriers.add({
      kind: 'contact',
      idKind: 'contact',
      aggregate: contacts,
      event: 'ContactTagsChanged',
      missing: (organizationId, id) => this.queries.missing(organizationId, 'contact', id),
    });
    this.carriers.add({
      kind: 'company',
      idKind: 'company',
      aggregate: companies,
      event: 'CompanyTagsChanged',
      missing: (organizationId, id) => this.queries.missing(organizationId, 'company', id),
    });
  }
}
