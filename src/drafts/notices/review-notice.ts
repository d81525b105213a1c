import type { Decider } from '#kernel/decider.js';
import type { Instant } from '#kernel/instant.js';

/** A mail to the organization's people about a draft to review. It exists until the mail has left, or cannot leave. */
export interface ReviewNotice {
  notice_id: string;
  draft_id: string;
  /** The version saved. Once the draft has another, there is nothing to review, or another notice tells of it. */
  draft_version: number;
  notified_emails: string[];
  attempts: number;
  /** When to try (again), unless it has ended by then. */
  due_at: Instant;
}

export type ReviewNoticeEvent =
  | {
      type: 'ReviewRequested';
      data: Pick<ReviewNotice, 'notice_id' | 'draft_id' | 'draft_version' | 'notified_emails'> & {
        /** Of a response draft. */
        conversation_id: string | null;
        requested_at: Instant;
      };
    }
  /** Recorded before the mail leaves. The next try comes after `due_at`, when this one is over. */
  | { type: 'ReviewNoticeTried'; data: { due_at: Instant } }
  | { type: 'ReviewNoticeEnded'; data: { sent: boolean; reason: string } };

export type ReviewNoticeCommand =
  | ({ type: 'RequestReview' } & Extract<ReviewNoticeEvent, { type: 'ReviewRequested' }>['data'])
  | { type: 'TryNotice'; at: Instant; next_attempt_at: Instant; max_attempts: number }
  | { type: 'EndNotice'; sent: boolean; reason: string };

export const reviewNotice: Decider<ReviewNotice, ReviewNoticeCommand, ReviewNoticeEvent> = {
  decide(state, command) {
    switch (command.type) {
      case 'RequestReview': {
        const { type: _, ...data } = command;
        return state ? [] : [{ type: 'ReviewRequested', data }];
      }
      case 'TryNotice': {
        const { at, next_attempt_at, max_attempts } = command;
        if (!state || state.due_at > at) return [];
        if (state.attempts >= max_attempts)
          return [{ type: 'ReviewNoticeEnded', data: { sent: false, reason: 'it was tried too often' } }];
        return [{ type: 'ReviewNoticeTried', data: { due_at: next_attempt_at } }];
      }
      case 'EndNotice': {
        const { sent, reason } = command;
        return state ? [{ type: 'ReviewNoticeEnded', data: { sent, reason } }] : [];
      }
    }
  },

  evolve(state, event) {
    switch (event.type) {
      case 'ReviewRequested': {
        const { conversation_id: _, requested_at, ...notice } = event.data;
        // With nobody to notify, only the event is kept.
        return notice.notified_emails.length === 0 ? null : { ...notice, attempts: 0, due_at: requested_at };
      }
      case 'ReviewNoticeTried':
        return state && { ...state, attempts: state.attempts + 1, due_at: event.data.due_at };
      case 'ReviewNoticeEnded':
        return null;
    }
  },
};
