import { AT_COMMAND_LINE, systemContext } from '#kernel/context.js';
import { rowsProjection } from '#event-store/projection.js';
import { verify } from '#event-store/verify.js';
import { type Handlers, handlersOn } from '../../test/support/database/handlers.js';
import { testDatabase, type TestDatabase } from '../../test/support/database/postgres.js';
import { AddressKeys1700001300000 } from './address-keys.migration.js';
import { companies, contacts } from './crm.projection.js';
import { CreateCompany } from './create-company.js';
import { CreateContact } from './create-contact.js';

let test: TestDatabase;
let handlers: Handlers;
beforeAll(async () => {
  test = await testDatabase();
  handlers = handlersOn(test.database);
});
afterAll(() => test.close());

const run = async (direction: 'up' | 'down') => {
  const runner = test.database.source.createQueryRunner();
  await new AddressKeys1700001300000()[direction](runner);
  await runner.release();
};

it('rows from before the keys have those that the events give, once the database is migrated', async () => {
  const { organization_id } = await handlers.organizations.create(AT_COMMAND_LINE, { name: 'Acme' });
  const context = systemContext(organization_id);
  for (const email of [
    'Ann@Example.com',
    'ann@MÜNCHEN.example',
    'jose\u0301@x.example',
    'ann@x.example.',
    '',
  ])
    await handlers.createContact.execute(new CreateContact(context, { name: 'Ann', email }));
  for (const domain of ['navy.example', 'MÜNCHEN.example', 'ｎａｖｙ.example', null])
    await handlers.createCompany.execute(new CreateCompany(context, { name: 'Navy', domain }));
  await run('down');
  await test.database.query({ text: `UPDATE contact SET email_key = nullif(lower(email), '')` });
  await run('up');
  for (const projection of [rowsProjection(contacts), rowsProjection(companies)])
    expect(await verify({ database: test.database, projection, kind: 'inline', upcasters: {} })).toEqual([]);
  const keys = await test.database.query({
    text: 'SELECT email_key AS key FROM contact UNION ALL SELECT domain_key FROM company',
  });
  expect(new Set(keys.map((row) => (row as { key: string | null }).key))).toEqual(
    new Set([
      'ann@example.com',
      'ann@xn--mnchen-3ya.example',
      'josé@x.example',
      'ann@x.example',
      null,
      'xn--mnchen-3ya.example',
      'navy.example',
    ]),
  );
});
