import { jest } from '@jest/globals';
import { Deadline } from '#kernel/deadline.js';
import { startTwilio, type TestTwilio } from '../../../test/support/stand-ins/twilio.js';
import type { Draft } from '../draft.js';
import { Senders } from './senders.js';

const TIMEOUT_SECONDS = 40;

let twilio: TestTwilio;
let mails = 0;
beforeAll(async () => {
  twilio = await startTwilio();
});
afterAll(() => twilio.close());
beforeEach(() => {
  twilio.seen.length = 0;
  mails = 0;
});

/** Hands a draft over that was taken up so many seconds ago; `held`: what else passes before the provider is called. */
function send(modality: string, secondsAgo: number, held: () => void = () => {}) {
  const text = {
    accountSid: 'AC1',
    authToken: 'x',
    baseUrl: twilio.url,
    fromNumber: '+1',
    statusCallback: null,
  };
  const email = { from: { name: '', address: 'sales@example.com' }, replyToken: false };
  const accepted = { kind: 'accepted', response: '250 OK', rejected: [], deferred: [] };
  const senders = new Senders(
    { text: () => Promise.resolve(text), email: () => Promise.resolve(email) } as never,
    { agentOrNone: () => Promise.resolve(held() ?? undefined) } as never,
    { dialled: () => Promise.resolve(held() ?? '+12125550101') } as never,
    { send: () => Promise.resolve(++mails && accepted) } as never,
    { value: 'https://parley.example.com' } as never,
    {} as never,
    { refusalOf: () => Promise.resolve(null) } as never,
    {} as never,
    {} as never,
    {} as never,
  );
  const draft = {
    kind: 'message',
    files: [],
    without_signature: false,
    modality,
    subject: 'Hello',
    body_html: '<p>Hello</p>',
    recipient_phone_number: '+12125550101',
    recipient_email: 'ann@example.com',
    cc_emails: [],
    bcc_emails: [],
    links: [],
    email_message_id: '1@example.com',
    delivery: {},
  };
  const deadline = new Deadline((TIMEOUT_SECONDS - secondsAgo) * 1_000);
  return senders.send('org_1', draft as unknown as Draft, null, deadline);
}

describe('an attempt', () => {
  afterEach(() => jest.restoreAllMocks());

  it.each(['text', 'email'])('is made within its time (%s)', async (modality) => {
    expect(await send(modality, TIMEOUT_SECONDS - 5)).toMatchObject({ kind: 'accepted' });
    expect(twilio.seen.length + mails).toBe(1);
  });

  it.each(['text', 'email'])(
    'is not made once that has passed since it was taken up, as when the process was frozen (%s)',
    async (modality) => {
      expect(await send(modality, TIMEOUT_SECONDS + 1)).toMatchObject({ kind: 'temporary' });
      const frozen = () => {
        const before = Date.now();
        jest.spyOn(Date, 'now').mockReturnValue(before + 50_000);
      };
      expect(await send(modality, 0, frozen)).toMatchObject({
        kind: 'temporary',
        error: expect.stringContaining('too late'),
      });
      expect(twilio.seen.length + mails).toBe(0);
    },
  );

  it('in a live chat is made at any time, since what becomes of it here is written once', async () => {
    expect(await send('live_chat', TIMEOUT_SECONDS + 1)).toMatchObject({ kind: 'accepted' });
  });
});
