import { customFields } from '../crm/crm.contract.js';
import { recordsOf, type SearchSource } from '../search/search.contract.js';
import { sales } from './sales.projection.js';

/** What sales are found by. */
export const SALES_SEARCH: SearchSource = recordsOf({
  aggregate: sales,
  idKinds: ['sale'],
  unchangedBy: ['SaleContacted', 'SaleTagsChanged'],
  documentOf: ({ name, owner_id, associated_contacts, quote_details, custom_fields, created_at }) => {
    const products = quote_details?.arguments.products.map(({ product_name }) => product_name) ?? [];
    return {
      type: 'sale',
      title: [name, ...products].filter(Boolean).join(', '),
      conversation_id: null,
      occurred_at: created_at,
      agent_id: owner_id,
      contact_ids: associated_contacts.map(({ contact_id }) => contact_id),
      modality: null,
      fields: [
        { name: 'name', text: name, kind: 'title' },
        ...products.map((text) => ({ name: 'product_name', text, kind: 'title' as const })),
        ...customFields(custom_fields),
      ],
    };
  },
});
