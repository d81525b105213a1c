import type { StoredEvent } from '#kernel/context.js';
import type { Database } from '#database/database.js';
import type { Reader } from '#database/statements/statement.js';
import { testDatabase, type TestDatabase } from '../../test/support/database/postgres.js';
import { rawAppend } from '../../test/support/database/raw-append.js';
import { untilAllIsReadable } from '../../test/support/until.js';
import type { EventRow } from './bulk.js';
import { BEGINNING, EVENT_COLUMNS, readFeed } from './feed.js';
import type { Projection } from './projection.js';
import { applyRest } from './rebuild.js';
import { createShadow } from './shadow.js';
import { wholeStreams } from './whole-streams.js';

let test: TestDatabase;
let database: Database;

beforeEach(async () => {
  test = await testDatabase();
  database = test.database;
  for (let nr = 0; nr < 9; nr++) {
    const events = [grown(nr, 1), grown(nr, 5_000_000)];
    await database.query(rawAppend('org_a', [{ id: `plant_${nr}`, type: 'plant', expected: 0, events }]));
  }
  await untilAllIsReadable(database);
});

afterEach(() => test.close());

const grown = (nr: number, leaves: number) => ({
  type: 'Grown',
  data: { nr, text: 'x'.repeat(leaves) },
});

const applied: StoredEvent[] = [];
const projection: Projection = {
  name: 'plants',
  version: 1,
  tables: ['contact'],
  apply: (_tx, events) => Promise.resolve(void applied.push(...events)),
  bulk: {
    select: `SELECT ${EVENT_COLUMNS} FROM es_event`,
    begin: () => Promise.resolve({ add: () => [], end: () => [] }),
  },
};

const eventOf = (row: EventRow): StoredEvent => ({ ...row, data: row.data ?? {} });

/** Lists how many events each statement gives. */
function counting<By extends Reader>(by: By): { reader: By; sizes: number[] } {
  const sizes: number[] = [];
  const query: Reader['query'] = async (statement) => {
    const rows = await by.query<never>(statement);
    if (statement.text.includes('es_event')) sizes.push(rows.length);
    return rows;
  };
  return { reader: { query } as By, sizes };
}

it.each([
  ['events', projection],
  ['rows that are made events', { ...projection, bulk: { ...projection.bulk!, eventOf } }],
])('gives every stream whole, however few %s there is room for at a time', async (_, from) => {
  const end = { ...(await readFeed(database, BEGINNING, 100)).at(-1)! };
  const { reader, sizes } = counting(database);
  const found: string[][] = [];
  for await (const { streams } of wholeStreams(reader, from, end))
    found.push(...streams.map((stream) => stream.map(({ stream_id, version }) => `${stream_id} ${version}`)));
  expect(found).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8].map((nr) => [`plant_${nr} 1`, `plant_${nr} 2`]));
  expect(Math.max(...sizes)).toBeLessThanOrEqual(7);
});

it.each(['inline', 'async'] as const)(
  'applies the rest in batches of as many bytes as there is room for, each event once (%s)',
  async (kind) => {
    applied.length = 0;
    await database.transaction((tx) => createShadow(tx, projection, database));
    await database.transaction(async (tx) => {
      const { reader, sizes } = counting(tx);
      const job = { database, projection, kind, upcasters: {} };
      const { count } = await applyRest(reader, job, { cursor: BEGINNING, count: 0 }, null);
      expect(count).toBe(18);
      expect(Math.max(...sizes)).toBeLessThanOrEqual(7);
    });
    expect(applied.map(({ stream_id, version }) => `${stream_id} ${version}`)).toEqual(
      [0, 1, 2, 3, 4, 5, 6, 7, 8].flatMap((nr) => [`plant_${nr} 1`, `plant_${nr} 2`]),
    );
  },
);
