import type { Conversation } from '../conversation-state.js';
import type { MessageToRecord } from './message-to-record.js';
import { furtherRead, incoming, joined, mostAutoReplies, TIE, tiedTo, tiesToFind } from './thread-rules.js';
import { inbound } from '../inbound/inbound-message.js';

const AT = '2026-01-01T10:00:00.000000Z';

type Told = Partial<MessageToRecord> & { answers?: string };

const placed = ({ answers, ...told }: Told = {}) => {
  const mail = inbound({ modality: 'email', content: 'Hello', external_id: null, party: null });
  const email_metadata = { ...mail.email_metadata, in_reply_to: answers === undefined ? [] : [answers] };
  return incoming({ ...mail, email_metadata, ...told, sent_at: AT }, 'msg_1', 'contact_1');
};

const tied = (conversation_id: string, tie: number, has_beginning = false) => ({
  conversation_id,
  tie,
  has_beginning,
});

const existing = (conversation_id: string, has_beginning = false) => ({
  version: 1,
  state: { conversation_id, has_beginning } as Conversation,
});

const join = (told: Told, found: ReturnType<typeof existing>[], pending: string[] = []) => {
  const { conversation, merged } = joined(placed(told), found, new Set(pending));
  return [conversation, ...merged].map(({ state }) => state.conversation_id);
};

describe('a message begins something', () => {
  it.each<[string, Told, boolean]>([
    ['as a mail that answers none', {}, true],
    ['as a first contact', { answers: '<a@navy.example>', opens_conversation: true }, true],
    ['but not as an answer', { answers: '<a@navy.example>' }, false],
    ['nor as a text', { modality: 'text' }, false],
    ['nor in a given conversation', { conversation_id: 'conv_1' }, false],
    ['nor at a conversation’s address', { addressed_conversation_id: 'conv_1' }, false],
  ])('%s', (_, told, begins) => expect(placed(told).begins).toBe(begins));
});

describe('a mail', () => {
  const ANSWER = { answers: '<a@navy.example>' };

  it('is looked for by the mails it answers, unless its caller says where it goes', () => {
    expect(tiesToFind(placed(ANSWER))).toMatchObject({ answered: ['a@navy.example'] });
    expect(tiesToFind(placed({ ...ANSWER, conversation_id: 'conv_1' }))).toBeNull();
    expect(tiesToFind(placed({ ...ANSWER, opens_conversation: true }))).toBeNull();
  });

  it('belongs where the mail it answers is, before the conversation it was addressed to', () => {
    const addressed = placed({ ...ANSWER, addressed_conversation_id: 'conv_2' });
    expect(tiedTo(addressed, [tied('conv_1', TIE.ANSWERS)])).toEqual(['conv_1']);
    expect(tiedTo(addressed, [tied('conv_1', TIE.ANSWERED)])).toEqual(['conv_2', 'conv_1']);
  });

  it('follows an answer that a caller has put somewhere only where nothing nearer ties it', () => {
    const put = tied('conv_2', TIE.ANSWERED_BY_PLACED);
    expect(tiedTo(placed(), [put])).toEqual(['conv_2']);
    expect(tiedTo(placed(), [tied('conv_1', TIE.ANSWERED), put])).toEqual(['conv_1']);
    expect(tiedTo(placed({ addressed_conversation_id: 'conv_3' }), [put])).toEqual(['conv_3']);
  });

  it('draws into the given conversation only what has no beginning', () => {
    const found = [tied('conv_2', TIE.ANSWERED, true), tied('conv_3', TIE.ANSWERED)];
    expect(tiedTo(placed({ conversation_id: 'conv_1' }), found)).toEqual(['conv_3']);
  });
});

describe('where a message belongs is read from', () => {
  const LATER = '2026-01-01T10:30:00.000000Z';
  const NEXT_DAY = '2026-01-02T10:00:00.000000Z';

  it.each<[rule: string, told: Told, tied: string[], at: string, read: ReturnType<typeof furtherRead>]>([
    [
      'the given conversation alone, at once',
      { modality: 'text', conversation_id: 'conv_1' },
      [],
      AT,
      'nothing',
    ],
    [
      'the given conversation and what goes on from it, for a late message',
      { modality: 'text', conversation_id: 'conv_1' },
      [],
      LATER,
      'what goes on from the given one',
    ],
    ['the given conversation alone, for a late mail', { conversation_id: 'conv_1' }, [], LATER, 'nothing'],
    ['the mails that it answers', { answers: '<a@navy.example>' }, ['conv_1'], LATER, 'nothing'],
    ['nothing more for a mail that none is tied to: it opens one', {}, [], AT, 'nothing'],
    [
      'the other automatic mails of its sender within the hour',
      { is_auto_reply: true },
      [],
      LATER,
      'what other automatic mails opened',
    ],
    [
      'nothing for an automatic mail from before the last hour',
      { is_auto_reply: true },
      [],
      NEXT_DAY,
      'nothing',
    ],
    ['the mail that an automatic one answers', { is_auto_reply: true }, ['conv_1'], LATER, 'nothing'],
    [
      'what the contact has said by the same channel within 30 days',
      { modality: 'text' },
      [],
      AT,
      'what is around it by its channel',
    ],
    [
      'the same for a text that comes late',
      { modality: 'live_chat' },
      [],
      NEXT_DAY,
      'what is around it by its channel',
    ],
    [
      'what has gone on from a first contact before it was recorded',
      { modality: 'text', opens_conversation: true },
      [],
      LATER,
      'what goes on from a first contact',
    ],
  ])('%s', (_, told, found, at, read) => expect(furtherRead(placed(told), found, at)).toBe(read));

  it('no more than 50 automatic replies of an hour, or 500 that answer nothing', () =>
    expect([mostAutoReplies(false), mostAutoReplies(true)]).toEqual([50, 500]));
});

describe('conversations that a message ties together', () => {
  it('become the one opened first', () =>
    expect(join({ answers: 'a' }, [existing('conv_2'), existing('conv_1')])).toEqual(['conv_1', 'conv_2']));

  it('become the given one', () =>
    expect(join({ conversation_id: 'conv_2' }, [existing('conv_2'), existing('conv_1')])).toEqual([
      'conv_2',
      'conv_1',
    ]));

  it('become the one with a pending reply', () =>
    expect(join({ answers: 'a' }, [existing('conv_1'), existing('conv_2')], ['conv_2'])).toEqual([
      'conv_2',
      'conv_1',
    ]));

  it('stay apart where two have a pending reply', () =>
    expect(join({ answers: 'a' }, [existing('conv_1'), existing('conv_2')], ['conv_1', 'conv_2'])).toEqual([
      'conv_1',
    ]));

  it('stay apart where two have a beginning, or one has and the message begins something', () => {
    const begun = [existing('conv_1', true), existing('conv_2', true), existing('conv_3')];
    expect(join({ answers: 'a' }, begun)).toEqual(['conv_1', 'conv_3']);
    expect(join({}, [existing('conv_1'), existing('conv_2', true)])).toEqual(['conv_1']);
  });
});
