import { Injectable, type OnModuleInit } from '@nestjs/common';
import { now } from '#kernel/instant.js';
import { type LinkedRecord, RecordLinks } from '#event-store/record-links.js';
import { Problem } from '#http/problems/problem.js';
import { type AssociatedContact, type Revision, sale, type Sale, type SaleEvent } from './sale.js';
import { sales } from './sales.projection.js';
import { SalesQueries } from './sales.queries.js';

/** Tells of the links that sales hold, for whoever ends a record. */
@Injectable()
export class RelinkSales implements OnModuleInit {
  constructor(
    private readonly links: RecordLinks,
    private readonly queries: SalesQueries,
  ) {}

  onModuleInit(): void {
    this.links.add({
      aggregate: sales,
      linkedTo: (tx, organizationId, { type, id }) =>
        type === 'conversation'
          ? this.queries.salesOfConversations(tx, organizationId, [id])
          : type === 'company' || type === 'contact'
            ? this.queries.salesWithParty(tx, organizationId, type, id)
            : Promise.resolve([]),
      relink,
    });
  }
}

/** Throws a 409 where the sale would be left without a party. */
function relink(state: Sale, { type, id }: LinkedRecord, to: string | null): SaleEvent[] {
  const revision = revisionOf(state, { type, id }, to);
  const { company_id, associated_contacts } = { ...state, ...revision };
  if (company_id === null && associated_contacts.length === 0)
    throw new Problem(
      409,
      'sale_needs_a_party',
      `The ${type} ${id} is the last party of the sale ${state.sale_id}: give that another one, or delete it.`,
    );
  return sale.decide(state, { type: 'UpdateSale', stage: null, revision, at: now() });
}

function revisionOf(state: Sale, { type, id }: LinkedRecord, to: string | null): Revision {
  switch (type) {
    case 'company':
      return { company_id: to };
    case 'contact':
      return { associated_contacts: replaced(state.associated_contacts, id, to) };
    default: {
      const ids = state.associated_conversation_ids.map((one) => (one === id ? to : one));
      return { associated_conversation_ids: [...new Set(ids.filter((one) => one !== null))] };
    }
  }
}

/** The contacts of a sale with another, or none, in place of one; each is there once, and one is primary. */
function replaced(contacts: AssociatedContact[], id: string, to: string | null): AssociatedContact[] {
  const one = contacts.find(({ contact_id }) => contact_id === id);
  if (!one) return contacts;
  const isThere = contacts.some(({ contact_id }) => contact_id === to);
  if (to === null || isThere)
    return contacts
      .filter((other) => other !== one)
      .map((other) =>
        other.contact_id === to ? { ...other, is_primary: other.is_primary || one.is_primary } : other,
      );
  return contacts.map((other) => (other === one ? { ...one, contact_id: to } : other));
}
