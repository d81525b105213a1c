import { type PublicForms, shownAs } from '#event-store/public-event.js';
import { shown } from './shown-suppression.js';
import type { SuppressionEvent } from './suppression.js';
import { SuppressionAddedData, SuppressionRemovedData } from './suppressions.events.dto.js';

export const suppressionEvents: PublicForms<SuppressionEvent> = {
  SuppressionAdded: shownAs(
    SuppressionAddedData,
    'First messages are no longer sent to an address or number; nor are replies, if it bounced.',
    shown,
  ),
  SuppressionRemoved: shownAs(
    SuppressionRemovedData,
    'An address or number may be sent to again.',
    () => ({}),
  ),
};
