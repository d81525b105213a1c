import { systemContext } from '#kernel/context.js';
import { newId } from '#kernel/id.js';
import { seedContacts, underLoad } from '../../test/support/data/contact-load.js';
import { testDatabase, type TestDatabase } from '../../test/support/database/postgres.js';
import { untilAllIsReadable } from '../../test/support/until.js';
import { rowsFor } from './bulk.js';
import { EventStore } from './event-store.js';
import type { Projection } from './projection.js';
import { rebuild } from './rebuild.js';
import type { RebuildProgress } from './rebuild-meter.js';
import { verify } from './verify.js';

const NAMES = ['a\tb', 'a\nb\r', 'a\\b', '\\N', '\\.', '"', '', 'é😀'];

let test: TestDatabase;
let store: EventStore;

beforeEach(async () => {
  test = await testDatabase();
  store = new EventStore(test.database, {});
  await test.database.query({
    text: `CREATE TABLE counter (organization_id text COLLATE "C" NOT NULL, stream_id text COLLATE "C" NOT NULL, events int NOT NULL,
             names jsonb, PRIMARY KEY (organization_id, stream_id));
           CREATE INDEX counter_by_events ON counter (events) INCLUDE (names) WHERE events > 1`,
  });
});

afterEach(() => test.close());

const seed = Number(process.env['PARLEY_SEED'] ?? Math.floor(Math.random() * 2 ** 31));
const context = systemContext(newId('org'));

/** Counts the events of each stream; live one by one, in bulk by stream. */
const counter: Projection = {
  name: 'counter',
  version: 1,
  tables: ['counter'],
  streamTypes: ['contact'],
  async apply(tx, events) {
    for (const { organization_id, stream_id } of events)
      await tx.query({
        text: `INSERT INTO counter AS c VALUES ($1, $2, 1, $3)
               ON CONFLICT (organization_id, stream_id) DO UPDATE SET events = c.events + 1`,
        values: [organization_id, stream_id, JSON.stringify(NAMES)],
      });
  },
  bulk: {
    select: `SELECT organization_id, stream_id, stream_type, version, type, schema_version, '{}'::jsonb AS data FROM es_event`,
    begin: async (_, organization_id) => ({
      add: (streams) => [
        rowsFor(
          'counter',
          ['stream_id', 'events', 'names'],
          streams.map(([first, ...rest]) => ({
            organization_id,
            stream_id: first!.stream_id,
            events: 1 + rest.length,
            names: NAMES,
          })),
        ),
      ],
      end: () => [],
    }),
  },
};
const job = () => ({ database: test.database, projection: counter, kind: 'async' as const, upcasters: {} });

const indexes = () =>
  test.database.query({
    text: `SELECT indexname, indexdef FROM pg_indexes WHERE schemaname = 'public' AND tablename = 'counter' ORDER BY 1`,
  });

it('rebuilds from whole streams what is made event by event, while writers write', async () => {
  const ids = await seedContacts(store, context, 1_500, 3);
  await untilAllIsReadable(test.database);
  const before = await indexes();
  await underLoad(store, context, ids, seed, async () => {
    for (let round = 0; round < 3; round++) expect(await rebuild(job())).toBeGreaterThanOrEqual(4_500);
  });
  await untilAllIsReadable(test.database);
  expect(await rebuild(job())).toBeGreaterThan(4_500);
  const rows = await test.database.query({
    text: `SELECT organization_id, stream_id, events AS version FROM counter ORDER BY 1, 2`,
  });
  expect(rows).toEqual(
    await test.database.query({
      text: `SELECT organization_id, stream_id, max(version) AS version FROM es_event GROUP BY 1, 2 ORDER BY 1, 2`,
    }),
  );
  expect(await indexes()).toEqual(before);
  expect(await verify(job())).toEqual([]);
});

it('keeps every character of what it writes', async () => {
  await seedContacts(store, context, 2, 1);
  await untilAllIsReadable(test.database);
  await rebuild(job());
  expect(await test.database.query({ text: 'SELECT names FROM counter' })).toEqual([
    { names: NAMES },
    { names: NAMES },
  ]);
});

it('tells how far it has come, from 0 to 1', async () => {
  await seedContacts(store, context, 1_500, 3);
  await untilAllIsReadable(test.database);
  const told: RebuildProgress[] = [];
  await rebuild({ ...job(), onProgress: (progress) => told.push(progress) });
  expect(told[0]).toEqual({ events: 0, progress: 0, secondsLeft: null });
  const parts = told.map(({ progress }) => progress);
  expect(parts).toEqual([...parts].sort((one, other) => one - other));
  expect(told.at(-1)).toMatchObject({ events: 4_500, progress: 1, secondsLeft: 0 });
  expect(await test.database.query({ text: 'SELECT FROM es_rebuild' })).toEqual([]);
});

it('leaves the live table alone when it fails half way, and the next one succeeds', async () => {
  await seedContacts(store, context, 1_500, 3);
  await untilAllIsReadable(test.database);
  await rebuild(job());
  const rows = () => test.database.query({ text: 'SELECT * FROM counter ORDER BY 1, 2' });
  const before = await rows();
  let parts = 0;
  const cancelled = new AbortController();
  const onProgress = () => void (++parts === 3 && cancelled.abort());
  await expect(rebuild({ ...job(), onProgress, cancelled: cancelled.signal })).rejects.toThrow();
  expect(await rows()).toEqual(before);
  await rebuild(job());
  expect(await rows()).toEqual(before);
});
