import { AT_COMMAND_LINE, systemContext } from '#kernel/context.js';
import { rowsProjection } from '#event-store/projection.js';
import { Pages } from '#http/paging/page.js';
import { rebuild } from '#event-store/rebuild.js';
import { verify } from '#event-store/verify.js';
import { type Handlers, handlersOn } from '../../test/support/database/handlers.js';
import { testDatabase, type TestDatabase } from '../../test/support/database/postgres.js';
import { untilAllIsReadable } from '../../test/support/until.js';
import type { ContactEvent } from './contact.js';
import { CrmOthers1795790700000 } from './crm-others.migration.js';
import { CreateContact } from './create-contact.js';
import { contacts } from './crm.projection.js';
import { CrmQueries } from './crm.queries.js';

let test: TestDatabase;
let handlers: Handlers;
let crm: CrmQueries;
beforeAll(async () => {
  test = await testDatabase();
  handlers = handlersOn(test.database);
  crm = new CrmQueries(test.database, new Pages(test.database, Buffer.alloc(32)), handlers.directory);
});
afterAll(() => test.close());

const run = async (direction: 'up' | 'down') => {
  const runner = test.database.source.createQueryRunner();
  await new CrmOthers1795790700000()[direction](runner);
  await runner.release();
};

it('contacts that were merged before show the addresses and numbers of the others once they are rebuilt', async () => {
  const { organization_id } = await handlers.organizations.create(AT_COMMAND_LINE, { name: 'Acme' });
  const context = systemContext(organization_id);
  const { contact_id } = await handlers.createContact.execute(
    new CreateContact(context, { email: 'ann@x.example' }),
  );
  const told = (merged_keys: string[]): ContactEvent => ({
    type: 'ContactMerged',
    data: {
      from_contact_id: 'contact_x',
      name: 'Ann',
      email: 'ann@x.example',
      phone_number: '(212) 555-0199',
      phone_key: '+12125550199',
      company_id: null,
      company_role: null,
      custom_fields: {},
      external_id: null,
      metadata: {},
      merged_external_ids: [],
      merged_keys,
    },
  });
  const change = (...events: ContactEvent[]) =>
    handlers.store.change(context, contacts, contact_id, () => events);
  await change(told(['email:bertha@old.example']), told(['email:bertha@old.example', 'phone:+12125550123']));
  await run('down');
  await run('up');
  const asked = await test.database.query({ text: 'SELECT name FROM pending_rebuild ORDER BY name' });
  expect(asked).toEqual([{ name: 'audit' }, { name: 'contact' }, { name: 'search' }]);
  await untilAllIsReadable(test.database);
  const job = {
    database: test.database,
    projection: rowsProjection(contacts),
    kind: 'inline',
    upcasters: {},
  } as const;
  await rebuild(job);
  expect(await verify(job)).toEqual([]);
  expect(await crm.contact(organization_id, contact_id)).toMatchObject({
    phone_number: '(212) 555-0199',
    other_emails: ['bertha@old.example'],
    other_phone_numbers: ['+12125550123'],
  });
  await change({
    type: 'ContactIdentityChanged',
    data: { name: 'Ann', email: 'ann@x.example', phone_number: '', phone_key: null },
  });
  expect(await crm.contact(organization_id, contact_id)).toMatchObject({
    other_phone_numbers: ['(212) 555-0199', '+12125550123'],
  });
});
