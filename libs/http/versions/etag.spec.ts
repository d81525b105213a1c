import { namesTag, readIfMatch } from './etag.js';

describe('If-Match', () => {
  it.each<[string, unknown]>([
    ['"3"', [3]],
    ['"3", "4"', [3, 4]],
    ['"3","4" ,, "5"', [3, 4, 5]],
    ['*', 'any'],
    [' * ', 'any'],
    ['W/"3"', []],
    ['W/"3", "4"', [4]],
    ['"a,b", "3"', [3]],
    ['"3-open"', []],
    ['"abc"', []],
    ['""', []],
    ['"03"', []],
    ['"0"', []],
  ])('%s admits %j', (header, expected) => {
    expect(readIfMatch(header)).toEqual(expected);
  });

  it.each(['', ' ', ',', '3', '"3', '3"', "'3'", 'w/"3"', 'W/ "3"', '"3" "4"'])(
    '%j is no tag and admits nothing',
    (header) => {
      expect(readIfMatch(header)).toEqual([]);
    },
  );

  it.each(['*, "3"', '"3", *', '"3", 4'])('%j admits what its tags do', (header) => {
    expect(readIfMatch(header)).toEqual([3]);
  });
});

describe('If-None-Match', () => {
  it.each(['"3"', 'W/"3"', '"2", "3"', '*', '"x", W/"3"'])('%s names version 3', (header) => {
    expect(namesTag(header, '"3"')).toBe(true);
  });

  it.each(['"4"', '"3-open"', '3', '', 'W/"33"', '"3'])('%j does not name version 3', (header) => {
    expect(namesTag(header, '"3"')).toBe(false);
  });
});
