import { jest } from '@jest/globals';
import type { StoredEvent } from '#kernel/context.js';
import type { Database } from '#database/database.js';
import { isCutShort } from '#database/statements/statement.js';
import { readAlong, shortcomings, writeLoad } from '../../test/support/data/feed-load.js';
import { testDatabase, type TestDatabase } from '../../test/support/database/postgres.js';
import { untilAllIsReadable } from '../../test/support/until.js';
import { type Random, randomFrom } from '../../test/support/random.js';
import { rawAppend } from '../../test/support/database/raw-append.js';
import { BEGINNING, type Cursor } from './feed.js';
import { type FeedLimits, readOrganizationFeed, readPlaces } from './organization-feed.js';
import { StreamReader } from './stream-reader.js';

// To repeat a run that failed, as far as the timing allows: PARLEY_SEED=<seed in the failure>
const seed = Number(process.env['PARLEY_SEED'] ?? Math.floor(Math.random() * 2 ** 31));

let test: TestDatabase;
let database: Database;

beforeEach(async () => {
  test = await testDatabase();
  database = test.database;
});

afterEach(() => test.close());

const RARE = { types: ['Rare'], streamId: null };

const pause = (random: Random): number =>
  random.chance(0.7) ? 0 : random.chance(0.9) ? random.integer(1, 10) : random.integer(50, 200);

it.each([['all types', null] as const, ['one type', ['Loaded']] as const])(
  'delivers every committed event of each organization once and in order, however writers overlap: %s',
  async (_, types) => {
    const random = randomFrom(seed);
    const places = new Map<string, Cursor>();
    const readEach = async (): Promise<StoredEvent[]> => {
      const organizations = await database.query<{ organization_id: string }>({
        text: 'SELECT DISTINCT organization_id FROM es_event',
      });
      const delivered: StoredEvent[] = [];
      for (const { organization_id: id } of organizations) {
        const after = places.get(id) ?? BEGINNING;
        // Rows of some 200 bytes: now the number ends a page, now its room.
        const limits = { limit: random.integer(1, 300), room: random.integer(1, 60_000) };
        const page = await readOrganizationFeed(database, id, after, limits, {
          types: types && [...types],
          streamId: null,
        });
        expect(page.events.every((event) => event.organization_id === id)).toBe(true);
        places.set(id, page.next);
        delivered.push(...page.events);
      }
      return delivered;
    };
    const load = writeLoad({ database, seed, writers: 12, events: 4_000, streams: 30, pause });
    const found = await shortcomings(database, await readAlong(database, load, readEach));
    expect({ seed, ...found }).toEqual({ seed, lost: 0, doubled: 0, unknown: 0, misordered: 0 });
  },
);

/** At most so many events, of any size. */
const atMost = (limit: number): FeedLimits => ({ limit, room: Infinity });

describe('a rare type', () => {
  const ORGANIZATION = 'org_x';
  const EVENTS = 25_000;

  beforeEach(async () => {
    await database.query({
      text: `INSERT INTO es_event SELECT $1, 'stream', nr, '3', nr, 'load', 'event_' || nr,
               CASE WHEN nr IN (24000, 24001) THEN 'Rare' ELSE 'Loaded' END, 1, '{}', '{}', now()
               FROM generate_series(1, $2::int) nr`,
      values: [ORGANIZATION, EVENTS],
    });
  });

  it('is found by a reader that goes on where each page ends, and no page looks through everything', async () => {
    const found: string[] = [];
    const ends: string[] = [];
    let after = BEGINNING;
    for (let hasMore = true; hasMore;) {
      const page = await readOrganizationFeed(database, ORGANIZATION, after, atMost(1), RARE);
      found.push(...page.events.map(({ position }) => position));
      ends.push(page.next.position);
      ({ next: after, hasMore } = page);
    }
    expect(found).toEqual(['24000', '24001']);
    expect(ends).toEqual(['10000', '20000', '24000', '25000']);
  });

  it('is found on the way back, too', async () => {
    const found: string[] = [];
    const ends: string[] = [];
    let before: Cursor = { tx: '3', position: '24002' };
    for (let hasMore = true; hasMore;) {
      const page = await readOrganizationFeed(database, ORGANIZATION, before, atMost(1), RARE, 'back');
      found.push(...page.events.map(({ position }) => position));
      ends.push(page.next.position);
      ({ next: before, hasMore } = page);
    }
    expect(found).toEqual(['24001', '24000']);
    expect(ends).toEqual(['24001', '14001', '4001', '1']);
  });

  it('that is not there is read past', async () => {
    const last = { tx: '3', position: '24001' };
    const { events, next, hasMore } = await readOrganizationFeed(
      database,
      ORGANIZATION,
      last,
      atMost(5),
      RARE,
    );
    expect([events, next.position, hasMore]).toEqual([[], '25000', false]);
    const again = await readOrganizationFeed(database, ORGANIZATION, next, atMost(5), RARE);
    expect([again.events, again.next, again.hasMore]).toEqual([[], next, false]);
  });

  it.each([
    ['on', '>', 'tx, position'],
    ['back', '<', 'tx DESC, position DESC'],
  ])(
    'is read %s by the index of the organization, a page at the end as cheaply as the first',
    async (_, sign, order) => {
      await database.query({ text: 'ANALYZE es_event' });
      const [plan] = await database.query<{ 'QUERY PLAN': object }>({
        text: `EXPLAIN (FORMAT JSON) SELECT event_id FROM es_event
              WHERE organization_id = 'org_x' AND (tx, position) ${sign} ('3'::xid8, 20000) AND tx < '900000'::xid8
              ORDER BY ${order} LIMIT 51`,
      });
      expect(JSON.stringify(plan)).toContain('es_event_organization_feed');
      expect(JSON.stringify(plan)).not.toContain('Sort');
    },
  );
});

describe('pages that are asked for at the same moment', () => {
  it('are read once for all who ask for the same, and for each organization and place apart', async () => {
    for (const id of ['org_a', 'org_b'])
      await database.query(
        rawAppend(id, [{ id: `thing_${id}`, type: 'x', expected: 0, events: [{ type: 'x', data: { id } }] }]),
      );
    await untilAllIsReadable(database);
    const store = new StreamReader(database, {});
    const read = (id: string, after = BEGINNING) =>
      store.readOrganization(id, after, atMost(50), { types: null, streamId: null });
    const end = (await read('org_a')).next;
    const asked = jest.spyOn(database, 'queryOn');
    const ids = ['org_a', 'org_b', 'org_a', 'org_a'];
    const pages = await Promise.all([...ids.map((id) => read(id)), read('org_a', end)]);
    expect(pages.map(({ events }) => events.map(({ organization_id }) => organization_id))).toEqual([
      ...ids.map((id) => [id]),
      [],
    ]);
    expect(asked).toHaveBeenCalledTimes(3);
  });
});

describe('events by their places', () => {
  it('come in the order asked for, as many of them as there is room for', async () => {
    const events = Array.from({ length: 9 }, () => ({ type: 'x', data: { text: 'x'.repeat(1_000) } }));
    await database.query(rawAppend('org_x', [{ id: 'thing_x', type: 'x', expected: 0, events }]));
    const places = [7, 2, 9, 4].map((version) => ({ stream_id: 'thing_x', version }));
    const read = async (room?: number) => {
      const found = await readPlaces(database, 'org_x', places, room);
      return [...found.map(({ version }) => version), isCutShort(found)];
    };
    expect(await read()).toEqual([7, 2, 9, 4, false]);
    expect(await read(3_000)).toEqual([7, 2, true]);
    expect(await read(1)).toEqual([7, true]);
  });
});
