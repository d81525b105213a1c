import { testDatabase, type TestDatabase } from '../../../test/support/database/postgres.js';
import { randomFrom } from '../../../test/support/random.js';
import { isCutShort } from '#database/statements/statement.js';
import type { List } from './list.js';
import { type Part, PageRows } from './page-rows.queries.js';
import { ROOM_OF_PAGE } from './page-size.js';

const LINES: List = {
  name: 'lines',
  select: 'SELECT page_id, line_id, at, text, statement_timestamp()::text AS read_at FROM line',
  sort: 'at',
  id: 'line_id',
  of: 'page_id',
};

interface Line {
  line_id: string;
  read_at: string;
}

let test: TestDatabase;
let rows: PageRows;

beforeAll(async () => {
  test = await testDatabase();
  rows = new PageRows(test.database);
  await test.database.query({
    text: `CREATE TABLE line (organization_id text, page_id text, line_id text, at timestamptz, text text);
           CREATE INDEX line_of_page ON line (organization_id, page_id, at DESC, line_id DESC)`,
  });
});

beforeEach(() => test.database.query({ text: 'TRUNCATE line' }));

afterAll(() => test.close());

const write = (organization: string, page: string, line: string, second = 0, text = '') =>
  test.database.query({
    text: `INSERT INTO line VALUES ($1, $2, $3, to_timestamp($4), $5)`,
    values: [organization, page, line, second, text],
  });
const part = (organization: string, page: string, more: Partial<Part> = {}): Part => ({
  list: LINES,
  conditions: [
    ['organization_id =', organization],
    ['page_id =', page],
  ],
  after: null,
  limit: 5,
  ...more,
});
const read = (one: Part) => rows.read<Line>(one);
const idsOf = (lines: Line[]) => lines.map(({ line_id }) => line_id);

describe('first pages that are asked for at the same moment', () => {
  it('have the rows in the order that each has alone', async () => {
    const random = randomFrom(20261127);
    const either = <Value>(...values: Value[]) => values[random.integer(0, values.length - 1)]!;
    for (let nr = 0; nr < 400; nr++)
      await write(either('a', 'b'), `page_${random.integer(0, 20)}`, `line_${nr}`, random.integer(0, 9));
    const parts = Array.from({ length: 200 }, () =>
      part(either('a', 'b'), `page_${random.integer(0, 22)}`, {
        limit: either(1, 5, 50),
        list: { ...LINES, ascending: either(true, false) },
      }),
    );
    const together = await Promise.all(parts.map(read));
    for (const [nr, one] of parts.entries()) expect(idsOf(together[nr]!)).toEqual(idsOf(await read(one)));
  });

  it('share a statement with those of the same organization, list and length', async () => {
    for (const page of ['one', 'two']) for (const owner of ['a', 'b']) await write(owner, page, 'line');
    const timesOf = async (parts: Part[]) => {
      const found = await Promise.all(parts.map(read));
      return new Set(found.map(([line]) => line!.read_at)).size;
    };
    expect(await timesOf([part('a', 'one'), part('a', 'two'), part('a', 'one')])).toBe(1);
    expect(await timesOf([part('a', 'one'), part('b', 'two')])).toBe(2);
    expect(await timesOf([part('a', 'one'), part('a', 'two', { limit: 6 })])).toBe(2);
    const dated = part('a', 'two').conditions.concat([['at >= ?::timestamptz', '1970-01-01']]);
    expect(await timesOf([part('a', 'one'), part('a', 'two', { conditions: dated })])).toBe(2);
  });

  it('have as many rows as each has alone where there is no room for all at once', async () => {
    const large = 'x'.repeat(ROOM_OF_PAGE / 2.5);
    for (const page of ['one', 'two', 'three'])
      for (let nr = 0; nr < 4; nr++) await write('a', page, `${page}_${nr}`, 9 - nr, large);
    const found = await Promise.all(['one', 'two', 'three'].map((page) => read(part('a', page))));
    expect(found.map(idsOf)).toEqual([
      ['one_0', 'one_1'],
      ['two_0', 'two_1'],
      ['three_0', 'three_1'],
    ]);
    expect(found.map(isCutShort)).toEqual([true, true, true]);
  });
});
