import { type PublicForms, shownAs } from '#event-store/public-event.js';
import type { DeliveryEvent } from './delivery.js';
import {
  DeliveryCompletedData,
  DeliveryEndedData,
  DeliveryRetryScheduledData,
  DeliveryStartedData,
  DraftDeletedData,
  DraftMovedData,
  DraftQueuedData,
  DraftSentData,
  DraftUnscheduledData,
  DraftOverwrittenData,
  MessageDraftedData,
  ResponseDraftedData,
  ReviewRequestedData,
} from './drafts.events.dto.js';
import type { DraftEvent } from './draft.js';
import { type DraftContent, type Queueing, recipientsOf } from './draft-content.js';
import type { NoticeEvent } from './notices/notice.js';

const deliveryEvents: PublicForms<DeliveryEvent> = {
  DeliveryStarted: shownAs(DeliveryStartedData, 'A try to deliver a draft began.', ({ attempt }) => ({
    attempt,
  })),
  DeliveryRetryScheduled: shownAs(
    DeliveryRetryScheduledData,
    'A try to deliver a draft did not succeed, or not for all of its recipients; there will be another.',
    ({ error, next_attempt_at }) => ({ last_error: error, next_attempt_at }),
  ),
  DeliveryCompleted: shownAs(
    DeliveryCompletedData,
    'A mail that had left to some of its recipients has left to the others, too.',
    () => ({}),
  ),
  DeliveryFailed: shownAs(DeliveryEndedData, 'A draft could not be delivered.', ({ error }) => ({
    last_error: error,
    scheduled_send_at: null,
  })),
  DeliveryBecameUncertain: shownAs(
    DeliveryEndedData,
    'It cannot be known whether a draft was delivered; somebody has to decide.',
    ({ error }) => ({ last_error: error, scheduled_send_at: null }),
  ),
};

export const draftEvents: PublicForms<DraftEvent> = {
  ...deliveryEvents,
  MessageDrafted: shownAs(
    MessageDraftedData,
    'A first message was drafted; when scheduled_send_at is set it was queued at once.',
    ({ draft_id, subject, modality, folder, created_at, ...content }) => ({
      draft_id,
      subject,
      modality,
      folder,
      ...written(content),
      created_at,
    }),
  ),
  ResponseDrafted: shownAs(
    ResponseDraftedData,
    'A reply was drafted; when scheduled_send_at is set it was queued at once.',
    ({ draft_id, conversation_id, created_at, ...content }) => ({
      response_id: draft_id,
      conversation_id,
      ...reply(content),
      created_at,
    }),
  ),
  DraftOverwritten: shownAs(DraftOverwrittenData, 'The pending reply was replaced by another.', reply),
  DraftQueued: shownAs(
    DraftQueuedData,
    'A saved draft was queued for delivery.',
    ({ queued: { scheduled_send_at, agent_id }, recipient: { text_addresses: _, ...recipient } }) => ({
      scheduled_send_at,
      agent_id,
      ...recipient,
      recipient_emails: recipientsOf(recipient),
    }),
  ),
  DraftUnscheduled: shownAs(
    DraftUnscheduledData,
    'A queued draft is saved for review again: somebody asked for it, or the contact wrote first.',
    ({ error }) => ({ scheduled_send_at: null, last_error: error }),
  ),
  DraftMoved: shownAs(
    DraftMovedData,
    'The conversation of a drafted reply was merged into another, which the reply belongs to from now on.',
    ({ conversation_id }) => ({ conversation_id }),
  ),
  DraftDeleted: shownAs(DraftDeletedData, 'A draft was deleted before it was sent.', () => ({})),
  DraftSent: shownAs(
    DraftSentData,
    'A draft was sent and became a message.',
    ({ message_id, conversation_id, sent_at }) => ({ message_id, conversation_id, sent_at }),
  ),
};

/** What becomes of the notice mail is internal, so only the request is public. */
export const reviewEvents: Pick<PublicForms<NoticeEvent>, 'ReviewRequested'> = {
  ReviewRequested: shownAs(
    ReviewRequestedData,
    'A draft was saved, or overwritten, with add_notification: somebody is to review it.',
    ({ draft_id, conversation_id, notified_emails }) => ({
      draft_id: conversation_id === null ? draft_id : null,
      response_id: conversation_id === null ? null : draft_id,
      conversation_id,
      notified_emails,
    }),
  ),
};

function reply(content: Parameters<typeof written>[0]): DraftOverwrittenData {
  const { cancel_on_reply = false, close_after_send = false } = content;
  return { ...written(content), cancel_on_reply, close_after_send };
}

function written({
  queued,
  ...content
}: Omit<DraftContent, 'subject'> & { queued: Queueing | null }): Omit<
  DraftOverwrittenData,
  'cancel_on_reply' | 'close_after_send'
> {
  const { body_html, recipient_name, recipient_email, recipient_phone_number, cc_emails, bcc_emails } =
    content;
  return {
    body_html,
    recipient_name,
    recipient_email,
    recipient_emails: recipientsOf(content),
    recipient_phone_number,
    cc_emails,
    bcc_emails,
    files: content.files ?? [],
    without_signature: content.without_signature ?? false,
    agent_id: queued?.agent_id ?? content.agent_id,
    scheduled_send_at: queued?.scheduled_send_at ?? null,
    add_notification: content.add_notification,
  };
}
