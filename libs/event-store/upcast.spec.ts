import { systemContext } from '#kernel/context.js';
import { newId } from '#kernel/id.js';
import { eventsOf } from '../../test/support/database/events.js';
import { testDatabase, type TestDatabase } from '../../test/support/database/postgres.js';
import type { Aggregate } from './aggregate.js';
import { appendTo, NEW } from './append.js';
import { EventStore } from './event-store.js';
import { rowsProjection } from './projection.js';
import { rebuild } from './rebuild.js';
import type { Upcasters } from './upcast.js';

let test: TestDatabase;

beforeAll(async () => {
  test = await testDatabase();
  await test.database.query({
    text: `CREATE TABLE person (organization_id text, person_id text, first text, last text, stream_version int,
                                PRIMARY KEY (organization_id, person_id))`,
  });
});

afterAll(() => test.close());

interface Person {
  person_id: string;
  first: string;
  last: string;
}

/** Today's shape; version 1 was `{ person_id, name }`, version 2 `{ person_id, full_name }`. */
const people: Aggregate<Person, { type: 'PersonNamed'; data: Person }> = {
  streamType: 'person',
  evolve: (_, event) => event.data,
  row: { table: 'person', key: 'person_id', columns: ['person_id', 'first', 'last'] },
};

const upcasters: Upcasters = {
  PersonNamed: [
    (data) => {
      const { name, ...rest } = data as { name: string };
      return { ...rest, full_name: name };
    },
    (data) => {
      const { full_name, ...rest } = data as { full_name: string };
      const [first, last] = full_name.split(' ');
      return { ...rest, first, last };
    },
  ],
};

const context = systemContext(newId('org'));
const { organizationId } = context;

/** Writes an event as an earlier release did. */
async function storedBefore(past: Upcasters, data: { person_id: string }): Promise<string> {
  const name = { type: 'PersonNamed' as const, data: data as unknown as Person };
  const release = new EventStore(test.database, past);
  await release.append(context, [appendTo({ ...people, evolve: () => null }, data.person_id, NEW, [name])]);
  return data.person_id;
}

const storedData = () =>
  test.database.query({
    text: `SELECT schema_version, data FROM es_event WHERE type = 'PersonNamed' ORDER BY position`,
  });

it('reads events of every earlier version in the shape of today, and leaves what is stored as it was', async () => {
  const store = new EventStore(test.database, upcasters);
  const [first, second, third] = [newId('contact'), newId('contact'), newId('contact')];
  await storedBefore({}, { person_id: first, ...{ name: 'Ada Lovelace' } });
  await storedBefore(
    { PersonNamed: upcasters['PersonNamed']!.slice(0, 1) },
    { person_id: second, ...{ full_name: 'Alan Turing' } },
  );
  const named = { type: 'PersonNamed' as const, data: { person_id: third, first: 'Grace', last: 'Hopper' } };
  await store.append(context, [appendTo(people, third, NEW, [named])]);
  const before = await storedData();
  expect(before).toEqual([
    { schema_version: 1, data: { person_id: first, name: 'Ada Lovelace' } },
    { schema_version: 2, data: { person_id: second, full_name: 'Alan Turing' } },
    { schema_version: 3, data: named.data },
  ]);

  const read = await Promise.all(
    [first, second, third].map(
      async (id) => (await eventsOf(test.database, organizationId, id, upcasters))[0]!,
    ),
  );
  expect(read.map(({ schema_version, data }) => ({ schema_version, data }))).toEqual([
    { schema_version: 3, data: { person_id: first, first: 'Ada', last: 'Lovelace' } },
    { schema_version: 3, data: { person_id: second, first: 'Alan', last: 'Turing' } },
    { schema_version: 3, data: named.data },
  ]);

  await rebuild({ database: test.database, projection: rowsProjection(people), kind: 'inline', upcasters });
  const rows = await test.database.query({
    text: 'SELECT person_id, first, last FROM person ORDER BY first',
  });
  expect(rows).toEqual(read.map(({ data }) => data));
  expect(await storedData()).toEqual(before);
});

it('leaves an event alone that is of a later version than this release knows', async () => {
  const id = newId('contact');
  const data = { person_id: id, first: 'Edsger', last: 'Dijkstra' };
  const store = new EventStore(test.database, upcasters);
  await store.append(context, [appendTo(people, id, NEW, [{ type: 'PersonNamed', data }])]);
  const [event] = await eventsOf(test.database, organizationId, id);
  expect(event).toMatchObject({ schema_version: 3, data });
});
