import { TOKEN } from './search-document.js';
import { readQuery, wantedOf } from './search-query.js';

const asked = (q: string) =>
  readQuery(q)?.map((terms) =>
    terms.map(
      ({ text, isExcluded, isPrefix, isPhrase }) =>
        `${isExcluded ? '-' : ''}${isPhrase ? `"${text}"` : text}${isPrefix ? '*' : ''}`,
    ),
  );

describe('a query', () => {
  it.each([
    ['renewal', [['renewal']]],
    ['two words', [['two', 'words']]],
    ['"a phrase" here', [['"a phrase"', 'here']]],
    ['yes -no -"not at all"', [['yes', '-no', '-"not at all"']]],
    ['one or other', [['one'], ['other']]],
    ['one two OR three', [['one', 'two'], ['three']]],
    ['rene*', [['rene*']]],
    ['open "quote', [['open', '"quote"']]],
    ['well-known', [['well-known']]],
    ['or or or', null],
    ['', null],
    ['   ', null],
    ['-no', null],
    ['yes or -no', null],
    ['*** !!! ""', null],
    ['-', null],
    ['😀', null],
  ])('%s is read', (q, expected) => expect(asked(q) ?? null).toEqual(expected));

  it('looks for all words of a phrase, or for the pieces of an address', () => {
    expect(wantedOf(readQuery('"to be"')![0]!)).toEqual([
      {
        anyOf: [[TOKEN.word('to'), TOKEN.word('be')], ['tob', 'obe'].map(TOKEN.address)],
        noneOf: [],
      },
    ]);
  });

  it('looks for each piece of a text without spaces, and for a single character as the beginning of one', () => {
    const tokensOf = (q: string) => wantedOf(readQuery(q)![0]!)[0]!.anyOf[0];
    expect(tokensOf('渋谷駅')).toEqual([TOKEN.word('渋谷'), TOKEN.word('谷駅')]);
    expect(tokensOf('谷')).toEqual([TOKEN.beginning('谷駅')]);
  });

  it('leaves a single word out at once, and a phrase later', () => {
    expect(wantedOf(readQuery('yes -no -"not at all"')![0]!)[0]!.noneOf).toEqual([TOKEN.word('no')]);
  });

  it('takes parts of a number together', () => {
    const [wanted] = wantedOf(readQuery('(212) 555-0187')![0]!);
    expect(wanted!.anyOf.at(-1)).toEqual(
      ['212', '125', '255', '555', '550', '501', '018', '187'].map(TOKEN.number),
    );
  });
});
