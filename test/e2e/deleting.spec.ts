import { type Json, ok } from '../support/clients/client.js';
import { expectProblem } from '../support/clients/expectations.js';
import { readFeed } from '../support/clients/feed.js';
import { received } from '../support/data/records.js';
import { type SalesWorkspace, salesWorkspace } from '../support/data/sales.js';
import { until } from '../support/until.js';

let own: SalesWorkspace;

beforeAll(async () => {
  own = await salesWorkspace();
});

const gone = async (path: string) => expect((await own.api.get(path)).status).toBe(404);
const deleted = async (path: string) => {
  const answer = await own.api.delete(path);
  expect([answer.status, answer.text]).toEqual([204, '']);
};
const typesOf = async (id: string): Promise<string[]> =>
  (await readFeed(own.api, { record_id: id })).data.map(({ type }: Json) => type);

it.each<[string, string, () => Promise<Json>, string]>([
  ['tasks', 'task_id', () => ok(own.api.post('tasks', { title: 'Unwanted zebra' })), 'TaskDeleted'],
  ['sales', 'sale_id', () => own.open({ name: 'Unwanted zebra' }), 'SaleDeleted'],
  [
    'companies',
    'company_id',
    () => ok(own.api.post('companies', { name: 'Unwanted zebra' })),
    'CompanyDeleted',
  ],
  [
    'contacts',
    'contact_id',
    () => ok(own.api.post('contacts', { name: 'Unwanted zebra' })),
    'ContactDeleted',
  ],
])('of %s leaves none of them: not alone, in lists, or in search', async (path, id, make, event) => {
  const external_id = `${path}-to-delete`;
  const record = await make();
  const at = `${path}/${record[id]}`;
  await ok(own.api.patch(at, { external_id }));
  const found = async (q: string) =>
    (await ok(own.api.get('search', { q }))).data.map((one: Json) => one.id as string);
  await until(async () => (await found('zebra')).includes(record[id]));
  await deleted(at);
  await gone(at);
  expect((await ok(own.api.get(path, { external_id }))).data).toEqual([]);
  expect((await ok(own.api.get(path, { limit: 200 }))).data.map((one: Json) => one[id])).not.toContain(
    record[id],
  );
  await until(async () => !(await found('zebra')).includes(record[id]));
  expect((await typesOf(record[id])).at(-1)).toBe(event);
  expect((await own.api.delete(at)).status).toBe(404);
  expect((await own.api.patch(at, { external_id: null })).status).toBe(404);
  expect(
    (
      await own.api.put(
        `${path}/by-external-id/${external_id}`,
        path === 'sales'
          ? { status_id: own.stages[0]!.status_id, company_id: own.companyId }
          : { name: 'x', ...(path === 'tasks' && { name: undefined, title: 'x' }) },
      )
    ).status,
  ).toBe(201);
});

it('is refused to a read-only key, and of what is not there', async () => {
  for (const path of ['tasks/task_x', 'sales/sale_x', 'companies/company_x', 'contacts/contact_x'])
    expect((await own.api.delete(path)).status).toBe(404);
});

it('of a company clears its contacts, sales and tasks', async () => {
  const { company_id } = await ok(own.api.post('companies', { name: 'Gone' }));
  const contact = await ok(own.api.post('contacts', { name: 'Left', company_id, company_role: 'CEO' }));
  const sale = await own.open({ company_id, associated_contacts: [{ contact_id: own.contactIds[0] }] });
  const task = await ok(own.api.post('tasks', { title: 'Call', company_id }));
  await deleted(`companies/${company_id}`);
  expect(await ok(own.api.get(`contacts/${contact.contact_id}`))).toMatchObject({
    company_id: null,
    company_role: 'CEO',
  });
  expect(await own.show(sale)).toMatchObject({ company_id: null });
  expect(await ok(own.api.get(`tasks/${task.task_id}`))).toMatchObject({ company_id: null });
});

it('of a contact clears sales and tasks, and another contact of the sale becomes primary', async () => {
  const { contact_id } = await ok(own.api.post('contacts', { name: 'Gone' }));
  const associated_contacts = [{ contact_id, is_primary: true }, { contact_id: own.contactIds[1] }];
  const sale = await own.open({ associated_contacts });
  const task = await ok(own.api.post('tasks', { title: 'Call', contact_id }));
  await deleted(`contacts/${contact_id}`);
  expect(await own.show(sale)).toMatchObject({
    associated_contacts: [{ contact_id: own.contactIds[1], is_primary: true }],
  });
  expect(await ok(own.api.get(`tasks/${task.task_id}`))).toMatchObject({ contact_id: null });
});

it('of a sale clears its tasks, and leaves an audit record', async () => {
  const sale = await own.open();
  const task = await ok(own.api.post('tasks', { title: 'Call', sale_id: sale.sale_id }));
  await deleted(`sales/${sale.sale_id}`);
  expect(await ok(own.api.get(`tasks/${task.task_id}`))).toMatchObject({ sale_id: null });
  const { data } = await ok(own.api.get('audit-logs', { record_id: sale.sale_id }));
  expect(data.map(({ action_type }: Json) => action_type)).toEqual(['delete', 'insert']);
});

it('is refused of a company or contact that is the last party of a sale, and changes nothing', async () => {
  const { company_id } = await ok(own.api.post('companies', { name: 'Last' }));
  const { contact_id } = await ok(own.api.post('contacts', { name: 'Last', company_id }));
  const sale = await own.open({ company_id });
  const other = await own.open({ company_id: null, associated_contacts: [{ contact_id }] });
  const task = await ok(own.api.post('tasks', { title: 'Call', company_id }));
  expectProblem(await own.api.delete(`companies/${company_id}`), 409, 'sale_needs_a_party');
  expectProblem(await own.api.delete(`contacts/${contact_id}`), 409, 'sale_needs_a_party');
  expect(await own.show(sale)).toEqual(sale);
  expect(await own.show(other)).toEqual(other);
  expect(await ok(own.api.get(`tasks/${task.task_id}`))).toEqual(task);
  await deleted(`sales/${sale.sale_id}`);
  await deleted(`companies/${company_id}`);
});

it('is refused of a contact who has conversations', async () => {
  const contact = { contact_id: own.contactIds[0]! };
  expectProblem(await own.api.delete(`contacts/${contact.contact_id}`), 409, 'contact_has_conversations');
  const { conversation_id } = await ok(received(own.api, { contact }));
  const from = { name: 'Guest', email: 'guest@elsewhere.example' };
  await ok(received(own.api, { conversation_id, from }));
  const [guest] = (await ok(own.api.get('contacts', { email: from.email }))).data;
  expectProblem(await own.api.delete(`contacts/${guest.contact_id}`), 409, 'contact_has_conversations');
});

it('lets nothing link to what is gone, however close together they come', async () => {
  for (let round = 0; round < 8; round++) {
    const { company_id } = await ok(own.api.post('companies', { name: 'Race' }));
    const { contact_id } = await ok(
      own.api.post('contacts', { name: 'Race', email: `race${round}@x.example` }),
    );
    const [, , contact, task, said] = await Promise.all([
      own.api.delete(`companies/${company_id}`),
      own.api.delete(`contacts/${contact_id}`),
      own.api.post('contacts', { name: 'Late', company_id }),
      own.api.post('tasks', { title: 'Late', contact_id }),
      received(own.api, { contact: { email: `race${round}@x.example` }, content: 'Hello' }),
    ]);
    await ok(said);
    if (contact.status === 201)
      expect(await ok(own.api.get(`contacts/${contact.body.contact_id}`))).toMatchObject({
        company_id: null,
      });
    else expectProblem(contact, 404, 'company_not_found');
    const there = await own.api.get(`contacts/${contact_id}`);
    if (task.status === 201)
      expect((await ok(own.api.get(`tasks/${task.body.task_id}`))).contact_id).toBe(
        there.status === 200 ? contact_id : null,
      );
    const { conversation_id } = said.body;
    const talk = await ok(own.api.get(`conversations/${conversation_id}`));
    await ok(own.api.get(`contacts/${talk.contact_id}`));
  }
});

it('of a sale takes it out of all figures', async () => {
  const other = await salesWorkspace();
  const window = { start_date: '2020-01-01T00:00:00Z', end_date: '2100-01-01T00:00:00Z' };
  const volumes = async () => {
    const { pipeline } = await ok(other.api.get('analytics/sales', window));
    return pipeline.map(({ volume, value }: Json) => `${volume} ${value}`).join();
  };
  const quote = { currency: 'USD', products: [{ product_name: 'Plan', quantity: 2, unit_price: '10.5' }] };
  const make = async () => {
    const sale = await other.open({ owner_id: other.agentId, conversation_ids: [other.conversationId] });
    await ok(other.api.put(`sales/${sale.sale_id}/quote`, quote));
    for (const { status_id } of other.stages.slice(1)) await other.patch(sale, { status_id });
    return sale;
  };
  await make();
  const one = Array(4).fill('1 21.0').join();
  await until(async () => (await volumes()) === one);
  const sale = await make();
  await until(async () => (await volumes()) === Array(4).fill('2 42.0').join());
  await ok(other.api.delete(`sales/${sale.sale_id}`));
  await until(async () => (await volumes()) === one);
});
