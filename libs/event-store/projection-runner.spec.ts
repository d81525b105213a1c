import { isDeepStrictEqual } from 'node:util';
import { systemContext } from '#kernel/context.js';
import { newId } from '#kernel/id.js';
import type { Database } from '#database/database.js';
import { contacts } from '../../src/crm/crm.projection.js';
import { seedContacts, underLoad } from '../../test/support/data/contact-load.js';
import { contactCreated, newContactId, renamed } from '../../test/support/data/contacts.js';
import { testDatabase, type TestDatabase } from '../../test/support/database/postgres.js';
import { until, untilAllIsReadable } from '../../test/support/until.js';
import { appendTo, NEW } from './append.js';
import { EventStore } from './event-store.js';
import { BEGINNING, readFeed } from './feed.js';
import type { Projection } from './projection.js';
import { ProjectionRunner } from './projection-runner.js';

let test: TestDatabase;
let database: Database;
let store: EventStore;
let errors: unknown[];
const runners: ProjectionRunner[] = [];

beforeEach(async () => {
  test = await testDatabase();
  database = test.database;
  store = new EventStore(database, {});
  errors = [];
  await database.query({
    text: `CREATE TABLE applied (nr bigint GENERATED ALWAYS AS IDENTITY, stream_id text, version int, event_id text)`,
  });
});

afterEach(async () => {
  for (const runner of runners.splice(0)) await runner.stop();
  await test.close();
});

const seed = Number(process.env['PARLEY_SEED'] ?? Math.floor(Math.random() * 2 ** 31));
const context = systemContext(newId('org'));

/** Writes down every event it is given, in the order in which it is given them. */
const journal: Projection = {
  name: 'journal',
  version: 1,
  tables: ['applied'],
  async apply(tx, events) {
    await tx.query({
      text: `INSERT INTO applied (stream_id, version, event_id)
             SELECT stream_id, version, event_id
               FROM jsonb_to_recordset($1) AS e(stream_id text, version int, event_id text)`,
      values: [JSON.stringify(events)],
    });
  },
};

function runnerOf(projection: Projection): ProjectionRunner {
  const runner = new ProjectionRunner(database, [projection], {}, (error) => errors.push(error));
  runners.push(runner);
  return runner;
}

function start(projection: Projection): void {
  const runner = runnerOf(projection);
  store.onCommit(() => runner.wake());
  runner.start();
}

interface Applied {
  stream_id: string;
  version: number;
  event_id: string;
}

const applied = () =>
  database.query<Applied>({ text: 'SELECT stream_id, version, event_id FROM applied ORDER BY nr' });
const stored = () =>
  database.query<Applied>({
    text: 'SELECT stream_id, version, event_id FROM es_event ORDER BY stream_id, version',
  });
const counts = async (table: string) =>
  Number((await database.query<{ count: string }>({ text: `SELECT count(*) FROM ${table}` }))[0]!.count);
const checkpoints = () =>
  database.query({ text: 'SELECT projection, version, tx::text AS tx, position FROM es_checkpoint' });

/** Stable, so that it keeps the order within each stream. */
const byStream = (events: Applied[]) =>
  [...events].sort((one, other) =>
    one.stream_id < other.stream_id ? -1 : one.stream_id > other.stream_id ? 1 : 0,
  );

it('applies each event once and in the order of its stream, in two processes at once', async () => {
  const ids = await seedContacts(store, context, 500, 3);
  start(journal);
  start(journal);
  await underLoad(store, context, ids, seed, () => until(async () => (await counts('applied')) > 2_500));
  await until(async () => (await counts('applied')) >= (await counts('es_event')));
  expect(byStream(await applied())).toEqual(await stored());
  expect(errors).toEqual([]);
});

it('leaves the checkpoint and the rows where they were when apply throws, and tries again', async () => {
  await seedContacts(store, context, 3, 2);
  let failures = 2;
  const failing: Projection = {
    ...journal,
    async apply(tx, events) {
      await journal.apply(tx, events);
      if (failures > 0) throw new Error(`failed with ${failures--} left`);
    },
  };
  const runner = runnerOf(failing);
  await untilAllIsReadable(database);
  await expect(runner.catchUp()).rejects.toThrow('failed with 2 left');
  expect([await applied(), await checkpoints()]).toEqual([[], []]);

  runner.start();
  await until(async () => (await counts('applied')) > 0);
  expect(errors.map(String)).toEqual(['Error: failed with 1 left']);
  expect(byStream(await applied())).toEqual(await stored());
});

it('keeps the checkpoint of the last batch that went through', async () => {
  await seedContacts(store, context, 300, 2);
  let batches = 0;
  const failing: Projection = {
    ...journal,
    async apply(tx, events) {
      if (++batches === 2) throw new Error('second batch');
      await journal.apply(tx, events);
    },
  };
  const runner = runnerOf(failing);
  await untilAllIsReadable(database);
  await expect(runner.catchUp()).rejects.toThrow('second batch');
  const first = await counts('applied');
  expect(first).toBeGreaterThan(0);
  const [last] = await database.query({
    text: 'SELECT tx::text AS tx, position FROM es_event ORDER BY es_event.tx, position OFFSET $1 LIMIT 1',
    values: [first - 1],
  });
  expect(await checkpoints()).toEqual([{ projection: 'journal', version: 1, ...last }]);
  await runner.catchUp();
  expect(byStream(await applied())).toEqual(await stored());
});

it('goes on with one projection while another fails', async () => {
  await seedContacts(store, context, 3, 2);
  const broken: Projection = {
    ...journal,
    name: 'broken',
    apply: () => Promise.reject(new Error('broken')),
  };
  const runner = new ProjectionRunner(database, [broken, journal], {}, (error, name) =>
    errors.push([name, error]),
  );
  runners.push(runner);
  await untilAllIsReadable(database);
  runner.start();
  await until(async () => (await counts('applied')) === 6);
  await until(() => errors.length > 1);
  expect(errors[0]).toEqual(['broken', new Error('broken')]);
  expect((await checkpoints()).map(({ projection }) => projection)).toEqual(['journal']);
});

describe('lets events gather, however many commits wake it', () => {
  /** How often a runner of the projection read the feed while 200 commits woke it, and how often it might have at most. */
  async function readsOf(projection: Projection): Promise<{ reads: number; most: number }> {
    let reads = 0;
    const counting = new Proxy(database, {
      get(target, property) {
        if (property === 'transaction') reads++;
        const value: unknown = Reflect.get(target, property);
        return typeof value === 'function' ? (value.bind(target) as unknown) : value;
      },
    });
    const runner = new ProjectionRunner(counting, [projection], {}, (error) => errors.push(error));
    runners.push(runner);
    store.onCommit(() => runner.wake());
    runner.start();
    const began = performance.now();
    const [id] = await seedContacts(store, context, 1, 1);
    for (let nr = 0; nr < 200; nr++)
      await store.change(context, contacts, id!, ({ state }) => [renamed(state!, `name ${nr}`)]);
    // At most one in each of its shortest pauses.
    return { reads, most: 2 + (performance.now() - began) / 50 };
  }

  // Tests beside it hold the feed back now and then: then it finds nothing that it may read, and must not look more often.
  it('where none is of its own', async () => {
    const { reads, most } = await readsOf({ ...journal, streamTypes: ['sale'] });
    expect(reads).toBeGreaterThan(0);
    expect(reads).toBeLessThan(most);
    expect(errors).toEqual([]);
  });

  it('where they cannot be applied', async () => {
    const { reads, most } = await readsOf({ ...journal, apply: () => Promise.reject(new Error('broken')) });
    expect(reads).toBeLessThan(most);
    // Perhaps only now, where somebody held the feed back meanwhile.
    await until(() => errors.length > 0);
  });
});

it('leaves tables alone that a newer release has rebuilt', async () => {
  await seedContacts(store, context, 3, 2);
  await untilAllIsReadable(database);
  await runnerOf({ ...journal, version: 2 }).catchUp();
  expect(await counts('applied')).toBe(6);
  await seedContacts(store, context, 3, 2);
  await untilAllIsReadable(database);
  await runnerOf(journal).catchUp();
  expect(await counts('applied')).toBe(6);
  expect(await checkpoints()).toMatchObject([{ version: 2 }]);
});

it('locks and writes nothing while there is nothing to do', async () => {
  // Who holds the row or writes it leaves a transaction id there.
  const traces = () =>
    database.query({ text: 'SELECT xmin::text, xmax::text, ctid::text FROM es_checkpoint' });
  const runner = runnerOf(journal);
  await untilAllIsReadable(database);
  let before: unknown;
  // Other tests write on the same server, which it has to wait for.
  await until(async () => {
    before = await traces();
    await runner.catchUp();
    return (await counts('es_checkpoint')) > 0 && isDeepStrictEqual(await traces(), before);
  });
  for (let round = 0; round < 5; round++) await runner.catchUp();
  expect(await traces()).toEqual(before);
});

it('finds what was drawn before it had read all and committed afterwards', async () => {
  await seedContacts(store, context, 1, 1);
  await untilAllIsReadable(database);
  const runner = runnerOf(journal);
  await database.transaction(async (tx) => {
    const id = newContactId();
    await store.appendIn(tx, context, [appendTo(contacts, id, NEW, [contactCreated(id)])]);
    for (let round = 0; round < 3; round++) await runner.catchUp();
    expect(await counts('applied')).toBe(1);
  });
  await untilAllIsReadable(database);
  await runner.catchUp();
  expect(byStream(await applied())).toEqual(await stored());
});

it('reads again what another process has put its checkpoint before', async () => {
  await seedContacts(store, context, 2, 1);
  await untilAllIsReadable(database);
  const runner = runnerOf(journal);
  for (let round = 0; round < 3; round++) await runner.catchUp();
  await database.query({ text: `UPDATE es_checkpoint SET tx = '0', position = 0` });
  await database.query({ text: 'DELETE FROM applied' });
  await runner.catchUp();
  expect(byStream(await applied())).toEqual(await stored());
});

it('upcasts what it applies', async () => {
  await seedContacts(store, context, 1, 1);
  const seen: unknown[] = [];
  const upcasters = { ContactCreated: [(data: object) => ({ ...data, name: 'upcast' })] };
  const noting: Projection = {
    ...journal,
    apply: async (_, events) => void seen.push(...events.map(({ data }) => (data as { name: string }).name)),
  };
  const runner = new ProjectionRunner(database, [noting], upcasters, () => {});
  await untilAllIsReadable(database);
  await runner.catchUp();
  expect(seen).toEqual(['upcast']);
});

it('gives a projection that looks at nothing else the heads of events, as they are stored', async () => {
  await seedContacts(store, context, 2, 2);
  const seen: object[] = [];
  const noting: Projection = {
    ...journal,
    headsOnly: true,
    apply: async (_, events) => void seen.push(...events),
  };
  const upcasters = { ContactCreated: [() => ({ name: 'upcast' })] };
  const runner = new ProjectionRunner(database, [noting], upcasters, () => {});
  await untilAllIsReadable(database);
  await runner.catchUp();
  const stored = await readFeed(database, BEGINNING, 10);
  expect(seen).toEqual(stored.map(({ data: _data, meta: _meta, ...head }) => head));
  expect(seen).toHaveLength(4);
});
