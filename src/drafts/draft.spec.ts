import { given } from '../../test/support/given.js';
import { backoffSeconds, type Claim, type Outcome } from './delivery.js';
import { documentedFields } from './documented-fields.js';
import { draft, type DraftCommand, type DraftEvent } from './draft.js';
import type { Queueing } from './draft-content.js';

const at = (minute: number) => `2026-01-01T10:${String(minute).padStart(2, '0')}:00.000000Z`;

const recipient = {
  recipient_name: 'Bob',
  recipient_email: 'bob@x.example',
  recipient_phone_number: null,
};

const content = {
  subject: null,
  body_html: '<p>Yes</p>',
  cc_emails: [],
  bcc_emails: [],
  ...recipient,
  agent_id: null,
  add_notification: true,
};
const ids = { draft_id: 'response_1', conversation_id: 'conv_1', created_at: at(0) };
const queued: Queueing = {
  scheduled_send_at: at(1),
  modality: 'email',
  email_message_id: 'a@x.example',
  agent_id: null,
  links: [],
};

const saved: DraftEvent = { type: 'ResponseDrafted', data: { ...ids, ...content, queued: null } };
const autosent: DraftEvent = { type: 'ResponseDrafted', data: { ...ids, ...content, queued } };
const claim: Claim = {
  at: at(2),
  lease_until: at(3),
  worker: 7,
  gone_worker: null,
  max_attempts: 3,
  on_uncertain: 'resend',
};
const started: DraftEvent = {
  type: 'DeliveryStarted',
  data: { attempt: 1, at: at(2), lease_until: at(3), worker: 7 },
};
const sent = {
  type: 'DraftSent',
  data: {
    message_id: 'msg_1',
    conversation_id: 'conv_1',
    sent_at: at(2),
    response: '250',
    rejected: [],
  },
} satisfies DraftEvent;

const save = { type: 'DraftResponse', ...ids, ...content, queued: null } as const;
const start = (changes: Partial<Claim> = {}): DraftCommand => ({
  type: 'StartDelivery',
  ...claim,
  ...changes,
});
const policy = { max_attempts: 3, next_attempt_at: at(9), on_uncertain: 'resend' as const };
const outcome = (
  one: Extract<DraftCommand, { type: 'RecordOutcome' }>['outcome'],
  changes: Partial<typeof policy> | { on_uncertain: 'hold' } = {},
): DraftCommand => ({
  type: 'RecordOutcome',
  outcome: one,
  promoted: { message_id: 'msg_1', conversation_id: 'conv_1' },
  policy: { ...policy, ...changes },
});

describe('response draft', () => {
  it('is saved for review', () => given(draft, []).when(save).then(saved));

  it('is queued at once with autosend', () =>
    given(draft, [])
      .when({ ...save, queued })
      .then(autosent));

  it('is overwritten while it is pending, and then not queued any more', () =>
    expect(given(draft, [autosent]).when(save).thenState()).toMatchObject({
      scheduled_send_at: null,
      was_overwritten: true,
      delivery: { status: 'none' },
    }));

  describe('overwritten when it may have left already', () => {
    const again = { ...queued, scheduled_send_at: at(4), email_message_id: 'b@x.example' };
    const mayHaveLeft = [
      autosent,
      started,
      {
        type: 'DeliveryRetryScheduled',
        data: { error: 'the connection broke off', next_attempt_at: at(9) },
      } as DraftEvent,
    ];
    const overwritten = (fields: object) =>
      given(draft, mayHaveLeft)
        .when({ ...save, ...fields, queued: again })
        .thenState();

    it('keeps its Message-ID if nothing has changed, so that receivers fold the copies', () =>
      expect(overwritten({})).toMatchObject({ email_message_id: 'a@x.example', scheduled_send_at: at(4) }));

    it.each([{ body_html: '<p>No</p>' }, { cc_emails: ['c@x.example'] }, { recipient_email: 'd@x.example' }])(
      'has a new one with %j, or the change would be folded into the earlier copy',
      (fields) => expect(overwritten(fields)).toMatchObject({ email_message_id: 'b@x.example' }),
    );
  });

  it('is neither overwritten nor deleted while it is being sent', () => {
    given(draft, [autosent, started]).when(save).thenThrows('draft_sending');
    given(draft, [autosent, started]).when({ type: 'DeleteDraft' }).thenThrows('draft_sending');
  });

  it('is deleted when saved, queued or waiting for a retry', () => {
    const retrying: DraftEvent = {
      type: 'DeliveryRetryScheduled',
      data: { error: '450', next_attempt_at: at(9) },
    };
    for (const events of [[saved], [autosent], [autosent, started, retrying]])
      expect(given(draft, events).when({ type: 'DeleteDraft' }).thenState()).toBeNull();
  });

  it('is not queued twice', () =>
    given(draft, [autosent]).when({ type: 'QueueDraft', queued, recipient }).then());

  it('shows no fields any more once it is a message', () => {
    expect(documentedFields(given(draft, [autosent, started, sent]).state!)).toBeNull();
  });
});

describe('message draft', () => {
  const drafted = {
    draft_id: 'draft_1',
    created_at: at(0),
    ...content,
    modality: 'email',
    folder: 'drafts',
    queued: null,
  };
  const message: DraftEvent = { type: 'MessageDrafted', data: drafted };

  it('is saved with its channel and folder', () => {
    given(draft, [])
      .when({ type: 'DraftMessage', ...drafted })
      .then(message);
    expect(documentedFields(given(draft, [message]).state!)).toMatchObject({
      draft_id: 'draft_1',
      modality: 'email',
      folder: 'drafts',
    });
  });

  it.each([
    ['email', { recipient_email: 'Bob@BÜCHER.example' }, 'email:bob@xn--bcher-kva.example'],
    ['text', { recipient_phone_number: '(212) 555-0187' }, 'phone:2125550187'],
    ['email', { recipient_email: null }, null],
  ])('by %s to %j has %j as its key where an older event has none', (modality, to, recipient_key) =>
    expect(
      given(draft, [{ type: 'MessageDrafted', data: { ...drafted, modality, ...to } }]).state,
    ).toMatchObject({ recipient_key }),
  );

  it('learns its conversation when it is sent', () =>
    expect(
      given(draft, [message, { type: 'DraftQueued', data: { queued, recipient } }, started, sent]).state,
    ).toMatchObject({ message_id: 'msg_1', conversation_id: 'conv_1', delivery: { status: 'sent' } }));

  it('shows its delivery as failed when it bounces after it was sent, and stays a message', () => {
    const bounced = given(draft, [
      message,
      { type: 'DraftQueued', data: { queued, recipient } },
      started,
      sent,
    ])
      .when({ type: 'RecordBounce', error: 'no such user' })
      .thenState()!;
    expect(bounced).toMatchObject({
      message_id: 'msg_1',
      delivery: { status: 'failed', last_error: 'no such user' },
    });
    given(draft, [message]).when({ type: 'RecordBounce', error: 'no such user' }).then();
  });
});

describe('a bounce', () => {
  it('keeps why others were refused', () => {
    const partly = { ...sent, data: { ...sent.data, rejected: ['bad@b.example: 550 no such user'] } };
    const outcome = { type: 'DeliveryFailed', data: { error: 'bad@b.example: 550 no such user' } } as const;
    const bounced = given(draft, [autosent, started, partly, outcome]).when({
      type: 'RecordBounce',
      error: 'a@b.example: full',
    });
    expect(bounced.thenState()?.delivery.last_error).toBe(
      'bad@b.example: 550 no such user; a@b.example: full',
    );
  });
});

describe('delivery', () => {
  it('is taken up when it is due, on record with attempt and lease', () =>
    given(draft, [autosent]).when(start()).then(started));

  it('is not taken up before it is due', () =>
    given(draft, [autosent])
      .when(start({ at: at(0) }))
      .then());

  it('is not taken up when it is saved, or in the hands of another', () => {
    given(draft, [saved]).when(start()).then();
    given(draft, [autosent, started])
      .when(start({ at: at(2), worker: 8 }))
      .then();
  });

  it('is taken over when the lease has run out', () =>
    given(draft, [autosent, started])
      .when(start({ at: at(3), lease_until: at(4), worker: 8 }))
      .then({ type: 'DeliveryStarted', data: { attempt: 2, at: at(3), lease_until: at(4), worker: 8 } }));

  it('is taken over at once from a worker that is gone, and from no other', () => {
    given(draft, [autosent, started])
      .when(start({ worker: 8, gone_worker: 7 }))
      .then({ type: 'DeliveryStarted', data: { attempt: 2, at: at(2), lease_until: at(3), worker: 8 } });
    given(draft, [autosent, started])
      .when(start({ worker: 8, gone_worker: 6 }))
      .then();
  });

  it('becomes uncertain instead of being taken over where the policy holds', () =>
    expect(
      given(draft, [autosent, started])
        .when(start({ at: at(3), on_uncertain: 'hold' }))
        .thenState()?.delivery.status,
    ).toBe('uncertain'));

  it('is not taken over for ever: after the last try it waits for a person', () =>
    expect(
      given(draft, [autosent, started])
        .when(start({ at: at(3), max_attempts: 1 }))
        .thenState()?.delivery.status,
    ).toBe('uncertain'));

  it('promotes the draft when the provider accepts', () =>
    given(draft, [autosent, started])
      .when(outcome({ kind: 'accepted', response: '250', rejected: [], deferred: [] }))
      .then(sent));

  it('shows as failed when some recipients were refused while others took it, which makes it a message', () =>
    expect(
      given(draft, [autosent, started])
        .when(outcome({ kind: 'accepted', response: '250', rejected: ['a@x.example: 550 no'], deferred: [] }))
        .thenState(),
    ).toMatchObject({
      message_id: 'msg_1',
      delivery: { status: 'failed', last_error: 'a@x.example: 550 no' },
    }));

  describe('of a mail that some recipients did not take for now', () => {
    const later = { recipient: 'b@x.example', error: 'b@x.example: 451 later' };
    const partly: Outcome = {
      kind: 'accepted',
      response: '250',
      rejected: ['a@x.example: 550 no'],
      deferred: [later],
    };
    const all: Outcome = { kind: 'accepted', response: '250', rejected: [], deferred: [] };
    const again: DraftEvent = {
      type: 'DeliveryRetryScheduled',
      data: {
        error: 'a@x.example: 550 no; b@x.example: 451 later',
        next_attempt_at: at(9),
        partly: { left_to: ['b@x.example'], rejected: ['a@x.example: 550 no'] },
      },
    };
    const onlyLater: DraftEvent = {
      type: 'DeliveryRetryScheduled',
      data: {
        error: later.error,
        next_attempt_at: at(9),
        partly: { left_to: ['b@x.example'], rejected: [] },
      },
    };

    it('makes it a message, and tries those recipients again', () => {
      const refused: DraftEvent = { type: 'DraftSent', data: { ...sent.data, rejected: partly.rejected } };
      given(draft, [autosent, started]).when(outcome(partly)).then(refused, again);
    });

    it('is complete when they have it', () => {
      const completed = given(draft, [autosent, started, sent, onlyLater, started]).when(outcome(all));
      completed.then({ type: 'DeliveryCompleted', data: {} });
      expect(completed.thenState()?.delivery.status).toBe('sent');
    });

    it('shows as failed in the end when others were refused for good', () =>
      given(draft, [autosent, started, sent, again, started])
        .when(outcome(all))
        .then({ type: 'DeliveryFailed', data: { error: 'a@x.example: 550 no' } }));

    it('shows as failed after the last try, and stays a message', () => {
      const last = given(draft, [autosent, started, sent, onlyLater, started]);
      const failures: Outcome[] = [
        { ...all, deferred: [later] },
        { kind: 'temporary', error: '421' },
      ];
      for (const failure of failures)
        expect(last.when(outcome(failure, { max_attempts: 1 })).thenState()).toMatchObject({
          message_id: 'msg_1',
          delivery: { status: 'failed' },
        });
    });

    it('goes on to the same recipients after a failure for all, and when it bounces to others', () => {
      const next = given(draft, [autosent, started, sent, again, started]);
      const delivery = { status: 'retrying', partly: { left_to: ['b@x.example'] } };
      expect(next.when(outcome({ kind: 'temporary', error: '421' })).thenState()).toMatchObject({ delivery });
      const bounced = given(draft, [autosent, started, sent, again]).when({
        type: 'RecordBounce',
        error: 'x',
      });
      expect(bounced.thenState()).toMatchObject({ delivery });
      expect(bounced.thenState()?.delivery.partly?.rejected).toEqual(['a@x.example: 550 no', 'x']);
    });
  });

  it('is tried again after a temporary failure', () =>
    expect(
      given(draft, [autosent, started])
        .when(outcome({ kind: 'temporary', error: '450' }))
        .thenState()?.delivery,
    ).toMatchObject({ status: 'retrying', attempts: 1, last_error: '450', next_attempt_at: at(9) }));

  it('fails at once after a permanent failure, and the draft is saved again', () =>
    expect(
      given(draft, [autosent, started])
        .when(outcome({ kind: 'permanent', error: '550' }))
        .thenState(),
    ).toMatchObject({
      scheduled_send_at: null,
      delivery: { status: 'failed', last_error: '550', next_attempt_at: null },
    }));

  it('fails after the last try', () =>
    expect(
      given(draft, [autosent, started])
        .when(outcome({ kind: 'temporary', error: '450' }, { max_attempts: 1 }))
        .thenState()?.delivery.status,
    ).toBe('failed'));

  it('goes out again after an unknowable outcome, or waits for a person where the policy holds', () => {
    const unknown = { kind: 'unknown', error: 'lost' } as const;
    const after = given(draft, [autosent, started]);
    expect(after.when(outcome(unknown)).thenState()?.delivery.status).toBe('retrying');
    expect(after.when(outcome(unknown, { on_uncertain: 'hold' })).thenState()?.delivery.status).toBe(
      'uncertain',
    );
  });

  it('was sent when the first attempt began that may have reached the provider', () => {
    const next = (attempt: number): DraftEvent => ({
      type: 'DeliveryStarted',
      data: { attempt, at: at(2 * attempt), lease_until: at(2 * attempt + 1), worker: 8 },
    });
    const accepted = outcome({ kind: 'accepted', response: '250', rejected: [], deferred: [] });
    /** Of a draft that the attempt after those which ended like this has sent; null: with their worker. */
    const sentAfter = (...ends: ('unknown' | 'temporary' | null)[]) => {
      const events: DraftEvent[] = [autosent, started];
      ends.forEach((kind, nr) => {
        if (kind) events.push(...draft.decide(given(draft, events).state, outcome({ kind, error: 'lost' })));
        events.push(next(nr + 2));
      });
      return draft.decide(given(draft, events).state, accepted)[0]!.data;
    };
    expect(sentAfter('unknown')).toMatchObject({ sent_at: at(2) });
    expect(sentAfter(null)).toMatchObject({ sent_at: at(2) });
    expect(sentAfter('temporary')).toMatchObject({ sent_at: at(4) });
    expect(sentAfter('unknown', 'temporary')).toMatchObject({ sent_at: at(2) });
    expect(sentAfter(null, 'temporary')).toMatchObject({ sent_at: at(2) });
    expect(sentAfter('temporary', 'unknown', 'temporary')).toMatchObject({ sent_at: at(4) });
  });

  it('keeps its Message-ID from try to try', () => {
    const retrying: DraftEvent = {
      type: 'DeliveryRetryScheduled',
      data: { error: '450', next_attempt_at: at(1) },
    };
    expect(given(draft, [autosent, started, retrying]).when(start()).thenState()?.email_message_id).toBe(
      'a@x.example',
    );
  });

  it('spans about an hour with eight tries from thirty seconds', () => {
    const pauses = [1, 2, 3, 4, 5, 6, 7].map((attempts) => backoffSeconds(attempts, 30_000, 0.5));
    expect(pauses.reduce((sum, pause) => sum + pause, 0)).toBe(3810);
  });
});
