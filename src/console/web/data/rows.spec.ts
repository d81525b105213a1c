import { refreshed } from './rows.js';

const page = (letters: string, next: string | null = 'next') => ({
  data: [...letters],
  pagination: { next_cursor: next, has_more: next !== null },
});
const again = (letters: string, before: string, next: string | null = 'next') => {
  const { rows, next: then } = refreshed(
    page(letters, next),
    { rows: [...before], next: 'further' },
    (row) => row,
  );
  return [rows.join(''), then];
};

describe('A list whose first page is asked for again', () => {
  it('keeps the rows of later pages', () => expect(again('abc', 'abcdef')).toEqual(['abcdef', 'further']));

  it('shows new rows first, and loses none that they push to the next page', () =>
    expect(again('xyab', 'abcdefgh')).toEqual(['xyabcdefgh', 'further']));

  it('shows a row that has moved once', () => expect(again('eab', 'abcdef')).toEqual(['eabcdf', 'further']));

  it('goes on behind its first page where that is all that was read', () =>
    expect(again('xabc', 'abc')).toEqual(['xabc', 'next']));

  it('begins anew where more is new than a page', () =>
    expect(again('xyz', 'abcdef')).toEqual(['xyz', 'next']));

  it('ends where its first page is the last one', () =>
    expect(again('ab', 'abcdef', null)).toEqual(['ab', null]));

  it('keeps what was read behind a first page that is empty with more to come', () =>
    expect(again('', 'abc')).toEqual(['abc', 'further']));

  it('is its first page when it is read first', () =>
    expect(refreshed(page('abc'), undefined, (row) => row)).toEqual({ rows: ['a', 'b', 'c'], next: 'next' }));
});
