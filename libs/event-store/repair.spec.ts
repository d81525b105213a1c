import { systemContext } from '#kernel/context.js';
import { newId } from '#kernel/id.js';
import type { Database } from '#database/database.js';
import { seedContacts } from '../../test/support/data/contact-load.js';
import { testDatabase, type TestDatabase } from '../../test/support/database/postgres.js';
import { until, untilAllIsReadable } from '../../test/support/until.js';
import { EventStore } from './event-store.js';
import type { Projection } from './projection.js';
import { ProjectionRunner } from './projection-runner.js';
import { repairPositions, requireOwnEvents } from './repair.js';
import { verify } from './verify.js';

/** A read model that cannot take an event twice, and a reader of the feed whose table is none. */
const model: Projection = {
  name: 'model',
  version: 1,
  tables: ['model'],
  async apply(tx, events) {
    await tx.query({
      text: `INSERT INTO model SELECT * FROM jsonb_to_recordset($1) AS e(event_id text, type text)`,
      values: [JSON.stringify(events)],
    });
  },
};
let heard: string[] = [];
const reader: Projection = {
  name: 'reader',
  version: 1,
  tables: [],
  apply: (_, events) => {
    heard.push(...events.map(({ event_id }) => event_id));
    return Promise.resolve();
  },
};

let test: TestDatabase;
let database: Database;
let runner: ProjectionRunner;
beforeEach(async () => {
  test = await testDatabase();
  database = test.database;
  await database.query({ text: 'CREATE TABLE model (event_id text PRIMARY KEY, type text)' });
  await seedContacts(new EventStore(database, {}), systemContext(newId('org')), 20, 3);
  heard = [];
  runner = new ProjectionRunner(database, [model, reader], {}, () => {});
  await untilAllIsReadable(database);
  await runner.catchUp();
});
afterEach(() => test.close());

const inOrder = async (): Promise<string[]> =>
  (
    await database.query<{ event_id: string }>({
      text: 'SELECT event_id FROM es_event ORDER BY es_event.tx, position',
    })
  ).map(({ event_id }) => event_id);

/** As a dump of a cluster that has been through more. */
const restoredFromElsewhere = () =>
  database.query({ text: `UPDATE es_event SET tx = (tx::text::bigint + 1000000)::text::xid8` });

describe('events of another cluster', () => {
  it('are refused until they are repaired, and keep their order', async () => {
    await restoredFromElsewhere();
    const before = await inOrder();
    await expect(requireOwnEvents(database)).rejects.toThrow('repair-positions');
    expect(await repairPositions(database, [model.name])).toBe(60);
    await requireOwnEvents(database);
    expect(await inOrder()).toEqual(before);
  });

  it('are read anew by everybody, and read models begin anew even if nobody rebuilds them', async () => {
    await restoredFromElsewhere();
    await repairPositions(database, [model.name]);
    runner.start();
    await until(() => heard.length === 120);
    await runner.stop();
    expect(await verify({ database, projection: model, kind: 'async', upcasters: {} })).toEqual([]);
    const [row] = await database.query<{ count: string }>({ text: 'SELECT count(*) FROM model' });
    expect(row!.count).toBe('60');
  });
});

it('events of this cluster stay as they are', async () => {
  const rows = () => database.query({ text: 'SELECT * FROM es_event ORDER BY event_id' });
  const before = await rows();
  expect(await repairPositions(database, [model.name])).toBe(0);
  expect(await rows()).toEqual(before);
  await runner.catchUp();
  expect(heard).toHaveLength(60);
});
