import type { Aggregate } from '#event-store/aggregate.js';
import { reviewNotice, type ReviewNotice, type ReviewNoticeEvent } from './review-notice.js';

/** One row per notice still to be sent. */
export const reviewNotices: Aggregate<ReviewNotice, ReviewNoticeEvent> = {
  streamType: 'review_notice',
  evolve: reviewNotice.evolve,
  row: {
    table: 'review_notice',
    key: 'notice_id',
    columns: ['notice_id', 'draft_id', 'draft_version', 'notified_emails', 'attempts', 'due_at'],
  },
};
