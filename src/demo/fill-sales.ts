import { type Append, appendTo, NEW } from '#event-store/append.js';
import type { RecordTag } from '#kernel/tags.js';
import {
  quoteOf,
  sale,
  type Sale,
  type SaleCommand,
  type SaleEvent,
  sales,
  type Stage,
} from '../sales/sales.contract.js';
import { type Ids, instantOf } from './ids.js';
import type { LinkedSale } from './plan.js';

/** The append for a sale as if it had gone from stage to stage. */
export function saleAppend(
  planned: LinkedSale,
  sale_id: string,
  ids: Ids,
  stages: Stage[],
  keyAccount: RecordTag,
): Append {
  const moves = planned.entered.map((at, nr) => {
    const { status_id, label, status } = stages[nr]!;
    return { stage: { status_id, label, status }, at: instantOf(at) };
  });
  const [first, ...later] = moves;
  const opening: SaleCommand = {
    type: 'OpenSale',
    ...first!,
    sale_id,
    company_id: ids.companies[planned.company]!,
    owner_id: ids.agents[planned.owner]!,
    associated_contacts: planned.contacts.map((nr) => ({ contact_id: ids.contacts[nr]!, is_primary: false })),
    associated_conversation_ids: planned.conversations.map((nr) => ids.conversations[nr]!),
    custom_fields: {},
    name: planned.name,
    expected_close_on: planned.expected_close_on,
  };
  const quote_details = planned.quote && quoteOf(planned.quote);
  const events = eventsOf([
    opening,
    ...(quote_details ? [{ type: 'QuoteSale' as const, quote_details, at: later[0]!.at }] : []),
    ...later.map((move): SaleCommand => ({ type: 'UpdateSale', revision: {}, ...move })),
  ]);
  if (planned.isOfKeyAccount)
    events.push({ type: 'SaleTagsChanged', data: { added: [keyAccount], removed: [] } });
  return appendTo(sales, sale_id, NEW, events);
}

/** The events of these commands, one after the other. */
function eventsOf(commands: SaleCommand[]): SaleEvent[] {
  let state: Sale | null = null;
  return commands.flatMap((command) => {
    const events = sale.decide(state, command);
    state = events.reduce(sale.evolve, state);
    return events;
  });
}
