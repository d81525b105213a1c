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
  recordBounce,
  recordFailure,
  recordRefusals,
  sentDelivery,
  startDelivery,
} from './delivery.js';
import {
  type DraftContent,
  type DraftFile,
  type Queueing,
  type Recipient,
  saysTheSame,
  type TrackedLink,
} from './draft-content.js';
import { bareKey } from './recipient-key.js';
import { isCancelledBy, mayBeTakenBack, type Reply, takenBack } from './taken-back.js';

/**
 * A message before it is sent: first contact (`message`) or the reply to a conversation (`response`). The draft is kept
 * after promotion, to tell which message it became.
 */
export interface Draft extends DraftContent {
  draft_id: string;
  kind: 'message' | 'response';
  /** Set from the start for a response, once it is sent for a message. */
  conversation_id: string | null;
  /** Only of a message draft, normalised. */
  folder: string | null;
  /** Only of a message draft: by which its recipient is matched to contacts (`matchKeysOf`). */
  recipient_key: string | null;
  /** Set from the start for a message, once it is queued for a response. */
  modality: string | null;
  created_at: Instant;
  scheduled_send_at: Instant | null;
  email_message_id: string | null;
  links: TrackedLink[];
  cancel_on_reply: boolean;
  close_after_send: boolean;
  /** The conversation's when it was accepted for sending: what is written to us afterwards makes that another. */
  heard_at: Instant | null;
  files: DraftFile[];
  without_signature: boolean;
  /** Whether it was overwritten before it was last queued. */
  was_overwritten: boolean;
  /** The agent who wrote it last. Once it is queued, `agent_id` is the sender decided then. */
  writer_id: string | null;
  /** The message it became. */
  message_id: string | null;
  delivery: Delivery;
}

type Opening = DraftContent & Pick<Draft, 'draft_id' | 'created_at'> & { queued: Queueing | null };

/** `recipient_key` is missing in older events. */
type FirstMessage = Opening & { modality: string; folder: string; recipient_key?: string | null };

export type DraftEvent =
  | { type: 'MessageDrafted'; data: FirstMessage }
  | { type: 'ResponseDrafted'; data: Opening & { conversation_id: string } }
  | { type: 'DraftOverwritten'; data: DraftContent & { queued: Queueing | null } }
  | { type: 'DraftQueued'; data: { queued: Queueing; recipient: Recipient } }
  /** Saved for review again. `error`: why, unless somebody asked for it. */
  | { type: 'DraftUnscheduled'; data: { error: string | null } }
  | { type: 'DraftDeleted'; data: object }
  /** Its conversation was merged into this one. */
  | { type: 'DraftMoved'; data: { conversation_id: string } }
  | {
      type: 'DraftSent';
      data: {
        message_id: string;
        conversation_id: string;
        sent_at: Instant;
        /** The provider's answer, and the recipients it did not take, each with the reason. */
        response: string;
        rejected: string[];
      };
    }
  | DeliveryEvent;

export type DraftCommand =
  | ({ type: 'DraftMessage' } & FirstMessage)
  /** Overwrites a draft that is there already. */
  | ({ type: 'DraftResponse' } & Opening & { conversation_id: string })
  | { type: 'QueueDraft'; queued: Queueing; recipient: Recipient }
  | { type: 'UnscheduleDraft' }
  /** The contact has written in the draft's conversation. */
  | { type: 'NoteReply'; reply: Reply }
  | { type: 'DeleteDraft' }
  | { type: 'MoveDraft'; conversation_id: string }
  | ({ type: 'StartDelivery' } & Claim)
  | {
      type: 'RecordOutcome';
      outcome: Outcome;
      /** The message that an accepted draft becomes. */
      promoted: { message_id: string; conversation_id: string } | null;
      policy: { max_attempts: number; next_attempt_at: Instant; on_uncertain: OnUncertain };
    }
  /** A report that a mail or text did not arrive. */
  | { type: 'RecordBounce'; error: string };

export const draft: Decider<Draft, DraftCommand, DraftEvent> = {
  decide(state, command) {
    switch (command.type) {
      case 'DraftMessage': {
        const { type: _, ...data } = command;
        return state ? [] : [{ type: 'MessageDrafted', data }];
      }
      case 'DraftResponse': {
        const { type: _, ...data } = command;
        if (!state) return [{ type: 'ResponseDrafted', data }];
        refuseWhileSending(state);
        const { draft_id: __, conversation_id: ___, created_at: ____, queued, ...content } = data;
        return [
          { type: 'DraftOverwritten', data: { ...content, queued: queuedAnew(state, content, queued) } },
        ];
      }
      case 'QueueDraft':
        if (!state || isOnItsWay(state)) return [];
        return [{ type: 'DraftQueued', data: { queued: command.queued, recipient: command.recipient } }];
      case 'UnscheduleDraft':
        return state && mayBeTakenBack(state) ? [takenBack(null)] : [];
      case 'NoteReply': {
        const { reply } = command;
        if (!state || !isCancelledBy(state, reply)) return [];
        return [takenBack(`The contact wrote ${reply.message_id} before it left.`)];
      }
      case 'DeleteDraft':
        if (!state) return [];
        refuseWhileSending(state);
        return [{ type: 'DraftDeleted', data: {} }];
      case 'MoveDraft':
        return state ? [{ type: 'DraftMoved', data: { conversation_id: command.conversation_id } }] : [];
      case 'StartDelivery':
        return state ? startDelivery(state.delivery, command) : [];
      case 'RecordOutcome': {
        if (state?.delivery.status !== 'sending') return [];
        const { outcome, promoted, policy } = command;
        if (outcome.kind !== 'accepted') return [recordFailure(state.delivery, outcome, policy)];
        const { response, rejected } = outcome;
        const refusals = recordRefusals(state.delivery, outcome, policy);
        if (state.message_id !== null) return refusals;
        const sent_at = state.delivery.handed_over_at!;
        return [{ type: 'DraftSent', data: { ...promoted!, sent_at, response, rejected } }, ...refusals];
      }
      case 'RecordBounce':
        return state && mayBounce(state) ? recordBounce(state.delivery, command.error) : [];
    }
  },

  evolve(state, event) {
    switch (event.type) {
      case 'MessageDrafted': {
        const { queued, recipient_key = bareKey(event.data.modality, event.data), ...opening } = event.data;
        return withQueueing(opened('message', opening, recipient_key), queued);
      }
      case 'ResponseDrafted': {
        const { queued, ...opening } = event.data;
        return withQueueing(opened('response', opening), queued);
      }
      case 'DraftOverwritten': {
        const { queued, ...content } = event.data;
        const overwritten = {
          modality: null,
          was_overwritten: true,
          writer_id: content.agent_id,
          cancel_on_reply: content.cancel_on_reply ?? false,
          close_after_send: content.close_after_send ?? false,
          files: content.files ?? [],
          without_signature: content.without_signature ?? false,
        };
        return state && withQueueing({ ...state, ...content, ...UNQUEUED, ...overwritten }, queued);
      }
      case 'DraftQueued':
        return state && withQueueing({ ...state, ...event.data.recipient }, event.data.queued);
      case 'DraftUnscheduled': {
        const delivery = { ...NOT_QUEUED, last_error: event.data.error };
        return state && { ...state, scheduled_send_at: null, delivery };
      }
      case 'DraftDeleted':
        return null;
      case 'DraftMoved':
        return state && { ...state, ...event.data };
      case 'DraftSent':
        return (
          state && {
            ...state,
            message_id: event.data.message_id,
            conversation_id: event.data.conversation_id,
            delivery: sentDelivery(state.delivery),
          }
        );
      case 'DeliveryFailed':
      case 'DeliveryBecameUncertain':
        return (
          state && { ...state, scheduled_send_at: null, delivery: evolveDelivery(state.delivery, event) }
        );
      case 'DeliveryStarted':
      case 'DeliveryRetryScheduled':
      case 'DeliveryCompleted':
        return state && { ...state, delivery: evolveDelivery(state.delivery, event) };
    }
  },
};

const UNQUEUED = {
  scheduled_send_at: null,
  heard_at: null,
  email_message_id: null,
  links: [],
  delivery: NOT_QUEUED,
};

const BLANK = {
  ...UNQUEUED,
  conversation_id: null,
  folder: null,
  modality: null,
  was_overwritten: false,
  cancel_on_reply: false,
  close_after_send: false,
  files: [],
  without_signature: false,
  message_id: null,
};

/** `kind` comes first: after a leading spread, further keys are defined one by one, which takes 17 us here. */
const opened = (
  kind: Draft['kind'],
  opening: Omit<Opening, 'queued'>,
  recipient_key: string | null = null,
): Draft => ({
  kind,
  ...BLANK,
  ...opening,
  recipient_key,
  writer_id: opening.agent_id,
});

const withQueueing = (draft: Draft, queued: Queueing | null): Draft =>
  queued ? { ...draft, ...queued, delivery: queuedAt(queued.scheduled_send_at) } : draft;

/** Whether the draft has been accepted for sending and has not come back. */
export const isOnItsWay = ({ delivery, message_id }: Pick<Draft, 'delivery' | 'message_id'>): boolean =>
  message_id !== null || ['queued', 'sending', 'retrying'].includes(delivery.status);

/** Whether a report can be about it: it has left, or may have and is tried no more. */
const mayBounce = ({ message_id, delivery }: Draft): boolean =>
  message_id !== null || delivery.status === 'uncertain';

/** The events, and what follows from a report, received meanwhile, that the mail did not arrive. */
export function withBounce(state: Draft, events: DraftEvent[], error: string | null): DraftEvent[] {
  if (error === null) return events;
  const after = events.reduce<Draft | null>(draft.evolve, state);
  return [...events, ...draft.decide(after, { type: 'RecordBounce', error })];
}

/**
 * A mail that is overwritten may have left already. Unchanged, as when a client repeats its request, it keeps its Message-ID
 * and links, so that receivers fold the copies.
 */
function queuedAnew(state: Draft, content: DraftContent, queued: Queueing | null): Queueing | null {
  const { email_message_id, links } = state;
  if (!email_message_id || !queued?.email_message_id) return queued;
  return saysTheSame(state, content) ? { ...queued, email_message_id, links } : queued;
}

function refuseWhileSending(state: Draft): void {
  if (state.delivery.status === 'sending')
    throw new RuleViolation('draft_sending', `The draft ${state.draft_id} is being sent right now.`);
}
