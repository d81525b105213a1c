import { Injectable, type OnModuleInit } from '@nestjs/common';
import type { Expansions } from '#http/expansion/expandable.js';
import { RecordReaders } from '#http/expansion/record-readers.js';
import type { CompanyResponse, ContactResponse } from './crm.dto.js';
import { CrmQueries } from './crm.queries.js';

/** What may be shown in a contact. */
export const CONTACT_EXPANSIONS: Expansions<ContactResponse> = {
  company: { kind: 'company', named: ({ company_id }) => company_id },
};

/** What may be shown in a company. */
export const COMPANY_EXPANSIONS: Expansions<CompanyResponse> = {
  agent: { kind: 'agent', named: ({ agent_id }) => agent_id },
};

/** Lets records that name contacts and companies be shown with them. */
@Injectable()
export class CrmRecords implements OnModuleInit {
  constructor(
    private readonly readers: RecordReaders,
    private readonly queries: CrmQueries,
  ) {}

  onModuleInit(): void {
    this.readers.add('contact', (...asked) => this.queries.contactsByIds(...asked));
    this.readers.add('company', (...asked) => this.queries.companiesByIds(...asked));
  }
}
