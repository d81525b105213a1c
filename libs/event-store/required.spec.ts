import { systemContext } from '#kernel/context.js';
import { newId } from '#kernel/id.js';
import type { Database } from '#database/database.js';
import { contacts } from '../../src/crm/crm.projection.js';
import { contactCreated, newContactId, renamed } from '../../test/support/data/contacts.js';
import { testDatabase, type TestDatabase } from '../../test/support/database/postgres.js';
import { type Append, appendTo, NEW } from './append.js';
import { EventStore } from './event-store.js';
import { required } from './required.js';

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

const needed = (id: string) => required('contact', id, () => new Error(`there is no ${id}`));

const createWith = (id: string, ...requires: string[]): Append =>
  appendTo(contacts, id, NEW, [contactCreated(id)], requires.map(needed));

async function existingContact(within = context): Promise<string> {
  const id = newContactId();
  await store.append(within, [createWith(id)]);
  return id;
}

const written = async () => {
  const [counts] = await database.query({
    text: `SELECT (SELECT count(*) FROM es_event) AS events, (SELECT count(*) FROM contact) AS rows,
                  (SELECT last_value FROM es_position) AS position`,
  });
  return counts;
};

const versionOf = async (id: string) => (await store.load(database, organizationId, contacts, id)).version;

describe('a record that an append requires', () => {
  it('lets it through where it is there, however often it is named', async () => {
    const [one, two, id] = [await existingContact(), await existingContact(), newContactId()];
    await store.append(context, [createWith(id, one, two, one)]);
    expect(await versionOf(id)).toBe(1);
  });

  it('ends it where it is not, with what is to be thrown for the first missing one, and nothing is written', async () => {
    const [there, missing, last] = [await existingContact(), newContactId(), newContactId()];
    const before = await written();
    const append = store.append(context, [
      createWith(newContactId()),
      createWith(newContactId(), there, missing, last),
    ]);
    await expect(append).rejects.toThrow(`there is no ${missing}`);
    expect(await written()).toEqual(before);
  });

  it('is not there in another organization', async () => {
    const foreign = await existingContact(systemContext(newId('org')));
    await expect(store.append(context, [createWith(newContactId(), foreign)])).rejects.toThrow(
      `there is no ${foreign}`,
    );
  });

  it.each(['rubbish', '', newId('company')])(
    'is not there by %j in place of the id of a contact',
    async (id) => {
      await expect(store.append(context, [createWith(newContactId(), id)])).rejects.toThrow(
        `there is no ${id}`,
      );
    },
  );

  it('is not there by the id of a record of another kind', async () => {
    const other = await existingContact();
    const asCompany = required('company', other, () => new Error(`there is no company ${other}`));
    const append = appendTo(contacts, newContactId(), NEW, [contactCreated(newContactId())], [asCompany]);
    await expect(store.append(context, [append])).rejects.toThrow(`there is no company ${other}`);
  });

  it('takes nothing from others whose appends share the transaction', async () => {
    const missing = newContactId();
    const ids = Array.from({ length: 20 }, newContactId);
    const first = store.append(context, [createWith(newContactId())]);
    const others = ids.map((id) => store.append(context, [createWith(id)]));
    const refused = ids.map(() => store.append(context, [createWith(newContactId(), missing)]));
    const outcomes = await Promise.allSettled(refused);
    for (const outcome of outcomes)
      expect(outcome).toMatchObject({ status: 'rejected', reason: new Error(`there is no ${missing}`) });
    await Promise.all([first, ...others]);
    expect(await Promise.all(ids.map(versionOf))).toEqual(ids.map(() => 1));
  });

  it.each(['at once', 'in a unit of work'])('is looked for by a change, %s', async (how) => {
    const [id, there, missing] = [await existingContact(), await existingContact(), newContactId()];
    const rename = (requiredId: string) => {
      const change = () =>
        store.change(context, contacts, id, ({ state }) => [renamed(state!, 'Bob')], [needed(requiredId)]);
      return how === 'at once' ? change() : database.unitOfWork(change);
    };
    await expect(rename(missing)).rejects.toThrow(`there is no ${missing}`);
    expect(await versionOf(id)).toBe(1);
    await rename(there);
    expect(await versionOf(id)).toBe(2);
  });

  it('is looked for by a change that has lost its first race', async () => {
    const [id, missing] = [await existingContact(), newContactId()];
    let rival: Promise<unknown> | undefined;
    const change = store.change(
      context,
      contacts,
      id,
      (current) => {
        rival ??= store.append(context, [appendTo(contacts, id, current, [renamed(current.state!, 'Eve')])]);
        return [renamed(current.state!, 'Bob')];
      },
      [needed(missing)],
    );
    await expect(change).rejects.toThrow(`there is no ${missing}`);
    await rival;
    expect((await store.load(database, organizationId, contacts, id)).state).toMatchObject({ name: 'Eve' });
  });
});
