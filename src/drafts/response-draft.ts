import { type Decider, RuleViolation } from '#kernel/decider.js';
import type { Instant } from '#kernel/instant.js';
import {
  type Claim,
  type Delivery,
  type DeliveryEvent,
  evolveDelivery,
  NOT_QUEUED,
  type OnUncertain,
  type Outcome,
  queuedAt,
  recordFailure,
  startDelivery,
} from './delivery.js';

/** What the writer of a reply decides, and whom it goes to. */
export interface ReplyContent {
  body_html: string;
  cc_emails: string[];
  bcc_emails: string[];
  recipient_name: string | null;
  recipient_email: string | null;
  recipient_phone_number: string | null;
  /** The agent who will be its sender. */
  agent_id: string | null;
  add_notification: boolean;
}

/** A draft's acceptance for sending. */
export interface Queueing {
  scheduled_send_at: Instant;
  modality: string;
  /** The Message-ID under which every try leaves, so that receivers fold copies; null for what is no e-mail. */
  email_message_id: string | null;
  agent_id: string | null;
}

/** The reply to a conversation before it is sent. It stays after promotion, to tell where it went. */
export interface ResponseDraft extends ReplyContent {
  response_id: string;
  conversation_id: string;
  created_at: Instant;
  scheduled_send_at: Instant | null;
  modality: string | null;
  email_message_id: string | null;
  /** Whether it was overwritten before it was queued for the last time. */
  was_overwritten: boolean;
  /** The message it became. */
  message_id: string | null;
  delivery: Delivery;
}

export type ResponseDraftEvent =
  | {
      type: 'ResponseDrafted';
      data: ReplyContent &
        Pick<ResponseDraft, 'response_id' | 'conversation_id' | 'created_at'> & { queued: Queueing | null };
    }
  | { type: 'ResponseDraftOverwritten'; data: ReplyContent & { queued: Queueing | null } }
  | { type: 'ResponseDraftQueued'; data: { queued: Queueing } }
  | { type: 'ResponseDraftDeleted'; data: object }
  | {
      type: 'ResponseDraftSent';
      data: { message_id: string; sent_at: Instant; response: string; rejected: string[] };
    }
  | DeliveryEvent;

export type ResponseDraftCommand =
  | {
      type: 'SaveResponseDraft';
      response_id: string;
      conversation_id: string;
      created_at: Instant;
      content: ReplyContent;
      queued: Queueing | null;
    }
  | { type: 'QueueResponseDraft'; queued: Queueing }
  | { type: 'DeleteResponseDraft' }
  | ({ type: 'StartDelivery' } & Claim)
  | {
      type: 'RecordOutcome';
      outcome: Outcome;
      message_id: string;
      at: Instant;
      policy: { max_attempts: number; next_attempt_at: Instant; on_uncertain: OnUncertain };
    };

export const responseDraft: Decider<ResponseDraft, ResponseDraftCommand, ResponseDraftEvent> = {
  decide(state, command) {
    switch (command.type) {
      case 'SaveResponseDraft': {
        const { response_id, conversation_id, created_at, content, queued } = command;
        if (!state)
          return [
            {
              type: 'ResponseDrafted',
              data: { response_id, conversation_id, created_at, ...content, queued },
            },
          ];
        refuseWhileSending(state);
        return [{ type: 'ResponseDraftOverwritten', data: { ...content, queued } }];
      }
      case 'QueueResponseDraft':
        return state && !isOnItsWay(state)
          ? [{ type: 'ResponseDraftQueued', data: { queued: command.queued } }]
          : [];
      case 'DeleteResponseDraft':
        if (!state) return [];
        refuseWhileSending(state);
        return [{ type: 'ResponseDraftDeleted', data: {} }];
      case 'StartDelivery':
        return state ? startDelivery(state.delivery, command) : [];
      case 'RecordOutcome': {
        if (state?.delivery.status !== 'sending') return [];
        const { outcome, message_id, at: sent_at, policy } = command;
        if (outcome.kind !== 'accepted') return [recordFailure(state.delivery, outcome, policy)];
        const { response, rejected } = outcome;
        return [{ type: 'ResponseDraftSent', data: { message_id, sent_at, response, rejected } }];
      }
    }
  },

  evolve(state, event) {
    switch (event.type) {
      case 'ResponseDrafted': {
        const { queued, ...draft } = event.data;
        return withQueueing({ ...draft, ...UNQUEUED, was_overwritten: false, message_id: null }, queued);
      }
      case 'ResponseDraftOverwritten': {
        const { queued, ...content } = event.data;
        return state && withQueueing({ ...state, ...content, ...UNQUEUED, was_overwritten: true }, queued);
      }
      case 'ResponseDraftQueued':
        return state && withQueueing(state, event.data.queued);
      case 'ResponseDraftDeleted':
        return null;
      case 'ResponseDraftSent':
        return (
          state && {
            ...state,
            message_id: event.data.message_id,
            delivery: { ...state.delivery, status: 'sent', lease_until: null, worker: null },
          }
        );
      case 'DeliveryFailed':
      case 'DeliveryBecameUncertain':
        return (
          state && { ...state, scheduled_send_at: null, delivery: evolveDelivery(state.delivery, event) }
        );
      case 'DeliveryStarted':
      case 'DeliveryRetryScheduled':
        return state && { ...state, delivery: evolveDelivery(state.delivery, event) };
    }
  },
};

const UNQUEUED = { scheduled_send_at: null, modality: null, email_message_id: null, delivery: NOT_QUEUED };

const withQueueing = (draft: ResponseDraft, queued: Queueing | null): ResponseDraft =>
  queued ? { ...draft, ...queued, delivery: queuedAt(queued.scheduled_send_at) } : draft;

/** Whether the draft has been accepted for sending and has not come back. */
export const isOnItsWay = ({ delivery }: Pick<ResponseDraft, 'delivery'>): boolean =>
  ['queued', 'sending', 'retrying', 'sent'].includes(delivery.status);

function refuseWhileSending(state: ResponseDraft): void {
  if (state.delivery.status === 'sending')
    throw new RuleViolation(
      'draft_sending',
      `The response draft ${state.response_id} is being sent right now.`,
    );
}

/** The draft's fields as the contract documents them; null once it is a message. */
export function documentedFields(state: ResponseDraft): Record<string, unknown> | null {
  if (state.message_id !== null) return null;
  const { response_id, conversation_id, body_html, recipient_name, recipient_email, recipient_phone_number } =
    state;
  const { cc_emails, bcc_emails, scheduled_send_at, created_at } = state;
  return {
    response_id,
    conversation_id,
    body_html,
    recipient_name,
    recipient_email,
    recipient_phone_number,
    cc_emails,
    bcc_emails,
    scheduled_send_at,
    created_at,
  };
}
