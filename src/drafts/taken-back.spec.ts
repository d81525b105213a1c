import { given } from '../../test/support/given.js';
import type { Queueing } from './draft-content.js';
import { draft, type DraftCommand, type DraftEvent } from './draft.js';

const at = (minute: number) => `2026-01-01T10:${String(minute).padStart(2, '0')}:30.500000Z`;

const queued: Queueing = {
  scheduled_send_at: at(20),
  modality: 'email',
  email_message_id: 'a@x.example',
  agent_id: null,
  links: [],
};
const content = {
  draft_id: 'response_1',
  conversation_id: 'conv_1',
  created_at: at(1),
  subject: null,
  body_html: '<p>Any news?</p>',
  cc_emails: [],
  bcc_emails: [],
  recipient_name: 'Bob',
  recipient_email: 'bob@x.example',
  recipient_phone_number: null,
  agent_id: null,
  add_notification: false,
};
const drafted = (data: { queued: Queueing | null; cancel_on_reply?: boolean }): DraftEvent => ({
  type: 'ResponseDrafted',
  data: { ...content, ...data },
});
const saved = drafted({ queued: null, cancel_on_reply: true });
const waiting = drafted({ queued, cancel_on_reply: true });
const uncancelled = drafted({ queued });

const started: DraftEvent = {
  type: 'DeliveryStarted',
  data: { attempt: 1, at: at(20), lease_until: at(21), worker: 7 },
};
const retrying: DraftEvent = {
  type: 'DeliveryRetryScheduled',
  data: { error: '451', next_attempt_at: at(22) },
};
const failed: DraftEvent = { type: 'DeliveryFailed', data: { error: '550' } };
const sent: DraftEvent = {
  type: 'DraftSent',
  data: {
    message_id: 'msg_1',
    conversation_id: 'conv_1',
    sent_at: at(20),
    response: '250',
    rejected: [],
  },
};
const unscheduled: DraftEvent = { type: 'DraftUnscheduled', data: { error: null } };
const cancelled: DraftEvent = {
  type: 'DraftUnscheduled',
  data: { error: 'The contact wrote msg_2 before it left.' },
};

const unschedule: DraftCommand = { type: 'UnscheduleDraft' };
const replyAt = (sent_at: string): DraftCommand => ({
  type: 'NoteReply',
  reply: { message_id: 'msg_2', sent_at },
});

describe('unscheduling a draft', () => {
  it.each([
    ['queued', [waiting]],
    ['retrying', [waiting, started, retrying]],
  ])('saves one that is %s for review again', (_, events: DraftEvent[]) => {
    const unscheduling = given(draft, events).when(unschedule);
    unscheduling.then(unscheduled);
    expect(unscheduling.thenState()).toMatchObject({
      scheduled_send_at: null,
      delivery: { status: 'none', attempts: 0, last_error: null, next_attempt_at: null },
    });
  });

  it.each([
    ['saved', [saved]],
    ['being sent', [waiting, started]],
    ['failed', [waiting, started, failed]],
    ['sent', [waiting, started, sent]],
    ['sent to some of its recipients', [waiting, started, sent, retrying]],
    ['unscheduled', [waiting, unscheduled]],
  ])('changes nothing of one that is %s', (_, events: DraftEvent[]) =>
    given(draft, events).when(unschedule).then(),
  );

  it('keeps the Message-ID and the links: a copy may be out already', () => {
    const after = given(draft, [waiting, started, retrying]).when(unschedule).thenState();
    expect(after).toMatchObject({ email_message_id: 'a@x.example', links: [] });
  });

  it('lets it be queued again', () =>
    given(draft, [waiting, unscheduled])
      .when({ type: 'QueueDraft', queued, recipient: content })
      .then({ type: 'DraftQueued', data: { queued, recipient: content } }));
});

describe('a message of the contact', () => {
  it.each([
    ['queued', [waiting]],
    ['retrying', [waiting, started, retrying]],
    ['queued after review', [saved, { type: 'DraftQueued', data: { queued, recipient: content } }]],
  ])('takes a reply that is %s back when it is to be cancelled then', (_, events) => {
    const noting = given(draft, events as DraftEvent[]).when(replyAt(at(10)));
    noting.then(cancelled);
    expect(noting.thenState()!.delivery).toMatchObject({
      status: 'none',
      last_error: 'The contact wrote msg_2 before it left.',
    });
  });

  it.each([
    ['not to be cancelled', [uncancelled]],
    ['saved', [saved]],
    ['being sent', [waiting, started]],
    ['sent', [waiting, started, sent]],
    ['sent to some of its recipients', [waiting, started, sent, retrying]],
    ['overwritten by one that is not to be cancelled', [waiting, overwrittenBy({})]],
    ['deleted', [waiting, { type: 'DraftDeleted', data: {} }]],
  ])('changes nothing of a reply that is %s', (_, events) =>
    given(draft, events as DraftEvent[])
      .when(replyAt(at(10)))
      .then(),
  );

  it('takes a reply back whose overwriting text says so', () =>
    given(draft, [uncancelled, overwrittenBy({ cancel_on_reply: true })])
      .when(replyAt(at(10)))
      .then(cancelled));

  it('changes nothing when it was written before the reply', () =>
    given(draft, [waiting])
      .when(replyAt(at(0)))
      .then());

  it('counts when it was written in the second of the reply: mails tell no more of their time', () =>
    given(draft, [waiting]).when(replyAt('2026-01-01T10:01:30.000000Z')).then(cancelled));
});

function overwrittenBy(changes: { cancel_on_reply?: boolean }): DraftEvent {
  const { draft_id: _, conversation_id: __, created_at: ___, ...rest } = content;
  return { type: 'DraftOverwritten', data: { ...rest, ...changes, queued } };
}
