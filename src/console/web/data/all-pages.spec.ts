import { allPages } from './all-pages.js';

describe('All pages of a list', () => {
  it('are read until there is none, also behind an empty one', async () => {
    const pages: Record<string, { data: number[]; next: string | null }> = {
      first: { data: [1, 2], next: 'a' },
      a: { data: [], next: 'b' },
      b: { data: [3], next: null },
    };
    const load = ({ cursor }: { cursor: string | null }) => {
      const { data, next } = pages[cursor ?? 'first']!;
      return Promise.resolve({ data, pagination: { next_cursor: next, has_more: next !== null } });
    };
    expect(await allPages(load)).toEqual([1, 2, 3]);
  });
});
