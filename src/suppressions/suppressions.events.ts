import { type PublicForms, shownAs } from '#event-store/public-event.js';
import { shown } from './shown-suppression.js';
import type { SuppressionEvent } from './suppression.js';
import {
  SuppressionAddedData,
  SuppressionBouncedData,
  SuppressionBounceLiftedData,
  SuppressionRemovedData,
} from './suppressions.events.dto.js';

export const suppressionEvents: PublicForms<SuppressionEvent> = {
  SuppressionAdded: shownAs(
    SuppressionAddedData,
    'First messages are no longer sent to an address or number; nor are replies, if it bounced.',
    shown,
  ),
  SuppressionBounced: shownAs(
    SuppressionBouncedData,
    'An address that was suppressed for another reason bounced: replies are no longer sent to it either.',
    () => ({}),
  ),
  SuppressionBounceLifted: shownAs(
    SuppressionBounceLiftedData,
    'An address that bounced has written since: it is suppressed for the reason before that alone.',
    ({ reason }) => ({ reason }),
  ),
  SuppressionRemoved: shownAs(
    SuppressionRemovedData,
    'An address or number may be sent to again.',
    () => ({}),
  ),
};
