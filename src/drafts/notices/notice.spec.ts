import { given } from '../../../test/support/given.js';
import { notice, type NoticeEvent } from './notice.js';

const AT = '2026-01-02T03:04:05.000000Z';
const LATER = '2026-01-02T03:05:05.000000Z';

const asked = (notified_emails = ['team@acme.example']): NoticeEvent => ({
  type: 'ReviewRequested',
  data: {
    notice_id: 'notice_1',
    draft_id: 'draft_1',
    draft_version: 1,
    conversation_id: null,
    notified_emails,
    requested_at: AT,
  },
});
const tried: NoticeEvent = { type: 'ReviewNoticeTried', data: { due_at: LATER } };
const tryAt = (at: string, max_attempts = 8) => ({
  type: 'TryNotice' as const,
  at,
  next_attempt_at: LATER,
  max_attempts,
});

describe('a notice', () => {
  it('is due at once', () => given(notice, [asked()]).when(tryAt(AT)).then(tried));

  it('is none when there is nobody to write to', () => {
    expect(given(notice, [asked([])]).state).toBeNull();
    given(notice, [asked([])])
      .when(tryAt(AT))
      .then();
  });

  it('is left alone while it is being tried, and tried again after that', () => {
    given(notice, [asked(), tried]).when(tryAt(AT)).then();
    given(notice, [asked(), tried]).when(tryAt(LATER)).then(tried);
  });

  it('is given up after the last try', () =>
    given(notice, [asked(), tried])
      .when(tryAt(LATER, 1))
      .then({ type: 'ReviewNoticeEnded', data: { sent: false, reason: 'it was tried too often' } }));

  it('is gone once it has ended, and ends once', () => {
    const ended = given(notice, [asked(), tried]).when({ type: 'EndNotice', sent: true, reason: 'OK' });
    expect(ended.thenState()).toBeNull();
    given(notice, []).when({ type: 'EndNotice', sent: true, reason: 'OK' }).then();
  });
});
