import { systemContext } from '#kernel/context.js';
import { newId } from '#kernel/id.js';
import { now, plusSeconds } from '#kernel/instant.js';
import type { Database } from '#database/database.js';
import type { Statement } from '#database/statements/statement.js';
import { seedContacts } from '../../test/support/data/contact-load.js';
import { testDatabase, type TestDatabase } from '../../test/support/database/postgres.js';
import { until, untilAllIsReadable } from '../../test/support/until.js';
import { EventStore } from './event-store.js';
import { BEGINNING, readFeed } from './feed.js';
import { caughtUpTo, untilReadable } from './progress.js';
import type { Projection } from './projection.js';
import { ProjectionRunner } from './projection-runner.js';

let test: TestDatabase;
let database: Database;
let store: EventStore;

beforeEach(async () => {
  test = await testDatabase();
  database = test.database;
  store = new EventStore(database, {});
});

afterEach(() => test.close());

const context = systemContext(newId('org'));
const { organizationId } = context;
const model: Projection = { name: 'model', version: 1, tables: [], apply: async () => {} };
const ofSales: Projection = { ...model, name: 'of_sales', streamTypes: ['sale'] };

async function catchUp(): Promise<void> {
  await untilAllIsReadable(database);
  await new ProjectionRunner(database, [model], {}, () => {}).catchUp();
}

const occurred = async (): Promise<string[]> => {
  const rows = await database.query<{ occurred_at: string }>({
    text: 'SELECT occurred_at FROM es_event ORDER BY es_event.tx, position',
  });
  return rows.map(({ occurred_at }) => occurred_at);
};

it('has caught up to the moment of asking when every event was read', async () => {
  const asked = now();
  expect(await caughtUpTo(database, model, organizationId, asked)).toBe(asked);
  await seedContacts(store, context, 3, 2);
  await catchUp();
  expect(await caughtUpTo(database, model, organizationId, asked)).toBe(asked);
});

it('does not wait for events of streams that it is not made from', async () => {
  await seedContacts(store, context, 3, 2);
  const asked = now();
  expect(await caughtUpTo(database, ofSales, organizationId, asked)).toBe(asked);
});

it('does not wait for events of other organizations', async () => {
  await seedContacts(store, systemContext(newId('org')), 3, 2);
  const asked = now();
  expect(await caughtUpTo(database, model, organizationId, asked)).toBe(asked);
});

it('has caught up to what happened before the earliest unread event, which is written a little later', async () => {
  await seedContacts(store, context, 3, 2);
  await catchUp();
  const read = (await occurred()).length;
  await seedContacts(store, context, 3, 2);
  const unread = (await occurred()).slice(read).toSorted()[0]!;
  expect(await caughtUpTo(database, model, organizationId, now())).toBe(plusSeconds(unread, -0.1));
});

it('never claims an unread event, nor anything after it', async () => {
  await seedContacts(store, context, 3, 2);
  await catchUp();
  await seedContacts(store, context, 1, 1);
  const early = '2020-01-01T00:00:00.100000Z';
  await database.query({
    text: `UPDATE es_event SET occurred_at = $1 WHERE position = (SELECT max(position) FROM es_event)`,
    values: [early],
  });
  expect(await caughtUpTo(database, model, organizationId, now())).toBe('2020-01-01T00:00:00.000000Z');
});

describe('waiting for the feed', () => {
  const readable = async () => (await readFeed(database, BEGINNING, 100)).length;

  it('ends when the transactions before the last event have ended', async () => {
    let over: Promise<boolean> | undefined;
    await database.transaction(async (tx) => {
      await tx.query({ text: 'SELECT pg_current_xact_id()' });
      await seedContacts(store, context, 3, 2);
      expect(await readable()).toBe(0);
      let looks = 0;
      const query = <Row>(statement: Statement) => database.query<Row>(statement).finally(() => void looks++);
      over = untilReadable({ query }, context.organizationId, BEGINNING);
      await until(() => looks > 0);
    });
    expect(await over).toBe(true);
    // Those of other databases count, too.
    await untilAllIsReadable(database);
    expect(await readable()).toBe(6);
    const [last] = (await readFeed(database, BEGINNING, 100)).slice(-1);
    expect(await untilReadable(database, context.organizationId, last!)).toBe(false);
  });

  it('tells of what was not to be read yet when it was read, though it is now', async () => {
    await database.transaction(async (tx) => {
      await tx.query({ text: 'SELECT pg_current_xact_id()' });
      await seedContacts(store, context, 3, 2);
      expect(await readable()).toBe(0);
    });
    expect(await untilReadable(database, context.organizationId, BEGINNING)).toBe(true);
  });

  it('ends while they go on, in the end', () =>
    database.transaction(async (tx) => {
      await tx.query({ text: 'SELECT pg_current_xact_id()' });
      await seedContacts(store, context, 3, 2);
      expect(await untilReadable(database, context.organizationId, BEGINNING)).toBe(true);
      expect(await readable()).toBe(0);
    }));
});
