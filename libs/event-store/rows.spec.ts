import fc from 'fast-check';
import { systemContext } from '#kernel/context.js';
import { newId } from '#kernel/id.js';
import { now } from '#kernel/instant.js';
import { RuleViolation } from '#kernel/decider.js';
import type { Database } from '#database/database.js';
import { contact, type Contact, type ContactCommand, type ContactEvent } from '../../src/crm/contact.js';
import { contacts } from '../../src/crm/crm.projection.js';
import { newContactId } from '../../test/support/data/contacts.js';
import { eventsOf } from '../../test/support/database/events.js';
import { testDatabase, type TestDatabase } from '../../test/support/database/postgres.js';
import { cases } from '../../test/support/random.js';
import { fold } from './aggregate.js';
import { EventStore } from './event-store.js';
import { rowsProjection } from './projection.js';
import { rebuild } from './rebuild.js';
import { loadRows } from './rows.js';

let test: TestDatabase;
let database: Database;
let store: EventStore;

beforeAll(async () => {
  test = await testDatabase();
  database = test.database;
  store = new EventStore(database, {});
});

afterAll(() => test.close());

// What may pass the door: PostgreSQL knows no U+0000.
const text = fc.string({ unit: 'grapheme', maxLength: 12 }).map((value) => value.replaceAll('\0', ''));
const maybe = <Value>(value: fc.Arbitrary<Value>) => fc.option(value, { nil: null });
const json = fc
  .jsonValue({ stringUnit: 'grapheme' })
  .map((value) => JSON.stringify(value))
  .filter((value) => !value.includes('\\u0000'))
  // What is written and read again: -0 is written as 0.
  .map((value) => JSON.parse(value) as unknown);
const customFields = fc.dictionary(fc.stringMatching(/^[a-z_]{1,5}$/), json, { maxKeys: 4 });

const identity = { name: text, email: text, phone_number: text, phone_key: maybe(text) };
const employment = { company_id: maybe(text), company_role: maybe(text) };

type Command = { on: number; command: ContactCommand };

const commands: fc.Arbitrary<Command[]> = fc.array(
  fc.record({
    on: fc.integer({ min: 0, max: 2 }),
    command: fc.oneof(
      fc.record({
        type: fc.constant('CreateContact' as const),
        contact_id: fc.constant(''),
        created_at: fc.constant('').map(() => now()),
        custom_fields: customFields,
        ...identity,
        ...employment,
      }),
      fc.record({
        type: fc.constant('UpdateContact' as const),
        changes: fc.record(
          { ...identity, ...employment, custom_fields: maybe(customFields) },
          { requiredKeys: [] },
        ),
      }),
    ),
  }),
  { maxLength: 15 },
);

it('a row is what its commands said, what its events fold to, and what a rebuild makes of them', async () => {
  await fc.assert(
    fc.asyncProperty(commands, async (given) => {
      const context = systemContext(newId('org'));
      const { organizationId } = context;
      const ids = [newContactId(), newContactId(), newContactId()];
      const told = new Map<string, { state: Contact; version: number }>();
      for (const { on, command } of given) {
        const id = ids[on]!;
        // A contact is created once.
        if ((command.type === 'CreateContact') === told.has(id)) continue;
        const addressed = command.type === 'CreateContact' ? { ...command, contact_id: id } : command;
        try {
          const { state, version } = await store.change(context, contacts, id, (current) =>
            contact.decide(current.state, addressed),
          );
          told.set(id, { state: state!, version });
        } catch (error) {
          if (!(error instanceof RuleViolation)) throw error;
        }
      }

      const rows = () => loadRows(database, contacts.row, organizationId, ids);
      const live = await rows();
      expect(live).toEqual(told);
      for (const id of ids) {
        const events = await eventsOf(database, organizationId, id);
        expect(events.map(({ version }) => version)).toEqual(events.map((_, index) => index + 1));
        expect(fold<Contact, ContactEvent>(contacts, events)).toEqual(live.get(id)?.state ?? null);
      }
      await rebuild({ database, projection: rowsProjection(contacts), kind: 'inline', upcasters: {} });
      expect(await rows()).toEqual(live);
    }),
    { numRuns: cases(40) },
  );
});
