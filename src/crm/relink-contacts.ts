import { Injectable, type OnModuleInit } from '@nestjs/common';
import { RecordLinks } from '#event-store/record-links.js';
import { contact } from './contact.js';
import { contacts } from './crm.projection.js';
import { CrmQueries } from './crm.queries.js';

/** Tells of the links that contacts hold, for whoever ends a record. */
@Injectable()
export class RelinkContacts implements OnModuleInit {
  constructor(
    private readonly links: RecordLinks,
    private readonly queries: CrmQueries,
  ) {}

  onModuleInit(): void {
    this.links.add({
      aggregate: contacts,
      linkedTo: (tx, organizationId, { type, id }) =>
        type === 'company' ? this.queries.contactsOf(tx, organizationId, id) : Promise.resolve([]),
      relink: (state, _, to) => contact.decide(state, { type: 'UpdateContact', changes: { company_id: to } }),
    });
  }
}
