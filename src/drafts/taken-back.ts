import type { Instant } from '#kernel/instant.js';
import type { Delivery } from './delivery.js';

/** A message of the contact. */
export interface Reply {
  message_id: string;
  sent_at: Instant;
}

/** Whether it waits to leave, for the first time or again, and nobody has it yet. */
export const mayBeTakenBack = (draft: { delivery: Delivery; message_id: string | null }): boolean =>
  draft.message_id === null && (draft.delivery.status === 'queued' || draft.delivery.status === 'retrying');

/** Whether the message keeps the draft from leaving: one that the contact wrote before the draft does not. */
export const isCancelledBy = (
  draft: Parameters<typeof mayBeTakenBack>[0] & { cancel_on_reply: boolean; created_at: Instant },
  { sent_at }: Reply,
): boolean => draft.cancel_on_reply && mayBeTakenBack(draft) && sent_at >= secondOf(draft.created_at);

export const takenBack = (error: string | null) => ({ type: 'DraftUnscheduled', data: { error } }) as const;

/** The second that an instant lies in: mails tell no more of their time (RFC 5322, 3.3). */
const secondOf = (instant: Instant): Instant => `${instant.slice(0, 19)}.000000Z`;
