import type { StoredEvent } from '#kernel/context.js';
import type { Database } from '#database/database.js';
import { type Load, readAlong, shortcomings, writeLoad } from '../../test/support/data/feed-load.js';
import { testDatabase, type TestDatabase } from '../../test/support/database/postgres.js';
import { type Random, randomFrom } from '../../test/support/random.js';
import { rawAppend } from '../../test/support/database/raw-append.js';
import { untilAllIsReadable } from '../../test/support/until.js';
import { BEGINNING, cursorAfter, EVENT_COLUMNS, FeedBatches, readFeed, readWatermark } from './feed.js';

// To repeat a run that failed, as far as the timing allows: PARLEY_SEED=<seed in the failure> npx jest feed
const seed = Number(process.env['PARLEY_SEED'] ?? Math.floor(Math.random() * 2 ** 31));

let test: TestDatabase;
let database: Database;

beforeEach(async () => {
  test = await testDatabase();
  database = test.database;
});

afterEach(() => test.close());

const loadOf = (random: Random, given: Partial<Load> = {}): Load => ({
  database,
  seed,
  writers: Number(process.env['PARLEY_FEED_WRITERS'] ?? 12),
  events: Number(process.env['PARLEY_FEED_EVENTS'] ?? 10_000),
  streams: random.integer(10, 80),
  pause: mostlyShortSometimesLong,
  ...given,
});

const mostlyShortSometimesLong = (random: Random): number =>
  random.chance(0.7) ? 0 : random.chance(0.9) ? random.integer(1, 10) : random.integer(50, 200);

const throughFeed = (random: Random) => (last: StoredEvent | undefined) =>
  readFeed(database, last ? cursorAfter([last], BEGINNING) : BEGINNING, random.integer(1, 700));

it('delivers every committed event once, in the order of its stream, however writers overlap', async () => {
  const random = randomFrom(seed);
  const load = loadOf(random);
  const delivered = await readAlong(database, writeLoad(load), throughFeed(random));
  const found = await shortcomings(database, delivered);
  expect({ seed, ...found }).toEqual({ seed, lost: 0, doubled: 0, unknown: 0, misordered: 0 });
  expect(delivered.length).toBeGreaterThanOrEqual(load.events);
}, 1_200_000);

it('is read in batches of as many bytes as there is room for, each event once', async () => {
  for (let nr = 0; nr < 9; nr++) {
    const events = [{ type: 'Grown', data: { nr, text: 'x'.repeat(5_000_000) } }];
    await database.query(rawAppend('org_a', [{ id: `stream_${nr}`, type: 'plant', expected: 0, events }]));
  }
  await untilAllIsReadable(database);
  const batches = new FeedBatches(100);
  const sizes: number[] = [];
  const found: unknown[] = [];
  for (let cursor = BEGINNING, ended = false; !ended;) {
    const { events, isLast } = await batches.read(database, cursor, await readWatermark(database));
    sizes.push(events.length);
    found.push(...events.map(({ data }) => (data as { nr: number }).nr));
    cursor = cursorAfter(events, cursor);
    ended = isLast;
  }
  expect(found).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8]);
  expect(Math.max(...sizes)).toBe(3);
});

// The two rules the above rests on, each broken on purpose: if these did not fail, the test above would prove nothing.
describe('broken on purpose', () => {
  it('a cursor on the bare sequence loses events', async () => {
    const random = randomFrom(seed);
    const byPosition = (last: StoredEvent | undefined) =>
      database.query<StoredEvent>({
        text: `SELECT ${EVENT_COLUMNS} FROM es_event WHERE position > $1 ORDER BY position LIMIT 500`,
        values: [last?.position ?? 0],
      });
    const load = writeLoad(loadOf(random, { events: 3_000 }));
    const delivered = await readAlong(database, load, byPosition);
    const found = await shortcomings(database, delivered);
    expect(found.lost).toBeGreaterThan(0);
  });

  it('an append after another write of its transaction is read before what it follows', async () => {
    const random = randomFrom(seed);
    await database.query({ text: 'CREATE TABLE other (line int)' });
    await copyWithoutFirstWriteRule('es_append_late');
    const load = writeLoad(
      loadOf(random, {
        events: 3_000,
        append: 'es_append_late',
        async before(tx, own) {
          await tx.query({ text: 'INSERT INTO other VALUES (1)' });
          await tx.query({ text: 'SELECT pg_sleep($1)', values: [own.integer(0, 20) / 1000] });
        },
      }),
    );
    const delivered = await readAlong(database, load, throughFeed(random));
    const found = await shortcomings(database, delivered);
    expect(found.misordered).toBeGreaterThan(0);
    // Only the order suffers.
    expect(found).toMatchObject({ lost: 0, doubled: 0, unknown: 0 });
  });
});

/** es_append as it is, except for its first step. */
async function copyWithoutFirstWriteRule(name: string): Promise<void> {
  const [row] = await database.query<{ source: string }>({
    text: `SELECT pg_get_functiondef('es_append(text, jsonb, jsonb, jsonb, boolean)'::regprocedure) AS source`,
  });
  const copy = row!.source
    .replace('es_append', name)
    .replace(/IF pg_current_xact_id_if_assigned\(\) IS NOT NULL THEN.*?END IF;/s, '');
  expect(copy).not.toContain('if_assigned');
  await database.query({ text: copy });
}
