import type { Stamped } from '#event-store/rows.js';
import type { SaleResponse } from './sales.dto.js';
import type { QuoteDetails, Sale, StatusEvent } from './sale.js';

/** A quote in the contract's order of fields. */
export const shownQuote = ({
  output,
  arguments: { products },
  agent_overrides,
}: QuoteDetails): QuoteDetails => ({
  output: { currency: output.currency, total_price: output.total_price },
  arguments: {
    products: products.map(({ quantity, unit_price, product_name }) => ({
      quantity,
      unit_price,
      product_name,
    })),
  },
  ...(agent_overrides !== undefined && { agent_overrides }),
});

/** A stage that a sale has entered, in the contract's order of fields. */
export const shownStatus = ({ status_id, label, status, changed_at }: StatusEvent): StatusEvent => ({
  status_id,
  label,
  status,
  changed_at,
});

/** The sale as the contract shows it, in its order of fields. */
export const shownSale = (state: Sale) => ({
  sale_id: state.sale_id,
  associated_conversation_ids: state.associated_conversation_ids,
  company_id: state.company_id,
  owner_id: state.owner_id,
  associated_contacts: state.associated_contacts,
  quote_details: state.quote_details && shownQuote(state.quote_details),
  custom_fields: state.custom_fields,
  current_status: state.status_history.length > 0 ? shownStatus(state.status_history.at(-1)!) : null,
  status_history: state.status_history.map(shownStatus),
  created_at: state.created_at,
  last_activity_at: state.last_activity_at,
  name: state.name,
  expected_close_on: state.expected_close_on,
  closed_at: state.closed_at,
  external_id: state.external_id,
  metadata: state.metadata,
  tags: state.tags,
});

/** The same with when it last changed. */
export const stampedSale = (state: Sale): SaleResponse =>
  Object.assign(shownSale(state), { updated_at: (state as Stamped<Sale>).updated_at });
