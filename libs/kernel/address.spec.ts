import fc from 'fast-check';
import { addressesIn, addressKey, eachOnce, hostKey } from './address.js';

describe('hostKey', () => {
  it.each([
    ['Example.COM', 'example.com'],
    ['example.com.', 'example.com'],
    ['münchen.example', 'xn--mnchen-3ya.example'],
    ['MÜNCHEN.example', 'xn--mnchen-3ya.example'],
    ['mu\u0308nchen.example', 'xn--mnchen-3ya.example'],
    ['XN--MNCHEN-3YA.example', 'xn--mnchen-3ya.example'],
    ['münchen.example.', 'xn--mnchen-3ya.example'],
    ['ｅｘａｍｐｌｅ.com', 'example.com'],
    ['例え。jp', 'xn--r8jz45g.jp'],
    ['例え.jp。', 'xn--r8jz45g.jp'],
    ['STRASSE.example', 'strasse.example'],
    ['straße.example', 'xn--strae-oqa.example'],
    ['my_host.exämple.de', 'my_host.xn--exmple-cua.de'],
    ['0x7f.1', '0x7f.1'],
    ['ex ämple.de', 'ex ämple.de'],
    ['ä/b.de', 'ä/b.de'],
    ['ä%41.de', 'ä%41.de'],
    ['ä:80', 'ä:80'],
    ['ä\n.de', 'ä\n.de'],
    ['a@ä.de', 'a@ä.de'],
    ['[ä]', '[ä]'],
    ['example.com..', 'example.com'],
    ['', ''],
  ])('of %j is %j', (host, key) => expect(hostKey(host)).toBe(key));

  it('of a key is the key itself', () =>
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), (host) => hostKey(hostKey(host)) === hostKey(host)),
    ));
});

describe('addressKey', () => {
  it.each([
    ['Ann@Example.COM', 'ann@example.com'],
    ['josé@x.example', 'josé@x.example'],
    ['JOSE\u0301@x.example', 'josé@x.example'],
    ['ann@münchen.example', 'ann@xn--mnchen-3ya.example'],
    ['Ann@MU\u0308NCHEN.example', 'ann@xn--mnchen-3ya.example'],
    ['ann@ｅｘａｍｐｌｅ.com', 'ann@example.com'],
    ['ann@example.com.', 'ann@example.com'],
    ['"a@b"@x.example', '"a@b"@x.example'],
    ['nobody', 'nobody'],
    ['', ''],
  ])('of %j is %j', (address, key) => expect(addressKey(address)).toBe(key));

  it('is the same for composed and decomposed letters, in either case', () =>
    fc.assert(
      fc.property(fc.constantFrom(...'éüñçåōżấǖ'), fc.constantFrom(...'éüñçåōż'), (one, other) => {
        const address = `${one}@${other}.example`;
        for (const spelt of [address.normalize('NFD'), address.toUpperCase()])
          expect(addressKey(spelt)).toBe(addressKey(address));
      }),
    ));
});

describe('addressesIn', () => {
  it.each([
    ['a@x.example', ['a@x.example']],
    ['a@x.example,b@x.example , c@x.example', ['a@x.example', 'b@x.example', 'c@x.example']],
    ['"a, \\"b"@x.example, c@x.example', ['"a, \\"b"@x.example', 'c@x.example']],
    [' , ', []],
    ['', []],
  ])('of %j are %j', (list, addresses) => expect(addressesIn(list)).toEqual(addresses));
});

describe('eachOnce', () => {
  it('keeps the first spelling of each address', () =>
    expect(eachOnce(['Ann@x.example', 'bob@x.example', 'ann@X.EXAMPLE.'])).toEqual([
      'Ann@x.example',
      'bob@x.example',
    ]));
});
