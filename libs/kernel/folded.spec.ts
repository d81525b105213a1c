import fc from 'fast-check';
import { folded } from './folded.js';

describe('folding a text', () => {
  it.each([
    ['Grace HOPPER', 'grace hopper'],
    ['Émile Zola', 'emile zola'],
    ['E\u0301mile', 'emile'],
    ['Straße', 'strasse'],
    ['STRASSE', 'strasse'],
    ['İstanbul', 'istanbul'],
    ['Łódź', 'lodz'],
    ['Ærø', 'aero'],
    ['ＡＢＣ １２３', 'abc 123'],
    ['ΣΊΣΥΦΟΣ', 'σισυφοσ'],
    ['Сергей', 'сергеи'],
    ['北京', '北京'],
    ['서울', '서울'],
    ['ที่', 'ที่'],
    ['Ħal Ŧapa Ŋgeru', 'hal tapa ngeru'],
    ['Øre Łuk Đuro ıı', 'ore luk duro ii'],
    ['Ægir Œuvre Þór ẞ', 'aegir oeuvre thor ss'],
    ['Ма\u0301ксим Й', 'максим и'],
    ['ά ὦ ᾼ', 'α ω α'],
    ['Ϲ', 'σ'],
    ['𝐇𝐞𝐥𝐥𝐨 ℌ Ⅷ', 'hello h viii'],
    ['ｶﾞｲﾄﾞ ﾊﾟﾝ', 'ガイド パン'],
    ['か\u3099', 'が'],
    ['مُحَمَّد', 'محمد'],
    ['أحمد إيمان آدم ٱلله ٲ ٳ ٵ', 'احمد ايمان ادم الله ا ا ا'],
    ['ﺃﺣﻤﺪ', 'احمد'],
    ['ســـلام', 'سلام'],
    ['شَالوم שָׁלוֹם', 'شالوم שלום'],
    ['שׁ', 'ש'],
    ['हिन्दी', 'हिन्दी'],
  ])('%s becomes %s', (text, expected) => expect(folded(text)).toBe(expected));

  it('changes nothing the second time, and tells no forms, cases or compositions apart', () =>
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 20 }), (text) => {
        const once = folded(text);
        expect(folded(once)).toBe(once);
        for (const form of ['NFC', 'NFD', 'NFKC', 'NFKD']) expect(folded(text.normalize(form))).toBe(once);
      }),
    ));

  it('tells no cases apart', () => {
    for (let code = 0; code < 0x1_0000; code++) {
      const letter = String.fromCharCode(code);
      // An iota below a letter stands beside it in upper case.
      if (!/\p{L}/u.test(letter) || letter.normalize('NFD').includes('\u0345')) continue;
      const cases = [letter, letter.toUpperCase(), letter.toLowerCase()].map(folded);
      expect([letter, ...new Set(cases)]).toHaveLength(2);
    }
  });
});
