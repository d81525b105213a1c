import { failureOf } from './bounce-failure.js';
import type { BouncedRecipient } from '#mail/mail.js';

const failed = (address: string, fields: Partial<BouncedRecipient> = {}): BouncedRecipient => ({
  address,
  action: 'failed',
  status: '5.1.1',
  diagnostic: null,
  ...fields,
});

describe('a report that a mail did not arrive', () => {
  it.each([
    ['as it was sent to', 'ann@buyer.example', failed('ann@buyer.example')],
    ['in another case', 'Ann@Buyer.Example', failed('ann@buyer.example')],
    ['with its domain in ASCII', 'ann@büyer.example', failed('ann@xn--byer-0ra.example')],
    ['with its domain in Unicode', 'ann@xn--byer-0ra.example', failed('ann@büyer.example')],
    ['with its letters decomposed', 'jörn@buyer.example', failed('jo\u0308rn@buyer.example')],
    [
      'that it was forwarded from',
      'ann@buyer.example',
      failed('ann@buyer.example', { final_address: 'ann@elsewhere.example' }),
    ],
    [
      'beside one that a server on the way has rewritten',
      'ann@buyer.example',
      failed('srs0=x=y=buyer.example=ann@relay.example', { final_address: 'ann@buyer.example' }),
    ],
  ])('counts when it names a recipient %s', (_, sentTo, recipient) => {
    expect(failureOf([recipient], ['carl@buyer.example', sentTo])).toBe(`${recipient.address}: 5.1.1`);
  });

  it.each([
    ['another address', [failed('mallory@evil.example')]],
    ['the same name at another domain', [failed('ann@evil.example')]],
    ['nobody', []],
    ['a recipient who has it or may still get it', [failed('ann@buyer.example', { action: 'delayed' })]],
  ])('counts for nothing when it names %s', (_, recipients) => {
    expect(failureOf(recipients, ['ann@buyer.example'])).toBeNull();
    expect(failureOf(recipients, [])).toBeNull();
  });

  it('tells the reasons of those recipients alone whom the mail went to', () => {
    const recipients = [
      failed('ann@buyer.example', { diagnostic: '550 No' }),
      failed('mallory@evil.example', { diagnostic: 'call this number' }),
    ];
    expect(failureOf(recipients, ['ann@buyer.example'])).toBe('ann@buyer.example: 550 No');
  });
});
