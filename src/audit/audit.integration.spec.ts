import { BEGINNING, readFeed } from '#event-store/feed.js';
import { verify } from '#event-store/verify.js';
import {
  type Handlers,
  handlersOn,
  OpenSale,
  say,
  type Universe,
  universeOf,
  UpdateSale,
} from '../../test/support/database/handlers.js';
import { testDatabase, type TestDatabase } from '../../test/support/database/postgres.js';
import { untilAllIsReadable } from '../../test/support/until.js';

let test: TestDatabase;
let handlers: Handlers;
let universe: Universe;

/** Two sales that move, each with a conversation that is talked in. */
beforeAll(async () => {
  test = await testDatabase();
  handlers = handlersOn(test.database);
  universe = await universeOf(handlers);
  const { context, stages, companies, conversations } = universe;
  for (const conversation_id of conversations) {
    const body = { status_id: stages[0]!, company_id: companies[0]!, conversation_ids: [conversation_id] };
    const { sale_id } = await handlers.openSale.execute(new OpenSale(context, body));
    for (const status_id of stages.slice(1)) {
      await handlers.updateSale.execute(new UpdateSale(context, sale_id, { status_id }));
      await say(handlers, context, { conversation_id });
    }
  }
  await untilAllIsReadable(test.database);
});

afterAll(() => test.close());

const records = () => test.database.query({ text: 'SELECT * FROM audit_log ORDER BY audit_log_id' });
const differences = () =>
  verify({ database: test.database, projection: handlers.auditLog, kind: 'inline', upcasters: {} });

it('comes out of all events as it was written with each of them', async () => {
  expect((await records()).length).toBeGreaterThan(15);
  expect(await differences()).toEqual([]);
});

it('comes out of the last events as out of all, wherever they begin', async () => {
  const before = await records();
  const events = await readFeed(test.database, BEGINNING, 1_000);
  for (const first of [1, 5, events.length - 4]) {
    const last = events.slice(first);
    const forgotten = await test.database.query({
      text: 'DELETE FROM audit_log WHERE event_id = ANY ($1) RETURNING 1',
      values: [last.map(({ event_id }) => event_id)],
    });
    expect(forgotten.length).toBeGreaterThan(1);
    await test.database.transaction((tx) => handlers.auditLog.apply(tx, last));
    expect(await records()).toEqual(before);
  }
});

it('is found to differ where a record was changed by hand', async () => {
  await test.database.query({
    text: `UPDATE audit_log SET changes = '[]' WHERE audit_log_id = (SELECT max(audit_log_id) FROM audit_log)`,
  });
  expect((await differences()).map(({ table, only_in }) => [table, only_in])).toEqual([
    ['audit_log', 'live'],
    ['audit_log', 'events'],
  ]);
});
