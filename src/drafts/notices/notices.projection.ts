import type { Aggregate } from '#event-store/aggregate.js';
import { type Append, appendTo, NEW } from '#event-store/append.js';
import { notice, type Notice, type NoticeEvent, type NoticeRequest } from './notice.js';

/** One row per notice still to be sent. */
export const notices: Aggregate<Notice, NoticeEvent> = {
  streamType: 'review_notice',
  evolve: notice.evolve,
  row: {
    table: 'review_notice',
    key: 'notice_id',
    columns: [
      'notice_id',
      'draft_id',
      'draft_version',
      'comment_id',
      'notified_emails',
      'attempts',
      'due_at',
    ],
  },
};

/** The append by which a notice is to be sent, in the transaction of what it tells of. */
export const requestedNotice = (request: NoticeRequest): Append =>
  appendTo(notices, request.notice_id, NEW, notice.decide(null, request));
