import { systemContext } from '#kernel/context.js';
import { newId } from '#kernel/id.js';
import type { Database } from '#database/database.js';
import type { Contact } from '../../src/crm/contact.js';
import { contacts } from '../../src/crm/crm.projection.js';
import { contactCreated, newContactId, renamed } from '../../test/support/data/contacts.js';
import { eventsOf } from '../../test/support/database/events.js';
import { waitingFor } from '../../test/support/database/locks.js';
import { testDatabase, type TestDatabase } from '../../test/support/database/postgres.js';
import { randomFrom } from '../../test/support/random.js';
import { until } from '../../test/support/until.js';
import type { Aggregate } from './aggregate.js';
import { appendTo, NEW, planAppends } from './append.js';
import { EventStore } from './event-store.js';
import { VersionConflict } from './refusal.js';

let test: TestDatabase;
let database: Database;
let store: EventStore;

beforeAll(async () => {
  test = await testDatabase();
  database = test.database;
  store = new EventStore(database, {});
});

afterAll(() => test.close());

const context = systemContext(newId('org'));
const { organizationId } = context;

const create = (id: string, expected = NEW as { state: null; version: number }) =>
  appendTo(contacts, id, expected, [contactCreated(id)]);

async function existingContact(): Promise<string> {
  const id = newContactId();
  await store.append(context, [create(id)]);
  return id;
}

/** Everything an append can leave behind. */
const written = async () => {
  const [counts] = await database.query({
    text: `SELECT (SELECT count(*) FROM es_event) AS events,
                  (SELECT count(*) FROM contact) AS rows, (SELECT last_value FROM es_position) AS position,
                  (SELECT is_called FROM es_position) AS is_called`,
  });
  return counts;
};

const versionOf = async (id: string) => (await store.load(database, organizationId, contacts, id)).version;

describe('append on a cluster', () => {
  it('writes the same rows by statements of their own, which select from what is distributed', async () => {
    const writtenFor = async (id: string) => {
      const { statements } = planAppends(
        [{ context, appends: [create(id)] }],
        { upcasters: {}, alongside: () => [], isDistributed: true },
        { wait: true },
      );
      expect(statements.map(({ name }) => name)).toEqual(['es_append', 'upsert_contact_on_node']);
      expect(statements[1]!.text).toMatch(/FROM .*\bes_line\b/);
      await database.transaction((tx) => Promise.all(statements.map((statement) => tx.query(statement))));
      return store.load<Contact>(database, organizationId, contacts, id);
    };
    const known = await store.load<Contact>(database, organizationId, contacts, await existingContact());
    const before = await writtenFor(newContactId());
    await database.query({
      text: 'INSERT INTO es_line VALUES ($1, $2)',
      values: [organizationId, '2020-01-01T00:00:00Z'],
    });
    const after = await writtenFor(newContactId());
    const own = { contact_id: '', created_at: '', updated_at: '' };
    for (const { version, state } of [before, after])
      expect({ version, ...state, ...own }).toEqual({ version: 1, ...known.state, ...own });
  });
});

describe('append', () => {
  it('stores the events in order, the row that follows from them, and who acted', async () => {
    const id = newContactId();
    const actor = { type: 'agent', id: 'agent_1' } as const;
    const [change] = await store.append({ ...context, actor, requestId: 'r1', traceparent: 't1' }, [
      appendTo(contacts, id, NEW, [
        contactCreated(id),
        { type: 'ContactEmploymentChanged', data: { company_id: null, company_role: 'CEO' } },
      ]),
    ]);
    const events = await eventsOf(database, organizationId, id);
    expect(events.map(({ version, type }) => [version, type])).toEqual([
      [1, 'ContactCreated'],
      [2, 'ContactEmploymentChanged'],
    ]);
    expect(events.map(({ event_id }) => event_id)).toEqual(change!.events.map(({ event_id }) => event_id));
    expect(new Set(events.map(({ tx }) => tx)).size).toBe(1);
    expect(BigInt(events[0]!.position)).toBeLessThan(BigInt(events[1]!.position));
    expect(events[0]!.meta).toEqual({
      actor,
      request_id: 'r1',
      traceparent: 't1',
    });
    const { state, version } = await store.load(database, organizationId, contacts, id);
    expect({ state, version }).toEqual({ state: change!.state, version: 2 });
    expect(state).toMatchObject({ name: 'Ann', company_role: 'CEO' });
  });

  it('refuses to run after another write of its transaction', async () => {
    const before = await written();
    const late = database.transaction(async (tx) => {
      await tx.query({ text: 'SELECT pg_current_xact_id()' });
      await store.appendIn(tx, context, [create(newContactId())]);
    });
    await expect(late).rejects.toMatchObject({
      code: 'PE001',
      message: expect.stringContaining('first write'),
    });
    expect(await written()).toEqual(before);
  });

  it('refuses to run twice in one transaction', async () => {
    const before = await written();
    const twice = database.transaction(async (tx) => {
      await store.appendIn(tx, context, [create(newContactId())]);
      await store.appendIn(tx, context, [create(newContactId())]);
    });
    await expect(twice).rejects.toMatchObject({ code: 'PE001' });
    expect(await written()).toMatchObject({ events: before!['events'], rows: before!['rows'] });
  });

  it.each(['REPEATABLE READ', 'SERIALIZABLE'])(
    'refuses %s, whose snapshot may be older than its locks',
    async (level) => {
      const before = await written();
      const append = database.transaction(
        (tx) => store.appendIn(tx, context, [create(newContactId())]),
        `BEGIN ISOLATION LEVEL ${level}`,
      );
      await expect(append).rejects.toMatchObject({ code: 'PE001' });
      expect(await written()).toEqual(before);
    },
  );

  it.each([
    ['a stream that has moved on', 0],
    ['a version the stream has not reached', 2],
  ])('refuses %s and leaves no event, stream, row or position behind', async (_, version) => {
    const id = await existingContact();
    const before = await written();
    await expect(store.append(context, [create(id, { state: null, version })])).rejects.toThrow(
      VersionConflict,
    );
    expect(await written()).toEqual(before);
  });

  it('refuses a version above 0 of a stream that does not exist', async () => {
    const before = await written();
    const append = store.append(context, [create(newContactId(), { state: null, version: 1 })]);
    await expect(append).rejects.toThrow(VersionConflict);
    expect(await written()).toEqual(before);
  });

  it('writes to several streams or, when one has moved on, to none', async () => {
    const [one, two] = [newContactId(), newContactId()];
    const taken = await existingContact();
    const before = await written();
    await expect(store.append(context, [create(one), create(taken), create(two)])).rejects.toThrow(
      VersionConflict,
    );
    expect(await written()).toEqual(before);

    await store.append(context, [create(one), create(two)]);
    expect([await versionOf(one), await versionOf(two)]).toEqual([1, 1]);
    const [first] = await eventsOf(database, organizationId, one);
    const [second] = await eventsOf(database, organizationId, two);
    expect(second!.tx).toBe(first!.tx);
  });

  it('checks the version of a stream it has no events for, and leaves it alone', async () => {
    const [watched, id, later] = [await existingContact(), newContactId(), newContactId()];
    const current = await store.load(database, organizationId, contacts, watched);
    await store.append(context, [appendTo(contacts, watched, current, []), create(id)]);
    expect([await versionOf(watched), await versionOf(id)]).toEqual([1, 1]);
    await store.append(context, [appendTo(contacts, later, NEW, []), create(newContactId())]);
    await store.append(context, [create(later)]);

    const moved = appendTo(contacts, watched, { ...current, version: 7 }, []);
    await expect(store.append(context, [moved, create(newContactId())])).rejects.toThrow(VersionConflict);
  });

  it('keeps streams of two organizations with one id apart', async () => {
    const id = await existingContact();
    const other = systemContext(newId('org'));
    await store.append(other, [create(id)]);
    await store.change(other, contacts, id, ({ state }) => [renamed(state!, 'Bob')]);
    expect((await store.load(database, organizationId, contacts, id)).state).toMatchObject({ name: 'Ann' });
    expect(await eventsOf(database, organizationId, id)).toHaveLength(1);
    expect(await eventsOf(database, other.organizationId, id)).toHaveLength(2);
  });

  it('never deadlocks, in whatever order writers name their streams', async () => {
    const ids = await Promise.all(Array.from({ length: 6 }, existingContact));
    let appended = 0;
    const writer = async (_: unknown, nr: number) => {
      const random = randomFrom(nr);
      for (let round = 0; round < 25; round++) {
        const named = random.sample(ids, random.integer(2, ids.length));
        const states = await Promise.all(
          named.map((id) => store.load(database, organizationId, contacts, id)),
        );
        const appends = named.map((id, index) =>
          appendTo(contacts, id, states[index]!, [renamed(states[index]!.state!, `${nr}.${round}`)]),
        );
        await store.append(context, appends).then(
          () => (appended += named.length),
          (error: unknown) => {
            if (!(error instanceof VersionConflict)) throw error;
          },
        );
      }
    };
    await Promise.all(Array.from({ length: 12 }, writer));
    const versions = await Promise.all(ids.map(versionOf));
    expect(versions.reduce((sum, version) => sum + version - 1, 0)).toBe(appended);
  });

  it('rolls the event back when a statement for the rows fails', async () => {
    const failing: Aggregate = {
      ...(contacts as unknown as Aggregate),
      also: () => [{ text: 'SELECT 1 / 0' }],
    };
    const id = newContactId();
    const append = store.append(context, [appendTo(failing, id, NEW, [contactCreated(id)])]);
    await expect(append).rejects.toMatchObject({ code: '22012' });
    expect(await eventsOf(database, organizationId, id)).toEqual([]);
    expect(await versionOf(id)).toBe(0);
    await store.append(context, [create(id)]);
    expect(await versionOf(id)).toBe(1);
  });

  it('writes what goes alongside in the same transaction, or neither', async () => {
    const alongside = (text: string) => () => [{ text }];
    const ids = [newContactId(), newContactId()];
    await database.query({ text: 'CREATE TABLE beside AS SELECT 0 AS tx WHERE false' });
    const writing = new EventStore(database, {}, alongside('INSERT INTO beside SELECT txid_current()'));
    await writing.append(context, [create(ids[0]!)]);
    const written = await database.query({ text: 'SELECT tx::text AS tx FROM beside' });
    expect(written).toEqual([{ tx: (await eventsOf(database, organizationId, ids[0]!))[0]!.tx }]);
    const failing = new EventStore(database, {}, alongside('SELECT 1 / 0'));
    await expect(failing.append(context, [create(ids[1]!)])).rejects.toMatchObject({ code: '22012' });
    expect(await eventsOf(database, organizationId, ids[1]!)).toEqual([]);
  });

  it('appends to streams of several organizations in one transaction, or to none of them', async () => {
    const other = systemContext(newId('org'));
    const ids = [newContactId(), newContactId()];
    const across = (...appends: ReturnType<typeof create>[]) =>
      database.transaction((tx) =>
        store.appendAcross(tx, [
          { context, appends: [appends[0]!] },
          { context: other, appends: [appends[1]!] },
        ]),
      );
    await across(create(ids[0]!), create(ids[1]!));
    const [one] = await eventsOf(database, organizationId, ids[0]!);
    const [another] = await eventsOf(database, other.organizationId, ids[1]!);
    expect(one!.tx).toBe(another!.tx);
    const loaded = await store.load(database, other.organizationId, contacts, ids[1]!);
    expect(loaded).toMatchObject({ state: { name: 'Ann' }, version: 1 });
    const fresh = newContactId();
    await expect(across(create(fresh), create(ids[1]!))).rejects.toMatchObject({ code: 'PE002' });
    expect(await eventsOf(database, organizationId, fresh)).toEqual([]);
  });

  it('tells its listeners of each commit and of nothing else', async () => {
    const own = new EventStore(database, {});
    let commits = 0;
    own.onCommit(() => commits++);
    const id = newContactId();
    await own.append(context, [create(id)]);
    expect(commits).toBe(1);
    await expect(own.append(context, [create(id)])).rejects.toThrow(VersionConflict);
    expect(commits).toBe(1);
    await own.exclusively(organizationId, [id], async () => {});
    expect(commits).toBe(2);
  });
});

describe('appends at the same time', () => {
  const newIds = (count: number) => Array.from({ length: count }, newContactId);

  it('share transactions with those of their organization, each with its own actor and moment', async () => {
    const ids = newIds(40);
    const organizations = [newId('org'), newId('org')];
    const contexts = ids.map((_, nr) => ({
      ...systemContext(organizations[nr % 2]!),
      requestId: `request ${nr}`,
    }));
    const made = await Promise.all(
      ids.map((id, nr) => store.append(contexts[nr]!, [appendTo(contacts, id, NEW, [contactCreated(id)])])),
    );
    const stored = await Promise.all(
      ids.map(async (id, nr) => (await eventsOf(database, contexts[nr]!.organizationId, id))[0]!),
    );
    const transactions = new Map(stored.map(({ tx, organization_id }) => [tx, organization_id]));
    expect(transactions.size).toBeLessThan(10);
    expect(stored.map(({ tx }) => transactions.get(tx))).toEqual(ids.map((_, nr) => organizations[nr % 2]));
    expect(stored.map(({ meta }) => meta.request_id)).toEqual(contexts.map(({ requestId }) => requestId));
    expect(stored.map(({ event_id, occurred_at }) => [event_id, occurred_at])).toEqual(
      made.map(([change]) => [change!.events[0]!.event_id, change!.events[0]!.occurred_at]),
    );
  });

  it('fail alone: where a stream has moved on, or a statement for its rows fails', async () => {
    const taken = await existingContact();
    const [breaking, ...ids] = newIds(21);
    const failing: Aggregate = {
      ...(contacts as unknown as Aggregate),
      also: () => [{ text: 'SELECT 1 / 0' }],
    };
    const others = ids.map((id) => store.append(context, [create(id)]));
    const conflict = store.append(context, [create(taken)]);
    const failure = store.append(context, [appendTo(failing, breaking!, NEW, [contactCreated(breaking!)])]);
    await expect(conflict).rejects.toThrow(VersionConflict);
    await expect(failure).rejects.toMatchObject({ code: '22012' });
    await Promise.all(others);
    expect(await Promise.all([taken, breaking!, ...ids].map(versionOf))).toEqual([1, 0, ...ids.map(() => 1)]);
  });

  it('do not wait for others whose streams another transaction holds, however many and how they came', async () => {
    const [first, ...ids] = newIds(20);
    const held = [first!, ...ids.splice(0, 5)];
    let release = () => {};
    const holding = new Promise<void>((resolve) => (release = resolve));
    let locked = () => {};
    const isHeld = new Promise<void>((resolve) => (locked = resolve));
    const holder = store.exclusively(organizationId, held, async (tx) => {
      await tx.query({ text: 'SELECT 1' });
      locked();
      await holding;
    });
    await isHeld;
    let appended = 0;
    const waiting: Promise<unknown>[] = [];
    for (const [nr, id] of held.entries()) {
      waiting.push(store.append(context, [create(id)]).then(() => appended++));
      // It does not share a transaction with the next one.
      await until(async () => (await waitingFor('ExclusiveLock', database)) > nr);
      await store.append(context, [create(ids.pop()!)]);
    }
    await Promise.all(ids.map((id) => store.append(context, [create(id)])));
    expect(appended).toBe(0);
    release();
    await Promise.all([holder, ...waiting]);
    expect(await Promise.all(held.map(versionOf))).toEqual(held.map(() => 1));
  });

  it('of one stream are made one after the other, and all but the first have moved on', async () => {
    const id = newContactId();
    const outcomes = await Promise.allSettled(
      Array.from({ length: 10 }, () => store.append(context, [create(id)])),
    );
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    expect(await versionOf(id)).toBe(1);
  });

  it('are there when they were acknowledged and the connection breaks with others under way', async () => {
    const ids = newIds(20);
    const appends = ids.map((id) => store.append(context, [create(id)]));
    const settled = Promise.allSettled(appends);
    const ended = await database.query<{ pid: number }>({
      text: `SELECT pid, pg_terminate_backend(pid) FROM pg_stat_activity
              WHERE datname = current_database() AND pid <> pg_backend_pid()`,
    });
    const outcomes = await settled;
    // The pool's other connections are gone too, each when its process comes to notice, which may show only when it is used.
    const left = () =>
      database.query({
        text: 'SELECT FROM pg_stat_activity WHERE pid = ANY ($1)',
        values: [ended.map(({ pid }) => pid)],
      });
    await until(async () => (await left().catch(() => [null])).length === 0);
    let versions: number[] = [];
    await until(async () => {
      versions = await Promise.all(ids.map(versionOf)).catch(() => []);
      return versions.length > 0;
    });
    outcomes.forEach(({ status }, nr) => {
      if (status === 'fulfilled') expect(versions[nr]).toBe(1);
    });
    await existingContact();
  });
});

describe('change', () => {
  it('applies every one of 50 concurrent changes of one stream', async () => {
    const id = await existingContact();
    const names = Array.from({ length: 50 }, (_, nr) => `name ${nr}`);
    await Promise.all(
      names.map((name) => store.change(context, contacts, id, ({ state }) => [renamed(state!, name)])),
    );
    const [, ...changes] = await eventsOf(database, organizationId, id);
    expect(changes.map(({ data }) => (data as { name: string }).name).sort()).toEqual([...names].sort());
    const { state, version } = await store.load(database, organizationId, contacts, id);
    expect(version).toBe(51);
    expect(state!.name).toBe((changes.at(-1)!.data as { name: string }).name);
  });

  it('decides again on what the other writer has left when it comes second', async () => {
    const id = await existingContact();
    let overtaken = false;
    const decidedOn: (string | undefined)[] = [];
    const overtake = () => store.change(context, contacts, id, ({ state }) => [renamed(state!, 'Bob')]);
    const own = new EventStore(
      new Proxy(database, {
        get(target, property) {
          if (property === 'atomically' && !overtaken)
            return async (...given: Parameters<Database['atomically']>) => {
              overtaken = true;
              await overtake();
              return target.atomically(...given);
            };
          const value: unknown = Reflect.get(target, property);
          return typeof value === 'function' ? (value.bind(target) as unknown) : value;
        },
      }),
      {},
    );
    await own.change(context, contacts, id, ({ state }) => {
      decidedOn.push(state?.name);
      return [renamed(state!, `${state!.name}by`)];
    });
    expect(decidedOn).toEqual(['Ann', 'Bob']);
    expect((await store.load(database, organizationId, contacts, id)).state).toMatchObject({ name: 'Bobby' });
  });

  it('writes nothing when nothing follows from the decision', async () => {
    const id = await existingContact();
    const before = await written();
    expect(await store.change(context, contacts, id, () => [])).toMatchObject({ version: 1 });
    expect(await written()).toEqual(before);
  });
});

describe('exclusively', () => {
  it('lets one in at a time per key', async () => {
    const id = newContactId();
    let inside = 0;
    let most = 0;
    await Promise.all(
      Array.from({ length: 10 }, () =>
        store.exclusively(organizationId, [id], async (tx) => {
          await tx.query({ text: 'SELECT 1' });
          most = Math.max(most, ++inside);
          await tx.query({ text: 'SELECT pg_sleep(0.005)' });
          inside--;
        }),
      ),
    );
    expect(most).toBe(1);
  });

  it('leaves connections to others, however many contend for a lock', async () => {
    const id = newContactId();
    let release = () => {};
    const held = new Promise<void>((resolve) => (release = resolve));
    const inside: number[] = [];
    const contending = Array.from({ length: 2 * database.poolSize }, (_, nr) =>
      store.exclusively(organizationId, [id], async (tx) => {
        await tx.query({ text: 'SELECT 1' });
        // The first of them holds the lock.
        if (inside.push(nr) === 1) await held;
      }),
    );
    await until(() => inside.length === 1);
    expect(await database.query({ text: 'SELECT 1 AS one' })).toEqual([{ one: 1 }]);
    release();
    await Promise.all(contending);
    expect(inside).toHaveLength(contending.length);
  });

  it('throws the error of the lock, not what follows from it', async () => {
    const lockless = new EventStore(database, {});
    lockless.lock = (tx) => {
      void tx.query({ text: `DO $$ BEGIN RAISE 'deadlock' USING ERRCODE = '40P01'; END $$` });
    };
    const work = lockless.exclusively(organizationId, ['x'], (tx) => tx.query({ text: 'SELECT 1' }));
    await expect(work).rejects.toMatchObject({ code: '40P01' });
  });
});
