import fc from 'fast-check';
import type { Page } from '../data/records.js';
import { mergedPage, type Source } from './merged-pages.js';

interface Row {
  at: string;
  id: string;
}

/** A list in pages of this size, the latest first. */
const listOf = (rows: Row[], size: number): Source<Row> => {
  const sorted = rows.toSorted((one, other) => (one.at < other.at ? 1 : -1));
  return (cursor) => {
    const from = Number(cursor ?? 0);
    const end = from + size;
    const has_more = end < sorted.length;
    const pagination = { has_more, next_cursor: has_more ? String(end) : null };
    return Promise.resolve({ data: sorted.slice(from, end), pagination });
  };
};

async function readAll(sources: Source<Row>[]): Promise<Row[]> {
  const read: Row[] = [];
  let page: Page<Row>;
  let cursor: string | null = null;
  do {
    page = await mergedPage(sources, cursor, ({ at }) => at);
    read.push(...page.data);
    cursor = page.pagination.next_cursor;
  } while (cursor !== null);
  return read;
}

it('lists are read as one, each row once and the latest first, in pages', async () => {
  const instants = fc.array(fc.integer({ min: 0, max: 50 }), { maxLength: 30 });
  await fc.assert(
    fc.asyncProperty(
      fc.array(instants, { maxLength: 5 }),
      fc.integer({ min: 1, max: 7 }),
      async (lists, size) => {
        const rows = lists.map((list, nr) =>
          list.map((at, index) => ({ at: String(100 + at), id: `${nr} ${index}` })),
        );
        const read = await readAll(rows.map((list) => listOf(list, size)));
        expect(read.map(({ id }) => id).sort()).toEqual(
          rows
            .flat()
            .map(({ id }) => id)
            .sort(),
        );
        expect(read.map(({ at }) => at)).toEqual(
          read
            .map(({ at }) => at)
            .toSorted()
            .reverse(),
        );
      },
    ),
  );
});
