import { isDeepStrictEqual } from 'node:util';
import { systemContext } from '#kernel/context.js';
import { newId } from '#kernel/id.js';
import type { Database } from '#database/database.js';
import { contacts } from '../../src/crm/crm.projection.js';
import type { Contact, ContactEvent } from '../../src/crm/contact.js';
import { conversations } from '../../src/conversations/conversations.projection.js';
import { seedContacts, underLoad } from '../../test/support/data/contact-load.js';
import { renamed } from '../../test/support/data/contacts.js';
import { eventsOf } from '../../test/support/database/events.js';
import { waitingFor } from '../../test/support/database/locks.js';
import { testDatabase, type TestDatabase } from '../../test/support/database/postgres.js';
import { until, untilAllIsReadable } from '../../test/support/until.js';
import { fold } from './aggregate.js';
import { appendTo } from './append.js';
import { EventStore } from './event-store.js';
import { ProjectionRunner } from './projection-runner.js';
import { type Projection, rowsProjection } from './projection.js';
import { AlreadyRebuilding, rebuild, rebuildLock } from './rebuild.js';

let test: TestDatabase;
let database: Database;
let store: EventStore;

beforeEach(async () => {
  test = await testDatabase();
  database = test.database;
  store = new EventStore(database, {});
});

afterEach(() => test.close());

const seed = Number(process.env['PARLEY_SEED'] ?? Math.floor(Math.random() * 2 ** 31));
const context = systemContext(newId('org'));
const { organizationId } = context;
const projection = rowsProjection(contacts);
const inline = () => ({ database, projection, kind: 'inline' as const, upcasters: {} });

const rows = () => database.query({ text: 'SELECT * FROM contact ORDER BY organization_id, contact_id' });
const indexes = () =>
  database.query({
    text: `SELECT tablename, indexname, indexdef FROM pg_indexes WHERE schemaname = 'public' ORDER BY 2`,
  });
const shadows = () =>
  database.query({ text: `SELECT nspname FROM pg_namespace WHERE nspname LIKE 'rebuild%'` });

/** Every contact as its events alone give it, folded here and not by the projection. */
async function folded() {
  const streams = await database.query<{ stream_id: string; version: number }>({
    text: `SELECT stream_id, max(version) AS version FROM es_event WHERE organization_id = $1
            GROUP BY stream_id ORDER BY stream_id`,
    values: [organizationId],
  });
  const found: object[] = [];
  // One after the other: a thousand that wait for a connection would not all get one in time.
  for (const { stream_id, version } of streams)
    found.push({
      organization_id: organizationId,
      ...fold<Contact, ContactEvent>(contacts, await eventsOf(database, organizationId, stream_id)),
      stream_version: version,
    });
  return found;
}

describe('rebuild of rows written with their events', () => {
  it('gives the rows the events say, while writers write and readers read', async () => {
    const ids = await seedContacts(store, context, 1_500, 3);
    const before = await indexes();
    const counts: number[] = [];
    let acknowledged = new Map<string, number>();
    await underLoad(store, context, ids, seed, async (load) => {
      ({ acknowledged } = load);
      await until(() => load.reads() > 0 && acknowledged.size > 0);
      for (let round = 0; round < 4; round++) counts.push(await rebuild(inline()));
    });

    expect(counts[0]).toBeGreaterThan(4_500);
    expect(counts).toEqual([...counts].sort((one, other) => one - other));
    const live = await rows();
    expect(live).toEqual(await folded());
    const versions = new Map(live.map((row) => [row['contact_id'], row['stream_version']]));
    for (const [id, version] of acknowledged) expect(versions.get(id)).toBeGreaterThanOrEqual(version);
    expect(await indexes()).toEqual(before);
    expect(await shadows()).toEqual([]);
  });

  it('repairs rows that were tampered with', async () => {
    const ids = await seedContacts(store, context, 3, 2);
    const before = await rows();
    await database.query({ text: `UPDATE contact SET name = 'x' WHERE contact_id = $1`, values: [ids[0]] });
    await database.query({ text: `DELETE FROM contact WHERE contact_id = $1`, values: [ids[1]] });
    await rebuild(inline());
    expect(await rows()).toEqual(before);
  });

  it('leaves the live tables alone when it is interrupted while it builds, and the next one succeeds', async () => {
    await seedContacts(store, context, 1_500, 2);
    const before = [await rows(), await indexes()];
    await expect(rebuild({ ...inline(), projection: failingAt(2) })).rejects.toThrow('interrupted');
    expect([await rows(), await indexes()]).toEqual(before);
    await rebuild(inline());
    expect([await rows(), await indexes()]).toEqual(before);
    expect(await shadows()).toEqual([]);
  });

  it('leaves the live tables alone when it is interrupted while it swaps, and the next one succeeds', async () => {
    await seedContacts(store, context, 3, 2);
    await untilAllIsReadable(database);
    await holdingWatermark(async () => {
      await seedContacts(store, context, 3, 2);
      const before = [await rows(), await indexes()];
      await expect(rebuild({ ...inline(), projection: failingAt(2) })).rejects.toThrow('interrupted');
      expect([await rows(), await indexes()]).toEqual(before);
      await rebuild(inline());
      expect([await rows(), await indexes()]).toEqual(before);
    });
  });

  it('leaves the live tables alone when its lock is lost, as another may fill the same tables then', async () => {
    await seedContacts(store, context, 1_500, 2);
    const before = [await rows(), await indexes()];
    const apply: Projection['apply'] = async (tx, events) => {
      await database.query({
        text: `SELECT pg_terminate_backend(pid, 5000) FROM pg_locks
                WHERE locktype = 'advisory' AND ((classid::bigint << 32) | objid::bigint) = hashtextextended($1, 0)`,
        values: [rebuildLock(projection)],
      });
      await projection.apply(tx, events);
    };
    await expect(rebuild({ ...inline(), projection: { ...projection, apply } })).rejects.toThrow(
      'contact: the lock of its rebuild is lost',
    );
    expect([await rows(), await indexes()]).toEqual(before);
    await rebuild(inline());
    expect([await rows(), await indexes()]).toEqual(before);
  });

  it('is refused while another of the same projection runs, and disturbs neither it nor the live tables', async () => {
    await seedContacts(store, context, 1_500, 2);
    const before = await rows();
    const others: unknown[] = [];
    const apply: Projection['apply'] = async (tx, events) => {
      others.push(await rebuild(inline()).catch((error: unknown) => error));
      await projection.apply(tx, events);
    };
    expect(await rebuild({ ...inline(), projection: { ...projection, apply } })).toBe(3_000);
    expect(others.length).toBeGreaterThan(1);
    expect(others).toEqual(others.map(() => expect.any(AlreadyRebuilding)));
    expect(await rows()).toEqual(before);
    await rebuild(inline());
    expect(await rows()).toEqual(before);
  });

  it('lets a transaction finish that has read the table and then writes it', async () => {
    const [id] = await seedContacts(store, context, 3, 2);
    let rebuilding: Promise<number> | undefined;
    await store.exclusively(organizationId, [id!], async (tx) => {
      const current = await store.load(tx, organizationId, contacts, id!);
      rebuilding = rebuild(inline());
      await until(swapWaits);
      const event = renamed(current.state!, 'Bob');
      await store.appendIn(tx, context, [appendTo(contacts, id!, current, [event])]);
    });
    await rebuilding;
    expect(await rows()).toEqual(await folded());
    expect((await store.load(database, organizationId, contacts, id!)).state).toMatchObject({ name: 'Bob' });
  });

  it('gives way to a transaction that uses two of its tables in another order', async () => {
    const two = { ...inline(), projection: rowsProjection(conversations) };
    expect(two.projection.tables.slice(0, 2)).toEqual(['conversation', 'message']);
    let rebuilding: Promise<number> | undefined;
    await database.transaction(async (other) => {
      await database.transaction(async (first) => {
        await first.query({ text: 'SELECT FROM conversation' });
        await other.query({ text: 'SELECT FROM message' });
        rebuilding = rebuild(two);
        await until(swapWaits);
        // Queues up behind the swap, and so would be the first to find a deadlock and be ended.
        let served = false;
        void other.query({ text: 'SELECT FROM conversation' }).finally(() => (served = true));
        await until(async () => served || (await isWaiting('AccessShareLock')));
      });
      await other.query({ text: 'SELECT FROM conversation' });
    });
    await rebuilding;
    expect(await shadows()).toEqual([]);
  });
});

/** The projection, whose n-th batch fails. */
function failingAt(batch: number): Projection {
  let batches = 0;
  return {
    ...projection,
    async apply(tx, events) {
      if (++batches === batch) throw new Error('interrupted');
      await projection.apply(tx, events);
    },
  };
}

/** Runs `work` while the feed does not move: what is appended meanwhile is left to the swap. */
const holdingWatermark = (work: () => Promise<void>) =>
  database.transaction(async (tx) => {
    await tx.query({ text: 'SELECT pg_current_xact_id()' });
    await work();
  });

const isWaiting = async (mode: string) => (await waitingFor(mode, database)) > 0;

const swapWaits = () => isWaiting('AccessExclusiveLock');

describe('rebuild of rows made from the feed', () => {
  const runners: ProjectionRunner[] = [];
  const errors: unknown[] = [];

  /** Counts the events of each stream. */
  const counter: Projection = {
    name: 'counter',
    version: 1,
    tables: ['counter'],
    async apply(tx, events) {
      await tx.query({
        name: 'count',
        text: `INSERT INTO counter AS c SELECT id, count(*) FROM unnest($1::text[]) AS id GROUP BY id
               ON CONFLICT (stream_id) DO UPDATE SET events = c.events + excluded.events`,
        values: [events.map((event) => event.stream_id)],
      });
    },
  };
  const async = () => ({ database, projection: counter, kind: 'async' as const, upcasters: {} });

  const counted = () =>
    database.query({ text: `SELECT stream_id, events AS version FROM counter ORDER BY stream_id` });
  const streams = () =>
    database.query({
      text: `SELECT stream_id, max(version) AS version FROM es_event GROUP BY stream_id ORDER BY stream_id`,
    });
  const checkpoint = () => database.query({ text: `SELECT tx, position FROM es_checkpoint` });
  const caughtUp = async () => isDeepStrictEqual(await counted(), await streams());

  beforeEach(() =>
    database.query({
      text: `CREATE TABLE counter (stream_id text COLLATE "C" PRIMARY KEY, events int NOT NULL)`,
    }),
  );

  afterEach(async () => {
    for (const runner of runners.splice(0)) await runner.stop();
    expect(errors.splice(0)).toEqual([]);
  });

  function startRunner(): void {
    const runner = new ProjectionRunner(database, [counter], {}, (error) => errors.push(error));
    store.onCommit(() => runner.wake());
    runner.start();
    runners.push(runner);
  }

  it('counts every event once, while writers write and the runner goes on', async () => {
    const ids = await seedContacts(store, context, 1_500, 3);
    await untilAllIsReadable(database);
    const before = await indexes();
    startRunner();
    startRunner();
    await underLoad(store, context, ids, seed, async () => {
      for (let round = 0; round < 4; round++) expect(await rebuild(async())).toBeGreaterThanOrEqual(4_500);
    });
    await until(caughtUp);
    expect(await indexes()).toEqual(before);
    expect(await shadows()).toEqual([]);
  });

  it('counts no event twice when it is held up between batches and tries again', async () => {
    await seedContacts(store, context, 3, 2);
    await untilAllIsReadable(database);
    let batches = 0;
    const apply: Projection['apply'] = async (tx, events) => {
      batches++;
      // Comes after the end up to which the first turn goes, in more than two batches.
      if (batches === 1) await seedContacts(store, context, 600, 2).then(() => untilAllIsReadable(database));
      if (batches === 3) throw Object.assign(new Error('held up'), { code: '55P03' });
      await counter.apply(tx, events);
    };
    expect(await rebuild({ ...async(), projection: { ...counter, apply } })).toBe(1_206);
    expect(await caughtUp()).toBe(true);
  });

  it('sets the checkpoint of a projection that has never run', async () => {
    await seedContacts(store, context, 3, 2);
    await untilAllIsReadable(database);
    expect(await rebuild(async())).toBe(6);
    expect(await caughtUp()).toBe(true);
    startRunner();
    await seedContacts(store, context, 3, 2);
    await until(caughtUp);
  });

  it('leaves table and checkpoint alone when it is interrupted, and the next one succeeds', async () => {
    await seedContacts(store, context, 1_500, 2);
    startRunner();
    await until(caughtUp);
    // It moves the checkpoint on once nobody beside it writes any more.
    await runners.pop()!.stop();
    const before = [await counted(), await checkpoint()];
    let batches = 0;
    const apply: Projection['apply'] = async (tx, events) => {
      if (++batches === 2) throw new Error('interrupted');
      await counter.apply(tx, events);
    };
    const interrupted = rebuild({ ...async(), projection: { ...counter, apply } });
    await expect(interrupted).rejects.toThrow('interrupted');
    expect([await counted(), await checkpoint()]).toEqual(before);

    await rebuild(async());
    startRunner();
    await seedContacts(store, context, 3, 2);
    await until(caughtUp);
  });

  it('starts over by itself when its version has been raised, and leaves older processes behind', async () => {
    await seedContacts(store, context, 3, 2);
    startRunner();
    await until(caughtUp);
    const twice: Projection = {
      ...counter,
      version: 2,
      apply: async (tx, events) => {
        await counter.apply(tx, events);
        await counter.apply(tx, events);
      },
    };
    const newer = new ProjectionRunner(database, [twice], {}, (error) => errors.push(error));
    runners.push(newer);
    newer.start();
    const doubled = async () =>
      isDeepStrictEqual(
        await counted(),
        (await streams()).map(({ stream_id, version }) => ({ stream_id, version: Number(version) * 2 })),
      );
    await until(doubled);
    await seedContacts(store, context, 3, 2);
    await until(doubled);
  });
});
