import { readQuery, tsqueryOf } from './search-query.js';

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

  it.each([
    ['grace', `((('grace') | ('@gra' <-> '@rac' <-> '@ace')))`],
    ['ab', `((('ab')))`],
    ['"to be"', `((('to' <-> 'be') | ('@tob' <-> '@obe')))`],
    ['渋谷', `((('渋谷')))`],
    ['渋谷駅', `((('渋谷' <-> '谷駅') | ('@渋谷駅')))`],
    ['谷', `((('谷':*)))`],
    ["o'neil", `((('o' <-> 'neil') | ('@o\\'n' <-> '@\\'ne' <-> '@nei' <-> '@eil')))`],
  ])('%s is asked of PostgreSQL', (q, expected) => expect(tsqueryOf(readQuery(q)!)).toBe(expected));
});
