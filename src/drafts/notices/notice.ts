import type { Decider } from '#kernel/decider.js';
import type { Instant } from '#kernel/instant.js';

/**
 * A mail to the organization's people, about a draft to review or a comment that mentions them. It exists until the mail has left, or
 * cannot leave.
 */
export interface Notice {
  notice_id: string;
  /** The draft to review; null of a mention. */
  draft_id: string | null;
  /** The version saved. Once the draft has another, there is nothing to review, or another notice tells of it. */
  draft_version: number | null;
  /** The comment; null of a draft. */
  comment_id: string | null;
  notified_emails: string[];
  attempts: number;
  /** When to try (again), unless it has ended by then. */
  due_at: Instant;
}

interface Request {
  notice_id: string;
  notified_emails: string[];
  requested_at: Instant;
}

/** The names are those of the first kind of notices. */
export type NoticeEvent =
  | {
      type: 'ReviewRequested';
      data: Request & {
        draft_id: string;
        draft_version: number;
        /** Of a response draft. */
        conversation_id: string | null;
      };
    }
  | { type: 'MentionRequested'; data: Request & { comment_id: string } }
  /** Recorded before the mail leaves. The next try comes after `due_at`, when this one is over. */
  | { type: 'ReviewNoticeTried'; data: { due_at: Instant } }
  | { type: 'ReviewNoticeEnded'; data: { sent: boolean; reason: string } };

type DataOf<Type extends NoticeEvent['type']> = Extract<NoticeEvent, { type: Type }>['data'];

export type NoticeRequest =
  | ({ type: 'RequestReview' } & DataOf<'ReviewRequested'>)
  | ({ type: 'RequestMention' } & DataOf<'MentionRequested'>);

export type NoticeCommand =
  | NoticeRequest
  | { type: 'TryNotice'; at: Instant; next_attempt_at: Instant; max_attempts: number }
  | { type: 'EndNotice'; sent: boolean; reason: string };

export const notice: Decider<Notice, NoticeCommand, NoticeEvent> = {
  decide(state, command) {
    switch (command.type) {
      case 'RequestReview': {
        const { type: _, ...data } = command;
        return state ? [] : [{ type: 'ReviewRequested', data }];
      }
      case 'RequestMention': {
        const { type: _, ...data } = command;
        return state ? [] : [{ type: 'MentionRequested', data }];
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
        const { conversation_id: _, ...request } = event.data;
        return requested({ ...request, comment_id: null });
      }
      case 'MentionRequested':
        return requested({ ...event.data, draft_id: null, draft_version: null });
      case 'ReviewNoticeTried':
        return state && { ...state, attempts: state.attempts + 1, due_at: event.data.due_at };
      case 'ReviewNoticeEnded':
        return null;
    }
  },
};

/** With nobody to notify, only the event is kept. */
const requested = ({
  requested_at,
  ...notice
}: Request & Omit<Notice, 'attempts' | 'due_at'>): Notice | null =>
  notice.notified_emails.length === 0 ? null : { ...notice, attempts: 0, due_at: requested_at };
