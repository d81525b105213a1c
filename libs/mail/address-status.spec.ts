import { refusesAddressForGood, saysAddressIsGone } from './address-status.js';

describe('a status code', () => {
  it.each(['5.1.0', '5.1.1', '5.1.2', '5.1.3', '5.1.6', '5.1.10', '5.2.0', '5.2.1'])(
    '%s tells that the address is gone',
    (status) => expect(saysAddressIsGone(status)).toBe(true),
  );

  it.each([
    ['of a temporary failure', '4.1.1'],
    ['of the sender', '5.1.8'],
    ['of a full mailbox', '5.2.2'],
    ['of the content', '5.6.0'],
    ['of a policy', '5.7.1'],
    ['of a route', '5.4.4'],
    ['that says nothing', '5.0.0'],
  ])('%s does not', (_, status) => expect(saysAddressIsGone(status)).toBe(false));
});

describe('a reply to RCPT', () => {
  it.each([
    [550, '550 5.1.1 No such user'],
    [550, '550-5.1.1 No such user\n550 5.1.1 Look elsewhere'],
    [550, '550 No such user'],
    [553, '553 Not here'],
  ])('%s (%s) tells that the address is gone', (code, reply) =>
    expect(refusesAddressForGood(code, reply)).toBe(true),
  );

  it.each([
    [450, '450 4.2.0 Greylisted'],
    [550, '550 5.7.1 Relaying denied'],
    [552, '552 Mailbox full'],
    [552, '552 5.2.2 Mailbox full'],
    [530, '530 Authentication required'],
  ])('%s (%s) does not', (code, reply) => expect(refusesAddressForGood(code, reply)).toBe(false));
});
