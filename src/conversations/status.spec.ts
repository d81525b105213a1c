import type { RuleViolation } from '#kernel/decider.js';
import { given } from '../../test/support/given.js';
import { conversation, type ConversationChanges, type ConversationEvent } from './conversation.js';
import type { Conversation } from './conversation-state.js';
import type { RecordedMessage } from './message.js';
import { CLOSED, OPEN, type Status, statusOfBoth } from './status.js';

const at = (hour: number) => `2026-01-01T${String(hour).padStart(2, '0')}:00:00.000000Z`;
const NOW = at(12);
const snoozed = (hour: number): Status => ({ status: 'snoozed', snoozed_until: at(hour) });

let count = 0;
const message = (fields: Partial<RecordedMessage> = {}): RecordedMessage => ({
  message_id: `msg_${String(++count).padStart(4, '0')}`,
  agent_id: null,
  modality: 'text',
  message_direction: 'received',
  is_form_request: false,
  subject: null,
  content: 'Hello',
  body_html: null,
  call_transcript: null,
  form_request_body: null,
  sent_at: at(10),
  drafted_at: null,
  email_metadata: { email_message_id: null, in_reply_to: [], references: [], cc_emails: [], bcc_emails: [] },
  call_metadata: { duration: null },
  external_id: null,
  is_auto_reply: false,
  ...fields,
});

const OPENED: ConversationEvent = {
  type: 'ConversationOpened',
  data: {
    conversation_id: 'conv_1',
    contact_id: 'contact_1',
    folder: null,
    agent_id: null,
    message: message(),
  },
};
const statusOf = (state: Conversation | null): Status | null =>
  state && { status: state.status, snoozed_until: state.snoozed_until };
const triaged = (status: Status): ConversationEvent[] => [
  OPENED,
  { type: 'ConversationTriaged', data: status },
];
const update = (changes: ConversationChanges) => ({ type: 'UpdateConversation', changes, at: NOW }) as const;

describe('the status of a conversation', () => {
  it('is open at first', () => expect(statusOf(given(conversation, [OPENED]).state)).toEqual(OPEN));

  it.each<[Status, ConversationChanges, ConversationChanges | null]>([
    [OPEN, { status: 'closed' }, { status: 'closed' }],
    [OPEN, { status: 'closed', snoozed_until: null }, { status: 'closed' }],
    [OPEN, snoozed(13), snoozed(13)],
    [OPEN, { status: 'open' }, null],
    [OPEN, { snoozed_until: null }, null],
    [CLOSED, { status: 'open' }, { status: 'open' }],
    [CLOSED, snoozed(13), snoozed(13)],
    [CLOSED, CLOSED, null],
    [CLOSED, { snoozed_until: null }, null],
    [snoozed(13), { status: 'open' }, OPEN],
    [snoozed(13), { status: 'closed', snoozed_until: null }, CLOSED],
    [snoozed(13), snoozed(13), null],
    [snoozed(13), snoozed(14), { snoozed_until: at(14) }],
    [snoozed(13), { snoozed_until: at(13) }, null],
    [snoozed(13), { snoozed_until: at(14) }, { snoozed_until: at(14) }],
    [snoozed(13), { is_read: true }, { is_read: true }],
    [
      OPEN,
      { snoozed_until: '2027-01-02T12:00:00.000000Z', status: 'snoozed' },
      { status: 'snoozed', snoozed_until: '2027-01-02T12:00:00.000000Z' },
    ],
  ])('%j is changed by %j: %j', (before, changes, changed) =>
    given(conversation, triaged(before))
      .when(update(changes))
      .then(...(changed ? [{ type: 'ConversationTriaged' as const, data: changed }] : [])),
  );

  it.each<[Status, ConversationChanges, string]>([
    [OPEN, { status: 'snoozed' }, 'must say when the snoozed conversation is open again'],
    [
      OPEN,
      { status: 'snoozed', snoozed_until: null },
      'must say when the snoozed conversation is open again',
    ],
    [snoozed(13), { status: 'snoozed' }, 'must say when the snoozed conversation is open again'],
    [snoozed(13), { snoozed_until: null }, 'must say when the snoozed conversation is open again'],
    [OPEN, snoozed(12), 'must be in the future'],
    [snoozed(13), { snoozed_until: at(11) }, 'must be in the future'],
    [
      OPEN,
      { status: 'snoozed', snoozed_until: '2027-01-02T12:00:00.000001Z' },
      'must be at most 366 days ahead',
    ],
    [snoozed(13), { status: 'open', snoozed_until: at(14) }, 'must be left out or null with status open'],
    [OPEN, { status: 'closed', snoozed_until: at(14) }, 'must be left out or null with status closed'],
    [OPEN, { snoozed_until: at(14) }, 'needs status snoozed; the conversation is open'],
    [CLOSED, { snoozed_until: at(14) }, 'needs status snoozed; the conversation is closed'],
  ])('%j refuses %j, naming snoozed_until', (before, changes, detail) => {
    let thrown: unknown;
    try {
      conversation.decide(given(conversation, triaged(before)).state, update(changes));
    } catch (error) {
      thrown = error;
    }
    const { code, field, message } = thrown as RuleViolation;
    expect([code, field, message]).toEqual(['validation_failed', 'snoozed_until', detail]);
  });

  it.each<[string, Partial<RecordedMessage>, boolean]>([
    ['the latest message of the contact', { sent_at: at(11) }, true],
    ['one that was sent at the same moment as the latest', {}, true],
    ['one that was sent before the latest', { sent_at: at(9) }, false],
    ['an automatic reply', { sent_at: at(11), is_auto_reply: true }, false],
    ['a message of ours', { sent_at: at(11), message_direction: 'sent' }, false],
  ])('is opened by what comes in as it should: %s', (_, fields, opens) => {
    for (const before of [OPEN, snoozed(13), CLOSED]) {
      const recorded: ConversationEvent = { type: 'MessageRecorded', data: { message: message(fields) } };
      const { state } = given(conversation, [...triaged(before), recorded]);
      expect(statusOf(state)).toEqual(opens ? OPEN : before);
    }
  });

  it.each<[Status, number, boolean]>([
    [snoozed(13), 12, false],
    [snoozed(13), 13, true],
    [snoozed(13), 14, true],
    [OPEN, 14, false],
    [CLOSED, 14, false],
  ])('%j wakes up at %i: %s', (before, hour, wakes) => {
    const waking = given(conversation, triaged(before)).when({ type: 'WakeConversation', at: at(hour) });
    const woken = { type: 'ConversationWoken' as const, data: { snoozed_until: at(13) } };
    waking.then(...(wakes ? [woken] : []));
    if (wakes) expect(statusOf(waking.thenState())).toEqual(OPEN);
  });

  it.each<[Status, Status, Status]>([
    [OPEN, snoozed(13), OPEN],
    [OPEN, CLOSED, OPEN],
    [snoozed(13), CLOSED, snoozed(13)],
    [snoozed(13), snoozed(14), snoozed(13)],
    [CLOSED, CLOSED, CLOSED],
  ])('%j and %j become %j', (one, other, both) => {
    expect(statusOfBoth(one, other)).toEqual(both);
    expect(statusOfBoth(other, one)).toEqual(both);
    const taken = given(conversation, triaged(other)).state!;
    const taking = given(conversation, triaged(one)).when({
      type: 'TakeConversationIn',
      conversation: taken,
    });
    expect(statusOf(taking.thenState())).toEqual(both);
  });

  it('is open when it takes in a conversation of a version that knew no status', () => {
    const { status: _, snoozed_until: __, heard_at: ___, ...earlier } = given(conversation, [OPENED]).state!;
    const taken: ConversationEvent = {
      type: 'ConversationTakenIn',
      data: { conversation: earlier, folder: null, is_read: false, agent_id: null },
    };
    expect(statusOf(given(conversation, [...triaged(CLOSED), taken]).state)).toEqual(OPEN);
  });
});

describe('a reply that closes its conversation', () => {
  /** After a message that was recorded at this hour. */
  const heard = (hour: number, fields: Partial<RecordedMessage> = {}): ConversationEvent[] =>
    conversation.decide(given(conversation, [OPENED]).state, {
      type: 'RecordMessage',
      opening: { conversation_id: 'conv_1', contact_id: 'contact_1', company_agent_id: null },
      message: message(fields),
      folder: undefined,
      begins: false,
      contact_id: null,
      at: at(hour),
    });
  const closing = (heard_at: string | null) => ({ type: 'CloseAfterReply', heard_at }) as const;
  const closed = (data: ConversationChanges) => ({ type: 'ConversationTriaged' as const, data });

  it('closes it when nobody has written since', () => {
    given(conversation, [OPENED, ...heard(11)])
      .when(closing(at(11)))
      .then(closed({ status: 'closed' }));
    given(conversation, [OPENED])
      .when(closing(null))
      .then(closed({ status: 'closed' }));
    given(conversation, triaged(snoozed(13)))
      .when(closing(null))
      .then(closed(CLOSED));
    given(conversation, triaged(CLOSED)).when(closing(null)).then();
  });

  it('does not when somebody has, however early the message was sent', () => {
    for (const fields of [{}, { sent_at: at(1) }])
      given(conversation, [OPENED, ...heard(11), ...heard(12, fields)])
        .when(closing(at(11)))
        .then();
    given(conversation, [OPENED, ...heard(12)])
      .when(closing(null))
      .then();
  });

  it.each([{ is_auto_reply: true }, { message_direction: 'sent' as const }])(
    'does when it was %j',
    (fields) =>
      given(conversation, [OPENED, ...heard(11), ...heard(12, fields)])
        .when(closing(at(11)))
        .then(closed({ status: 'closed' })),
  );

  it('does not when a conversation became part of it in which somebody has written since', () => {
    const other = given(conversation, [OPENED, ...heard(12)]).state!;
    const taken = given(conversation, [OPENED, ...heard(11)]).when({
      type: 'TakeConversationIn',
      conversation: other,
    });
    expect(conversation.decide(taken.thenState(), closing(at(11)))).toEqual([]);
  });
});
