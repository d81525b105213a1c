import { type Answer, type Client, type Json, newWorkspace, ok, type Workspace } from '../support/client.js';
import { expectProblem, withoutIds } from '../support/expectations.js';
import { filled, openApi, type Operation, operationsOf, requiredQuery } from '../support/openapi.js';
import { until } from '../support/until.js';
import { type Furnished, furnishedWorkspace, received } from '../support/records.js';

const NOWHERE = '01hzy3v7q4e8k9m2n5p6r7s8t9';

let own: Furnished;
let foreign: Furnished;
let operations: Operation[];
/** Everything that could be seen of the other organization before the tests, and must be the same after them. */
let before: Json[];
beforeAll(async () => {
  [own, foreign] = [await furnishedWorkspace(), await furnishedWorkspace()];
  operations = operationsOf(await openApi()).filter(({ path }) => path.startsWith('/api/v2/organizations/'));
  before = await settled(foreign);
});
afterAll(async () => {
  expect(await everythingOf(foreign)).toEqual(before);
});

const everythingOf = ({ api, ids }: Furnished): Promise<Json[]> =>
  Promise.all(
    ['contacts', 'companies', 'agents', 'conversations', 'sales', 'sale-statuses', 'tasks', 'audit-logs']
      .concat('custom-fields')
      .concat(`conversations/${ids['conversation_id']}/messages`)
      .concat(`conversations/${ids['conversation_id']}/response-drafts`, 'message-drafts')
      .map((path) => ok(api.get(path))),
  );

const kindOf = (parameter: string) => foreign.ids[parameter]!.split('_')[0]!;
const nobodys = (parameter: string) => `${kindOf(parameter)}_${NOWHERE}`;

/** A body that the route would take, were the ids of its path there. */
const bodyFor = ({ method, path }: Operation): object | undefined => {
  if (path.endsWith('/quote'))
    return { currency: 'USD', products: [{ product_name: 'x', quantity: 1, unit_price: '1' }] };
  if (path.endsWith('/sales/{sale_id}')) return method === 'PATCH' ? { company_id: null } : undefined;
  if (path.includes('/tasks')) return method === 'GET' ? undefined : { title: 'Mallory' };
  if (method === 'PATCH' && path.endsWith('{conversation_id}')) return { is_read: true };
  if (method === 'PATCH') return { name: 'Mallory' };
  if (method !== 'POST') return undefined;
  if (path.endsWith('/messages'))
    return { modality: 'text', message_direction: 'received', content: 'x', contact: { name: 'Mallory' } };
  if (path.endsWith('/response-drafts')) return { body_html: 'Mallory' };
  if (path.endsWith('/message-drafts')) return { modality: 'email', subject: 'Mallory' };
  return path.endsWith('/send') ? undefined : { name: 'Mallory' };
};

const ask = (client: Client, operation: Operation, ids: Record<string, string>): Promise<Answer> =>
  client.send(operation.method, filled(operation.path, ids), {
    body: bodyFor(operation),
    query: requiredQuery(operation),
  });

/** The two answers are one, but for the ids that were asked for. */
function expectSame(operation: Operation, one: [Answer, string], other: [Answer, string]): void {
  const name = `${operation.method} ${operation.path}`;
  expect([name, withoutIds(one[0], [one[1]])]).toEqual([name, withoutIds(other[0], [other[1]])]);
}

describe('an organization that the key cannot see', () => {
  it('is answered on every route exactly as one that does not exist', async () => {
    for (const operation of operations) {
      const theirs = await ask(own.api, operation, foreign.ids);
      const none = await ask(own.api, operation, {
        ...foreign.ids,
        organization_id: nobodys('organization_id'),
      });
      expectProblem(theirs, 404, 'organization_not_found');
      expectSame(operation, [theirs, foreign.organizationId], [none, nobodys('organization_id')]);
    }
  });

  it('is answered the same whether the records of the path are there or not', async () => {
    for (const operation of operations) {
      const { organization_id } = foreign.ids as { organization_id: string };
      const theirs = await ask(own.api, operation, foreign.ids);
      const none = await ask(own.api, operation, { organization_id });
      expect([theirs.status, theirs.body.code, theirs.body.detail]).toEqual([
        none.status,
        none.body.code,
        none.body.detail,
      ]);
    }
  });

  it('is answered the same whatever is wrong with the rest of the request', async () => {
    const path = `/api/v2/organizations/${foreign.organizationId}/contacts`;
    const headers = { 'content-type': 'application/json' };
    for (const answer of [
      await own.api.get(`${path}?limit=0`),
      await own.api.send('POST', path, { raw: '{', headers }),
      await own.api.send('POST', path, { raw: ' '.repeat(3_000_000), headers }),
      await own.api.send('PUT', path),
    ])
      expectProblem(answer, 404, 'organization_not_found');
  });

  it.each(['', 'x', '%00', `contact_${NOWHERE}`, `ORG_${NOWHERE}`, 'a'.repeat(600)])(
    'is answered as one named "%s"',
    async (id) => {
      const answer = await own.api.get(`/api/v2/organizations/${id}/contacts`);
      expectProblem(answer, 404, id === '' ? answer.body.code : 'organization_not_found');
    },
  );
});

describe('a record of another organization', () => {
  const parameters = [
    'agent_id',
    'company_id',
    'contact_id',
    'conversation_id',
    'message_id',
    'response_id',
    'draft_id',
    'link_id',
    'sale_id',
    'task_id',
    'audit_log_id',
  ];

  it.each(parameters)(
    'in the path as %s is answered on every route exactly as one that does not exist',
    async (parameter) => {
      const concerned = operations.filter(({ path }) => path.includes(`{${parameter}}`));
      expect(concerned.length).toBeGreaterThan(0);
      for (const operation of concerned) {
        const theirs = await ask(own.api, operation, { ...own.ids, [parameter]: foreign.ids[parameter]! });
        const none = await ask(own.api, operation, { ...own.ids, [parameter]: nobodys(parameter) });
        expect([operation.path, theirs.status]).toEqual([operation.path, 404]);
        expectSame(operation, [theirs, foreign.ids[parameter]!], [none, nobodys(parameter)]);
      }
    },
  );

  it.each<[string, string, string, (id: string) => object, string]>([
    ['POST', 'contacts', 'company_id', (company_id) => ({ name: 'X', company_id }), 'company'],
    ['PATCH', 'contacts/{contact_id}', 'company_id', (company_id) => ({ company_id }), 'company'],
    ['POST', 'companies', 'agent_id', (agent_id) => ({ name: 'X', agent_id }), 'agent'],
    ['PATCH', 'companies/{company_id}', 'agent_id', (agent_id) => ({ agent_id }), 'agent'],
    ['PATCH', 'conversations/{conversation_id}', 'agent_id', (agent_id) => ({ agent_id }), ''],
    ['POST', 'sales', 'company_id', (company_id) => sale({ company_id }), ''],
    ['POST', 'sales', 'contact_id', (contact_id) => sale({ associated_contacts: [{ contact_id }] }), ''],
    ['POST', 'sales', 'agent_id', (owner_id) => sale({ owner_id }), ''],
    ['POST', 'sales', 'conversation_id', (id) => sale({ conversation_ids: [id] }), ''],
    ['POST', 'sales', 'status_id', (status_id) => sale({ status_id }), ''],
    ['PATCH', 'sales/{sale_id}', 'company_id', (company_id) => ({ company_id }), ''],
    [
      'PATCH',
      'sales/{sale_id}',
      'contact_id',
      (contact_id) => ({ associated_contacts: [{ contact_id }] }),
      '',
    ],
    ['PATCH', 'sales/{sale_id}', 'agent_id', (owner_id) => ({ owner_id }), ''],
    ['PATCH', 'sales/{sale_id}', 'conversation_id', (id) => ({ conversation_ids: [id] }), ''],
    ['PATCH', 'sales/{sale_id}', 'status_id', (status_id) => ({ status_id }), ''],
    ['POST', 'tasks', 'agent_id', (agent_id) => ({ title: 'x', agent_id }), ''],
    ['POST', 'tasks', 'company_id', (company_id) => ({ title: 'x', company_id }), ''],
    ['POST', 'tasks', 'contact_id', (contact_id) => ({ title: 'x', contact_id }), ''],
    ['POST', 'tasks', 'sale_id', (sale_id) => ({ title: 'x', sale_id }), ''],
    ['PATCH', 'tasks/{task_id}', 'agent_id', (agent_id) => ({ agent_id }), ''],
    ['PATCH', 'tasks/{task_id}', 'company_id', (company_id) => ({ sale_id: null, company_id }), ''],
    ['PATCH', 'tasks/{task_id}', 'contact_id', (contact_id) => ({ sale_id: null, contact_id }), ''],
    ['PATCH', 'tasks/{task_id}', 'sale_id', (sale_id) => ({ sale_id }), ''],
    ['POST', 'messages', 'contact_id', (contact_id) => message({ contact: { contact_id } }), ''],
    ['POST', 'messages', 'conversation_id', (conversation_id) => message({ conversation_id }), ''],
    ['POST', 'messages', 'agent_id', (agent_id) => message({ contact: { name: 'X' }, agent_id }), ''],
  ])(
    'in the body of %s %s as %s is answered exactly as one that does not exist',
    async (method, path, parameter, body, resource) => {
      const operation = { method, path, spec: {} };
      const send = (id: string) => own.api.send(method, filled(path, own.ids), { body: body(id) });
      const [theirs, none] = [await send(foreign.ids[parameter]!), await send(nobodys(parameter))];
      if (resource === '') expectProblem(theirs, 400, 'validation_failed');
      else expectProblem(theirs, 404, `${resource}_not_found`);
      expectSame(operation, [theirs, foreign.ids[parameter]!], [none, nobodys(parameter)]);
    },
  );

  const sale = (rest: object) => ({
    status_id: own.ids['status_id'],
    company_id: own.ids['company_id'],
    ...rest,
  });
  const message = (rest: object) => ({
    modality: 'text',
    message_direction: 'received',
    content: 'x',
    ...rest,
  });

  it.each([
    ['contacts', 'company_id'],
    ['audit-logs', 'agent_id'],
    ['audit-logs', 'record_id'],
    ['sales', 'status_id'],
    ['sales', 'owner_id'],
    ['sales', 'company_id'],
    ['tasks', 'agent_id'],
    ['tasks', 'sale_id'],
    ['tasks', 'contact_id'],
    ['tasks', 'company_id'],
  ])('as a filter of %s by %s gives an empty list', async (path, parameter) => {
    const named: Record<string, string> = { record_id: 'conversation_id', owner_id: 'agent_id' };
    const id = foreign.ids[named[parameter] ?? parameter]!;
    expect((await ok(own.api.get(path, { [parameter]: id }))).data).toEqual([]);
  });

  it('is not reached by the address, number or Message-ID that it has', async () => {
    const thread = { email_message_id: '<shared@thread.example>' };
    const contact = { email: 'grace@navy.example', phone_number: '+1 212 555 0101' };
    const theirs = await ok(
      received(foreign.api, { contact, email_metadata: thread, external_id: 'shared' }),
    );
    before = await settled(foreign);
    const ours = await ok(
      received(own.api, {
        contact,
        email_metadata: { in_reply_to: '<shared@thread.example>' },
        external_id: 'shared',
      }),
    );
    expect(ours.message_id).not.toBe(theirs.message_id);
    const conversation = await ok(own.api.get(`conversations/${ours.conversation_id}`));
    expect(conversation.contact_id).toBe(own.ids['contact_id']);
  });
});

/** Everything of an organization once its audit log has caught up with it. */
async function settled(furnished: Furnished): Promise<Json[]> {
  const { conversation_id } = await ok(received(furnished.api, { contact: { name: 'Marker' } }));
  const logged = () => ok(furnished.api.get('audit-logs', { record_id: conversation_id }));
  await until(async () => (await logged()).data.length > 0);
  return everythingOf(furnished);
}

describe('a key of several organizations', () => {
  let both: Client;
  beforeAll(async () => {
    const organization_ids = [own.organizationId, foreign.organizationId];
    const { api_key } = await ok(own.admin.post('api-keys', { name: 'Both', organization_ids }));
    both = own.api.with({ 'x-api-key': api_key });
  });

  it('reaches the records of each below its own path only', async () => {
    const reads = operations.filter(({ method, path }) => method === 'GET' && /\{\w+\}.*\{/.test(path));
    expect(reads.length).toBeGreaterThan(5);
    for (const operation of reads) {
      expect([operation.path, (await ask(both, operation, own.ids)).status]).toEqual([operation.path, 200]);
      const mixed = { ...foreign.ids, organization_id: own.organizationId };
      expect([operation.path, (await ask(both, operation, mixed)).status]).toEqual([operation.path, 404]);
    }
  });

  it('acts for its agent in the organization of the agent, and for itself in the other', async () => {
    const { organizationId, agentId, admin } = own;
    const other = await newWorkspace();
    const organization_ids = [organizationId, other.organizationId];
    const { api_key, key_id } = await ok(
      admin.post('api-keys', { name: 'Both', organization_ids, agent_id: agentId }),
    );
    const message = {
      modality: 'text',
      message_direction: 'sent',
      content: 'x',
      contact: { name: 'Visitor' },
    };
    for (const [{ api }, agent_id, actor] of [
      [own, agentId, { type: 'agent', id: agentId }],
      [other, null, { type: 'key', id: key_id }],
    ] as const) {
      const asBoth = api.with({ 'x-api-key': api_key });
      const sent = await ok(asBoth.post('messages', message));
      expect(sent.agent_id).toBe(agent_id);
      const { conversation_id: record_id } = sent;
      expect((await ok(api.get(`conversations/${record_id}`))).agent_id).toBe(agent_id);
      const logged = async (): Promise<Json[]> => (await ok(api.get('audit-logs', { record_id }))).data;
      await until(async () => (await logged()).length > 0);
      expect((await logged())[0]).toMatchObject({ agent_id, actor });
    }
  });

  it('does not link records of one to the other', async () => {
    const { company_id, agent_id, contact_id } = foreign.ids;
    expectProblem(await both.post('contacts', { name: 'X', company_id }), 404, 'company_not_found');
    expectProblem(await both.post('companies', { name: 'X', agent_id }), 404, 'agent_not_found');
    const answer = await received(both, { contact: { contact_id } });
    expectProblem(answer, 400, 'validation_failed');
  });
});

describe('custom fields', () => {
  it('of one organization mean nothing to another', async () => {
    const other: Workspace = await newWorkspace();
    await ok(
      other.adminApi.post('custom-fields/contacts', { label: 'Secret', type: 'string', default: 'x' }),
    );
    expect((await ok(own.api.get('custom-fields'))).contacts.map(({ key }: Json) => key)).toEqual(['size']);
    expectProblem(
      await own.api.post('contacts', { name: 'X', custom_fields: { secret: 'x' } }),
      400,
      'validation_failed',
      'custom_fields.secret',
    );
    const { custom_fields } = await ok(other.api.post('contacts', { name: 'X' }));
    expect(custom_fields).toEqual({ secret: 'x' });
  });
});
