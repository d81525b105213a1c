import { systemContext } from '#kernel/context.js';
import { newId } from '#kernel/id.js';
import type { Database } from '#database/database.js';
import { contacts } from '../../src/crm/crm.projection.js';
import { seedContacts, underLoad } from '../../test/support/data/contact-load.js';
import { testDatabase, type TestDatabase } from '../../test/support/database/postgres.js';
import { until, untilAllIsReadable } from '../../test/support/until.js';
import { EventStore } from './event-store.js';
import { readWatermark } from './feed.js';
import { type Projection, rowsProjection } from './projection.js';
import { ProjectionRunner } from './projection-runner.js';
import { verify } from './verify.js';
import { withShadow } from './with-shadow.js';

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
const projection = rowsProjection(contacts);
const inline = () => verify({ database, projection, kind: 'inline', upcasters: {} });

const rowOf = async (id: string) =>
  (
    await database.query<{ row: object }>({
      text: 'SELECT to_jsonb(contact) AS row FROM contact WHERE contact_id = $1',
      values: [id],
    })
  )[0]!.row;
const shadows = () =>
  database.query({ text: `SELECT nspname FROM pg_namespace WHERE nspname LIKE 'rebuild%'` });

describe('verify of rows written with their events', () => {
  it('finds nothing in a healthy database, while writers write', async () => {
    const ids = await seedContacts(store, context, 1_000, 3);
    await underLoad(store, context, ids, seed, async () => {
      for (let round = 0; round < 3; round++) expect(await inline()).toEqual([]);
    });
    expect(await inline()).toEqual([]);
    expect(await shadows()).toEqual([]);
  });

  it('finds a row that was changed by hand, and no other', async () => {
    const [id] = await seedContacts(store, context, 20, 2);
    const original = await rowOf(id!);
    await database.query({ text: `UPDATE contact SET name = 'x' WHERE contact_id = $1`, values: [id] });
    expect(await inline()).toEqual([
      { table: 'contact', only_in: 'live', row: { ...original, name: 'x' } },
      { table: 'contact', only_in: 'events', row: original },
    ]);
  });

  it('finds a row that was deleted by hand, and no other', async () => {
    const [id] = await seedContacts(store, context, 20, 2);
    const original = await rowOf(id!);
    await database.query({ text: 'DELETE FROM contact WHERE contact_id = $1', values: [id] });
    expect(await inline()).toEqual([{ table: 'contact', only_in: 'events', row: original }]);
  });

  it('finds a row that was added by hand, and no other', async () => {
    const [id] = await seedContacts(store, context, 20, 2);
    const added = { ...(await rowOf(id!)), contact_id: newId('contact') };
    await database.query({
      text: 'INSERT INTO contact SELECT * FROM jsonb_populate_record(NULL::contact, $1)',
      values: [JSON.stringify(added)],
    });
    expect(await inline()).toEqual([{ table: 'contact', only_in: 'live', row: added }]);
  });

  it('holds no event back while it compares', async () => {
    const ids = await seedContacts(store, context, 200, 2);
    await underLoad(store, context, ids, seed, () =>
      withShadow({ database, projection, kind: 'inline', upcasters: {} }, async () => {
        const [id] = await seedContacts(store, context, 1, 1);
        const [event] = await database.query<{ tx: string }>({
          text: 'SELECT tx::text AS tx FROM es_event WHERE organization_id = $1 AND stream_id = $2',
          values: [context.organizationId, id],
        });
        await until(async () => BigInt(await readWatermark(database)) > BigInt(event!.tx));
      }),
    );
  });

  it('changes nothing', async () => {
    const [id] = await seedContacts(store, context, 20, 2);
    await database.query({ text: `UPDATE contact SET name = 'x' WHERE contact_id = $1`, values: [id] });
    const rows = () => database.query({ text: 'SELECT * FROM contact ORDER BY contact_id' });
    const before = await rows();
    await inline();
    expect(await rows()).toEqual(before);
    expect(await shadows()).toEqual([]);
  });
});

describe('verify of rows made from the feed', () => {
  const journal: Projection = {
    name: 'journal',
    version: 1,
    tables: ['journal'],
    async apply(tx, events) {
      await tx.query({
        text: `INSERT INTO journal SELECT * FROM jsonb_to_recordset($1) AS e(event_id text, type text)`,
        values: [JSON.stringify(events)],
      });
    },
  };
  const async = () => verify({ database, projection: journal, kind: 'async', upcasters: {} });
  const journaled = async () =>
    Number((await database.query<{ count: string }>({ text: 'SELECT count(*) FROM journal' }))[0]!.count);

  beforeEach(() => database.query({ text: 'CREATE TABLE journal (event_id text PRIMARY KEY, type text)' }));

  it('finds nothing while writers write and the runner goes on', async () => {
    const ids = await seedContacts(store, context, 1_000, 3);
    const errors: unknown[] = [];
    const runner = new ProjectionRunner(database, [journal], {}, (error) => errors.push(error));
    runner.start();
    await underLoad(store, context, ids, seed, async () => {
      for (let round = 0; round < 4; round++) {
        const before = await journaled();
        expect(await async()).toEqual([]);
        // While it is verified the runner waits.
        await until(async () => (await journaled()) > before);
      }
    }).finally(() => runner.stop());
    expect(errors).toEqual([]);
  });

  it('does not blame a projection for what it has not read yet', async () => {
    await seedContacts(store, context, 3, 2);
    expect(await async()).toEqual([]);
    const runner = new ProjectionRunner(database, [journal], {}, () => {});
    await untilAllIsReadable(database);
    await runner.catchUp();
    await seedContacts(store, context, 3, 2);
    expect(await async()).toEqual([]);
    expect(await journaled()).toBe(6);

    await database.query({ text: `UPDATE journal SET type = 'x' WHERE type = 'ContactCreated'` });
    const found = await async();
    expect(found.map(({ only_in, row }) => [only_in, row['type']])).toEqual([
      ...Array.from({ length: 3 }, () => ['live', 'x']),
      ...Array.from({ length: 3 }, () => ['events', 'ContactCreated']),
    ]);
  });
});
