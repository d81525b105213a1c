import { jest } from '@jest/globals';
import { now, plusSeconds } from '#kernel/instant.js';
import { startTwilio, type TestTwilio } from '../../test/support/twilio.js';
import type { Draft } from './draft.js';
import { Senders } from './senders.js';

const LEASE_SECONDS = 60;
const TIMEOUT_SECONDS = 40;

let twilio: TestTwilio;
beforeAll(async () => {
  twilio = await startTwilio();
});
afterAll(() => twilio.close());
beforeEach(() => {
  twilio.seen.length = 0;
});

/** Hands a text over that was taken up so many seconds ago; `held`: what else passes before the provider is called. */
function send(secondsAgo: number, held: () => void = () => {}) {
  const channel = {
    accountSid: 'AC1',
    authToken: 'x',
    baseUrl: twilio.url,
    fromNumber: '+1',
    statusCallback: null,
  };
  const config = { deliveryLeaseMs: LEASE_SECONDS * 1_000, deliveryTimeoutMs: TIMEOUT_SECONDS * 1_000 };
  const senders = new Senders(
    { text: () => Promise.resolve(channel) } as never,
    {} as never,
    { phoneKey: () => Promise.resolve(held()) } as never,
    {} as never,
    {} as never,
    {} as never,
    config as never,
  );
  const draft = {
    modality: 'text',
    body_html: '<p>Hello</p>',
    recipient_phone_number: '+12125550101',
    delivery: { lease_until: plusSeconds(now(), LEASE_SECONDS - secondsAgo) },
  };
  return senders.send('org_1', draft as Draft, null);
}

describe('an attempt', () => {
  afterEach(() => jest.restoreAllMocks());

  it('is made within its time', async () => {
    expect(await send(TIMEOUT_SECONDS - 5)).toMatchObject({ kind: 'accepted' });
    expect(twilio.seen).toHaveLength(1);
  });

  it('is not made once that has passed since it was taken up, as when the process was frozen', async () => {
    expect(await send(TIMEOUT_SECONDS + 1)).toMatchObject({ kind: 'temporary' });
    const frozen = () => {
      const before = Date.now();
      jest.spyOn(Date, 'now').mockReturnValue(before + 50_000);
    };
    expect(await send(0, frozen)).toMatchObject({ kind: 'temporary' });
    expect(twilio.seen).toEqual([]);
  });
});
