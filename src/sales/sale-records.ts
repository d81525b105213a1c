import { Injectable, type OnModuleInit } from '@nestjs/common';
import type { Expansions } from '#http/expansion/expandable.js';
import { RecordReaders } from '#http/expansion/record-readers.js';
import type { SaleResponse } from './sales.dto.js';
import { SalesQueries } from './sales.queries.js';

/** What may be shown in a sale. */
export const SALE_EXPANSIONS: Expansions<SaleResponse> = {
  company: { kind: 'company', named: ({ company_id }) => company_id },
  owner: { kind: 'agent', named: ({ owner_id }) => owner_id },
  contacts: {
    kind: 'contact',
    named: ({ associated_contacts }) => associated_contacts.map(({ contact_id }) => contact_id),
  },
};

/** Lets records that name sales be shown with them. */
@Injectable()
export class SaleRecords implements OnModuleInit {
  constructor(
    private readonly readers: RecordReaders,
    private readonly queries: SalesQueries,
  ) {}

  onModuleInit(): void {
    this.readers.add('sale', (...asked) => this.queries.salesByIds(...asked));
  }
}
