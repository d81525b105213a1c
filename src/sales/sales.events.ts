import { type PublicForms, shownAs } from '#event-store/public-event.js';
import type { SaleEvent } from './sale.js';
import {
  SaleContactedData,
  SaleOpenedData,
  SaleQuotedData,
  SaleRevisedData,
  SaleStageChangedData,
} from './sales.events.dto.js';

export const saleEvents: PublicForms<SaleEvent> = {
  SaleOpened: shownAs(SaleOpenedData, 'A sale was opened.', ({ stage, ...sale }) => ({
    ...sale,
    current_status: { ...stage, changed_at: sale.created_at },
    last_activity_at: sale.created_at,
  })),
  SaleStageChanged: shownAs(
    SaleStageChangedData,
    'A sale entered a stage; links and custom fields may have changed with it.',
    ({ revision, ...entered }) => ({ ...entered, ...revision, last_activity_at: entered.changed_at }),
  ),
  SaleRevised: shownAs(
    SaleRevisedData,
    'Links or custom fields of a sale changed.',
    ({ revised_at, ...changed }) => ({ ...changed, last_activity_at: revised_at }),
  ),
  SaleQuoted: shownAs(SaleQuotedData, 'A sale was quoted.', ({ quote_details, quoted_at }) => ({
    quote_details,
    last_activity_at: quoted_at,
  })),
  SaleContacted: shownAs(
    SaleContactedData,
    'A message was recorded in a conversation of a sale.',
    ({ conversation_id, contacted_at }) => ({ conversation_id, last_activity_at: contacted_at }),
  ),
};
