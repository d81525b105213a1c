import { type PublicForms, shownAs } from '#event-store/public-event.js';
import { NO_REFERENCE } from '#kernel/external-reference.js';
import { inOrder } from '#kernel/in-order.js';
import { tagsChangedOf } from '../tags/tags.contract.js';
import { closes, type SaleEvent } from './sale.js';
import { shownQuote, shownStatus } from './shown-sale.js';
import {
  SaleContactedData,
  SaleOpenedData,
  SaleQuotedData,
  SaleRevisedData,
  SaleStageChangedData,
  SaleDeletedData,
} from './sales.events.dto.js';

const LINKS = ['associated_conversation_ids', 'company_id', 'owner_id', 'associated_contacts'] as const;
const FACE = ['name', 'expected_close_on', 'external_id', 'metadata'] as const;
const REFERENCE = ['external_id', 'metadata'] as const;
const REVISED = [...LINKS, 'custom_fields', ...FACE] as const;
const NOT_GIVEN = { name: null, expected_close_on: null };

export const saleEvents: PublicForms<SaleEvent> = {
  SaleOpened: shownAs(SaleOpenedData, 'A sale was opened.', ({ stage, ...sale }) => ({
    sale_id: sale.sale_id,
    ...inOrder(sale, LINKS),
    custom_fields: sale.custom_fields,
    current_status: shownStatus({ ...stage, changed_at: sale.created_at }),
    created_at: sale.created_at,
    last_activity_at: sale.created_at,
    ...inOrder(sale, ['name', 'expected_close_on'], NOT_GIVEN),
    closed_at: closes(stage) ? sale.created_at : null,
    ...inOrder(sale, REFERENCE, NO_REFERENCE),
  })),
  SaleStageChanged: shownAs(
    SaleStageChangedData,
    'A sale entered a stage; links and custom fields may have changed with it.',
    ({ revision = {}, closes: isFirst, ...entered }) => ({
      ...shownStatus(entered),
      ...(isFirst && { closed_at: entered.changed_at }),
      ...inOrder(revision, REVISED),
      last_activity_at: entered.changed_at,
    }),
  ),
  SaleRevised: shownAs(
    SaleRevisedData,
    'Links or custom fields of a sale changed.',
    ({ revised_at, ...changed }) => ({ ...inOrder(changed, REVISED), last_activity_at: revised_at }),
  ),
  SaleQuoted: shownAs(SaleQuotedData, 'A sale was quoted.', ({ quote_details, quoted_at }) => ({
    quote_details: shownQuote(quote_details),
    last_activity_at: quoted_at,
  })),
  SaleTagsChanged: tagsChangedOf('sale'),
  SaleDeleted: shownAs(SaleDeletedData, 'A sale was deleted.', () => ({})),
  SaleContacted: shownAs(
    SaleContactedData,
    'A message was recorded in a conversation of a sale.',
    ({ conversation_id, contacted_at }) => ({ conversation_id, last_activity_at: contacted_at }),
  ),
};
