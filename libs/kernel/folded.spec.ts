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
  ])('%s becomes %s', (text, expected) => expect(folded(text)).toBe(expected));

  it('changes nothing the second time', () => {
    for (const text of ['Straße', 'İ', 'ﬁnal', 'Ǆ', 'ẞ', '서울', 'Å'])
      expect(folded(folded(text))).toBe(folded(text));
  });
});
