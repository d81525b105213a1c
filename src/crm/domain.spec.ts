import fc from 'fast-check';
import { domainIn, domainKey, keyOfDomain } from './domain.js';

describe('the domain in', () => {
  it.each([
    ['Navy.Example', 'navy.example'],
    ['https://www.Navy.example/about?x=1', 'www.navy.example'],
    ['http://navy.example#top', 'navy.example'],
    ['navy.example?x=a.b', 'navy.example'],
    ['navy.example/path/https://other.example', 'navy.example'],
    ['navy.example:8080', 'navy.example'],
    ['https://navy.example:8080/x', 'navy.example'],
    ['navy.example:', 'navy.example'],
    ['https://ann:secret@navy.example', 'navy.example'],
    ['https://ann:sec@ret@navy.example:443/x@y', 'navy.example'],
    ['ann@navy.example', 'navy.example'],
    ['navy.example.', 'navy.example'],
    ['https://navy.example.:80/', 'navy.example'],
    ['  navy.example ', 'navy.example'],
    ['MÜNCHEN.example', 'münchen.example'],
    ['XN--MNCHEN-3YA.example', 'xn--mnchen-3ya.example'],
    ['例え.jp。', '例え.jp'],
    ['1und1.example', '1und1.example'],
    ['3.example', '3.example'],
    ['http://navy.example\\x', 'navy.example'],
    [`${'a'.repeat(63)}.example`, `${'a'.repeat(63)}.example`],
  ])('%j is %j', (text, domain) => expect(domainIn(text)).toBe(domain));

  it.each([
    'navy',
    'https://localhost/x.y',
    '',
    ' ',
    '.',
    '/a.b',
    'http://',
    'na vy.example',
    'na\tvy.example',
    'navy..example',
    '.navy.example',
    'navy.example..',
    '-navy.example',
    'navy-.example',
    'na_vy.example',
    'na%20vy.example',
    'navy.example:80a',
    'navy.example:80:80',
    '192.168.0.1',
    'http://10.0.0.1:8080/',
    '１２７.０.０.１',
    '[::1]',
    'http://[2001:db8::1]:80/',
    'navy,example.com',
    '<navy.example>',
    'navy.example, army.example',
    `${'a'.repeat(64)}.example`,
    `${'ü'.repeat(60)}.example`,
    `${'a.'.repeat(126)}example`,
  ])('%j is none', (text) => expect(() => domainIn(text)).toThrow('must be a domain'));

  it('is itself once it is one, and has one key', () =>
    fc.assert(
      fc.property(fc.domain(), fc.webAuthority({ withUserInfo: true, withPort: true }), (host, authority) => {
        expect(domainIn(host)).toBe(host.toLowerCase());
        const domain = /^(?:\d+\.){3}\d+$|\[/.test(authority) ? host : domainIn(`https://${authority}/x`);
        expect(domainIn(domain)).toBe(domain);
        expect(keyOfDomain(domain.toUpperCase())).toBe(keyOfDomain(domain));
      }),
    ));
});

describe('the key of a domain', () => {
  it.each([
    ['navy.example', null],
    [null, null],
    ['münchen.example', 'xn--mnchen-3ya.example'],
    ['navy.example:8080', 'navy.example'],
    ['navy.example.', 'navy.example'],
  ])('that is kept as %j is kept as %j', (domain, key) => expect(domainKey(domain)).toBe(key));
});
