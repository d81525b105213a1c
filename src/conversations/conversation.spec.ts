import fc from 'fast-check';
import { EMPTY } from './summary.js';
import { given } from '../../test/support/given.js';
import { conversation, type ConversationEvent, replyModality } from './conversation.js';
import type { Conversation } from './conversation-state.js';
import type { RecordedMessage } from './message.js';

let count = 0;

/** A message, and the folder that comes with it. */
type Filed = RecordedMessage & { folder?: string };

const mailMetadata = (reply_to?: string): RecordedMessage['email_metadata'] => ({
  email_message_id: null,
  in_reply_to: [],
  references: [],
  cc_emails: [],
  bcc_emails: [],
  ...(reply_to !== undefined && { reply_to }),
});

const message = (fields: Partial<Filed> = {}): Filed => ({
  message_id: `msg_${String(++count).padStart(4, '0')}`,
  agent_id: null,
  modality: 'email',
  message_direction: 'received',
  is_form_request: false,
  subject: null,
  content: 'Hello',
  body_html: null,
  call_transcript: null,
  form_request_body: null,
  sent_at: '2026-01-01T10:00:00.000000Z',
  drafted_at: null,
  email_metadata: mailMetadata(),
  call_metadata: { duration: null },
  external_id: null,
  is_auto_reply: false,
  ...fields,
});

/** When messages are recorded, and people decide. */
const NOW = '2026-02-01T00:00:00.000000Z';

const opening = { conversation_id: 'conv_1', contact_id: 'contact_1', company_agent_id: null };

const recording = (given: { message: RecordedMessage; opening?: object; begins?: boolean }) => ({
  type: 'RecordMessage' as const,
  folder: undefined,
  begins: false,
  contact_id: 'contact_1',
  at: NOW,
  ...given,
  opening: { ...opening, ...given.opening },
});

const at = (hour: number) => `2026-01-01T${String(hour).padStart(2, '0')}:00:00.000000Z`;

const record = (first: Filed, ...later: Filed[]): ConversationEvent[] => [
  {
    type: 'ConversationOpened',
    data: {
      conversation_id: 'conv_1',
      contact_id: 'contact_1',
      folder: first.folder ?? null,
      agent_id: null,
      message: first,
    },
  },
  ...later.map((one): ConversationEvent => {
    const filed = one.folder !== undefined && { folder: one.folder };
    return { type: 'MessageRecorded', data: { message: one, ...filed } };
  }),
];

const stateAfter = (...messages: [Filed, ...Filed[]]): Conversation =>
  given(conversation, record(...messages)).state!;

/** The state when messages recorded in another conversation come to those of this one. */
const merged = (own: Filed[], others: Filed[]): Conversation =>
  given(conversation, record(...(own as [Filed])))
    .when({ type: 'TakeConversationIn', conversation: stateAfter(...(others as [Filed])) })
    .thenState()!;

describe('conversation', () => {
  it('opens with its first message', () => {
    const first = message({ message_direction: 'sent' });
    given(conversation, [])
      .when(recording({ message: first }))
      .then(...record(first));
  });

  it('is unread after a received message and read after a sent one', () => {
    expect(stateAfter(message()).is_read).toBe(false);
    expect(stateAfter(message(), message({ message_direction: 'sent', sent_at: at(11) })).is_read).toBe(true);
  });

  it('keeps its read state when an older message arrives late', () =>
    expect(
      stateAfter(message({ message_direction: 'sent', sent_at: at(11) }), message({ sent_at: at(10) }))
        .is_read,
    ).toBe(true));

  it('starts with the first message sent, not the first that arrived', () => {
    const state = stateAfter(
      message({ sent_at: at(11) }),
      message({ sent_at: at(9) }),
      message({ sent_at: at(10) }),
    );
    expect([state.start_at, state.last_activity_at]).toEqual([at(9), at(11)]);
  });

  it('belongs to the first agent who sends in it, by sent_at', () =>
    expect(
      stateAfter(
        message(),
        message({ message_direction: 'sent', agent_id: 'agent_late', sent_at: at(12) }),
        message({ message_direction: 'sent', agent_id: 'agent_early', sent_at: at(11) }),
      ).agent_id,
    ).toBe('agent_early'));

  it('belongs to the agent of the company from the start, whoever sends', () => {
    const sent = message({ message_direction: 'sent', agent_id: 'agent_sender', sent_at: at(12) });
    const owned = given(conversation, [])
      .when(recording({ opening: { ...opening, company_agent_id: 'agent_company' }, message: sent }))
      .thenState();
    expect(owned?.agent_id).toBe('agent_company');
  });

  it('keeps the owner it was given', () => {
    const assigned: ConversationEvent = { type: 'ConversationTriaged', data: { agent_id: 'agent_chosen' } };
    const sent = message({ message_direction: 'sent', agent_id: 'agent_sender', sent_at: at(12) });
    const events: ConversationEvent[] = [
      ...record(message()),
      assigned,
      { type: 'MessageRecorded', data: { message: sent } },
    ];
    expect(given(conversation, events).state?.agent_id).toBe('agent_chosen');
  });

  it('is triaged by one event, whatever it touches', () =>
    given(conversation, record(message()))
      .when({ type: 'UpdateConversation', changes: { is_read: true, folder: 'later' }, at: NOW })
      .then({ type: 'ConversationTriaged', data: { is_read: true, folder: 'later' } }));

  it('records nothing when a triage changes nothing', () =>
    given(conversation, record(message()))
      .when({
        type: 'UpdateConversation',
        changes: { is_read: false, folder: null, agent_id: null },
        at: NOW,
      })
      .then());

  it('tells of what it takes over by taking another in', () => {
    const triaged = {
      type: 'ConversationTriaged' as const,
      data: { folder: 'vip', agent_id: 'agent_1', is_read: true },
    };
    const tags = [{ tag_id: 'tag_1', name: 'VIP', colour: null }];
    const tagged = { type: 'ConversationTagsChanged' as const, data: { added: tags, removed: [] } };
    const other = given(conversation, [...record(message({ sent_at: at(13) })), triaged, tagged]).state!;
    given(conversation, record(message()))
      .when({ type: 'TakeConversationIn', conversation: other })
      .then({
        type: 'ConversationTakenIn',
        data: {
          conversation: other,
          folder: 'vip',
          agent_id: 'agent_1',
          is_read: true,
          status: 'open',
          snoozed_until: null,
          tags,
        },
      });
  });

  it('takes in a conversation of a version that knew no tags', () => {
    const {
      tags: _,
      tag_ids: __,
      ...other
    } = given(conversation, record(message({ sent_at: at(13) }))).state!;
    const data = { conversation: other as Conversation, folder: null, agent_id: null, is_read: false };
    const events = [...record(message()), { type: 'ConversationTakenIn' as const, data }];
    expect(given(conversation, events).state).toMatchObject({ tags: [], tag_ids: null });
  });

  it.each([
    ['text', 'text'],
    ['call', 'text'],
    ['live_chat', 'live_chat'],
    ['email', 'email'],
    ['whatsapp', 'email'],
  ])('is answered after %s by %s', (modality, answer) =>
    expect(replyModality(stateAfter(message({ modality })))).toBe(answer),
  );

  it('keeps the folder and the owner that people have given it or the one it takes in', () => {
    const triage = (data: object) => ({ type: 'ConversationTriaged' as const, data });
    const other = given(conversation, [
      ...record(message({ sent_at: at(9) })),
      triage({ folder: 'vip', agent_id: 'agent_1' }),
    ]).state!;
    const taken = { type: 'TakeConversationIn' as const, conversation: other };
    expect(given(conversation, record(message())).when(taken).thenState()).toMatchObject({
      folder: 'vip',
      agent_id: 'agent_1',
      owner_source: 'assigned',
    });
    const own = [...record(message()), triage({ folder: 'late', agent_id: null })];
    expect(given(conversation, own).when(taken).thenState()).toMatchObject({
      folder: 'late',
      agent_id: null,
    });
  });

  describe('that takes another in by hand', () => {
    const filed = (hour: number, folder: string, agent_id: string) =>
      message({ message_direction: 'sent', sent_at: at(hour), folder, agent_id });
    const takingIn = (own: Filed, other: Filed, ...later: Filed[]) => {
      const taken = conversation.decide(stateAfter(own), {
        type: 'TakeConversationIn',
        conversation: stateAfter(other),
        by_hand: true,
      });
      const events = [...record(own), ...taken, ...record(own, ...later).slice(1)];
      const { folder, agent_id } = given(conversation, events).state!;
      return { folder, agent_id };
    };

    it('keeps its folder and its owner, whichever of the two is later', () => {
      const [early, late] = [filed(10, 'vip', 'agent_1'), filed(12, 'leads', 'agent_2')];
      expect(takingIn(early, late)).toEqual({ folder: 'vip', agent_id: 'agent_1' });
      expect(takingIn(late, early)).toEqual({ folder: 'leads', agent_id: 'agent_2' });
    });

    it('takes the folder and the owner that it lacks', () =>
      expect(takingIn(message(), filed(9, 'vip', 'agent_1'))).toEqual({
        folder: 'vip',
        agent_id: 'agent_1',
      }));

    it('is moved by a message that is later than the one of either folder, and by none before', () => {
      const [own, other] = [filed(10, 'vip', 'agent_1'), filed(12, 'leads', 'agent_2')];
      const folderAfter = (hour: number) => takingIn(own, other, filed(hour, 'won', 'agent_3')).folder;
      expect([11, 13].map(folderAfter)).toEqual(['vip', 'won']);
    });

    it('was folded otherwise before its events told that somebody decided it', () => {
      const other = stateAfter(filed(12, 'leads', 'agent_2'));
      const data = { conversation: other, folder: 'leads', agent_id: 'agent_1', is_read: true };
      const events = [...record(filed(10, 'vip', 'agent_1')), { type: 'ConversationTakenIn' as const, data }];
      expect(given(conversation, events).state).toMatchObject({ folder: 'leads', agent_id: 'agent_1' });
    });
  });

  it('stays in the folder that a person gave it when a message of before comes late', () => {
    const triaged = { type: 'ConversationTriaged' as const, data: { folder: 'vip' } };
    const late = { ...message({ sent_at: at(9) }), folder: 'leads' };
    const next = { ...message({ sent_at: at(11) }), folder: 'won' };
    const folderAfter = (one: Filed) =>
      given(conversation, [...record(message()), triaged, record(message(), one)[1]!]).state!.folder;
    expect([late, next].map(folderAfter)).toEqual(['vip', 'won']);
  });

  it('is no more when it is merged', () =>
    expect(
      given(conversation, record(message()))
        .when({ type: 'MergeConversation', into_conversation_id: 'conv_2' })
        .thenState(),
    ).toBeNull());

  /** The projection finds the summary in the messages where they come late. */
  const withoutSummary = (state: Conversation | null) =>
    Object.fromEntries(Object.entries(state!).filter(([field]) => !(field in EMPTY)));

  it('comes out the same in whatever order its messages arrive, also in two parts that are merged', () => {
    const drawnMessage = fc.record({
      message_direction: fc.constantFrom('sent' as const, 'received' as const),
      agent_id: fc.constantFrom(null, 'agent_1', 'agent_2'),
      modality: fc.constantFrom('email', 'text'),
      is_auto_reply: fc.boolean(),
      email_metadata: fc.constantFrom(
        mailMetadata(),
        mailMetadata('ann@x.example'),
        mailMetadata('bob@x.example'),
      ),
      sent_at: fc.integer({ min: 0, max: 5 }).map(at),
    });
    const drawnFolder = fc.constantFrom({}, { folder: 'won' }, { folder: 'lost' });
    const someMessage = fc
      .tuple(drawnMessage, drawnFolder)
      .map(([fields, filed]) => ({ ...fields, ...filed }));
    fc.assert(
      fc.property(
        fc.array(someMessage, { minLength: 1, maxLength: 8 }),
        fc.infiniteStream(fc.nat()),
        (drawn, picks) => {
          const messages = drawn.map((fields) => message(fields));
          const shuffled = [...messages];
          for (let i = shuffled.length - 1; i > 0; i--) {
            const j = picks.next().value! % (i + 1);
            [shuffled[i], shuffled[j]] = [shuffled[j]!, shuffled[i]!];
          }
          const bySent = messages.toSorted((a, b) =>
            a.sent_at + a.message_id < b.sent_at + b.message_id ? -1 : 1,
          );
          const expected = stateAfter(...(bySent as [Filed]));
          expect(withoutSummary(stateAfter(...(shuffled as [Filed])))).toEqual(withoutSummary(expected));
          const [one, other] = [shuffled.filter((_, nr) => nr % 2 === 0), shuffled.filter((_, nr) => nr % 2)];
          if (other.length > 0) expect(withoutSummary(merged(one, other))).toEqual(withoutSummary(expected));
        },
      ),
    );
  });
});
