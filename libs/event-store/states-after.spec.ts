import { type StoredEvent, systemContext } from '#kernel/context.js';
import { newId } from '#kernel/id.js';
import type { Reader } from '#database/statements/statement.js';
import type { Contact } from '../../src/crm/contact.js';
import { contacts } from '../../src/crm/crm.projection.js';
import { contactCreated, newContactId, renamed } from '../../test/support/data/contacts.js';
import { testDatabase, type TestDatabase } from '../../test/support/database/postgres.js';
import { EventStore } from './event-store.js';
import { readStreams } from './read-streams.js';
import { statesAfter } from './states-after.js';

let test: TestDatabase;
let store: EventStore;

beforeAll(async () => {
  test = await testDatabase();
  store = new EventStore(test.database, {});
});

afterAll(() => test.close());

const context = systemContext(newId('org'));
const { organizationId } = context;

/** A contact that was renamed to each of these, one after the other. */
async function contactNamed(...names: string[]): Promise<string> {
  const id = newContactId();
  await store.change(context, contacts, id, () => [contactCreated(id)]);
  for (const name of names)
    await store.change(context, contacts, id, ({ state }) => [renamed(state as Contact, name)]);
  return id;
}

/** The states after the first `versions` events of each of these contacts, and the texts of what was asked for them. */
async function after(told: { id: string; versions: number }[]) {
  const ids = told.map(({ id }) => id);
  const streams = await readStreams(test.database, organizationId, ids, {});
  const latest = told.map(({ id, versions }): [string, StoredEvent[]] => {
    const stream = streams.find(([first]) => first!.stream_id === id)!;
    return [id, [stream[versions - 1]!]];
  });
  const asked: string[] = [];
  const query: Reader['query'] = (statement) => {
    asked.push(statement.text);
    return test.database.query(statement);
  };
  const states = await statesAfter({ query }, contacts, organizationId, latest, {});
  return { names: ids.map((id) => states.get(id)?.name), asked };
}

describe('the state that an event leaves', () => {
  it('is read from the row where nothing has happened since, however long the stream is', async () => {
    const id = await contactNamed('Bea', 'Cleo', 'Dora');
    const { names, asked } = await after([{ id, versions: 4 }]);
    expect(names).toEqual(['Dora']);
    expect(asked.filter((text) => text.includes('es_event'))).toEqual([]);
  });

  it('is folded from the events where more has happened since', async () => {
    const [changed, same] = [await contactNamed('Bea', 'Cleo', 'Dora'), await contactNamed('Eve')];
    const { names } = await after([
      { id: changed, versions: 2 },
      { id: same, versions: 2 },
    ]);
    expect(names).toEqual(['Bea', 'Eve']);
  });

  it('is none where the record is no more, and the one before where it was still there', async () => {
    const id = await contactNamed('Bea');
    await store.change(context, contacts, id, () => [{ type: 'ContactDeleted', data: {} }]);
    expect((await after([{ id, versions: 2 }])).names).toEqual(['Bea']);
    expect((await after([{ id, versions: 3 }])).names).toEqual([undefined]);
  });
});
