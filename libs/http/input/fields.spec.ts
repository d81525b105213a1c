import { isEmailAddress, isPhoneNumber } from './fields.js';

describe('phone numbers', () => {
  it.each([
    '+1 (555) 010-9999',
    '555.010.9999',
    '55501',
    '0049 30 1234567',
    '555-0100 x12',
    '555-0100 ext. 12',
    '1-800-555-0100',
    '+1\u00a0555\u00a00100',
  ])('takes %p', (text) => expect(isPhoneNumber(text)).toBe(true));

  it.each([
    'call me',
    '1234',
    '1'.repeat(21),
    '555-CALL-NOW',
    '555-0100 extension 12',
    '',
    '++1 555 0100',
    '+',
    'x12345',
    '555010\n',
    '555\t010',
    '555-0100 x\r12',
    `${' '.repeat(330)}${'1'.repeat(330)}${' '.repeat(330)}!`,
  ])('refuses %p', (text) => expect(isPhoneNumber(text)).toBe(false));
});

describe('e-mail addresses', () => {
  it.each(['a@b.example', 'Grace.Hopper+x@navy.example', 'jörg@x.example', 'a@b.c'])('takes %p', (text) =>
    expect(isEmailAddress(text)).toBe(true),
  );

  it.each([
    'a',
    'a@',
    'a@b',
    'a.b@localhost',
    'a@b.',
    'a@.b',
    'a@10.1',
    '@b.example',
    'a b@c.example',
    'a@b.example, c@d.example',
    'Bob <a@b.example>',
    'a@b.example\n',
    '"a\r\nBcc: c"@b.example',
    '"a\u0001b"@b.example',
    '"a>b"@b.example',
    'a\ud800@b.example',
    'a\u200b@b.example',
    'a@b\u00ad.example',
    7,
  ])('refuses %p', (text) => expect(isEmailAddress(text)).toBe(false));
});
