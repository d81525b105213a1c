import { randomUUID } from 'node:crypto';
import {
  type Answer,
  type Client,
  type Json,
  newWorkspace,
  ok,
  openApi,
  type Workspace,
} from '../support/clients/client.js';
import { expectProblem, withoutIds } from '../support/clients/expectations.js';
import { exampleOf, withIds } from '../support/clients/examples.js';
import {
  alongWith,
  type Document,
  filled,
  type Operation,
  operationsOf,
  requiredQuery,
} from '../support/clients/openapi.js';
import { type Reference, referencesIn } from '../support/clients/references.js';
import { type Furnished, furnishedWorkspace, received } from '../support/data/records.js';

const NOWHERE = '01hzy3v7q4e8k9m2n5p6r7s8t9';

let own: Furnished;
let foreign: Furnished;
let document: Document;
let all: Operation[];
/** Those below an organization. */
let operations: Operation[];
/** How often each was asked for what is another's, to be told of at the end. */
const cases = new Map<string, number>();
/** Everything that could be seen of the other organization before the tests, and must be the same after them. */
let before: Json[];
beforeAll(async () => {
  [own, foreign] = [await furnishedWorkspace(), await furnishedWorkspace()];
  document = await openApi();
  all = operationsOf(document).filter(({ path }) => path.startsWith('/api/'));
  operations = all.filter(({ path }) => path.startsWith('/api/v2/organizations/'));
  before = await everythingOf(foreign);
});
afterAll(async () => {
  expect(await everythingOf(foreign)).toEqual(before);
});

const everythingOf = ({ api, ids }: Furnished): Promise<Json[]> =>
  Promise.all(
    ['contacts', 'companies', 'agents', 'conversations', 'sales', 'sale-statuses', 'tasks', 'audit-logs']
      .concat('custom-fields')
      .concat(`conversations/${ids['conversation_id']}/messages`)
      .concat(`conversations/${ids['conversation_id']}/comments`)
      .concat(`conversations/${ids['conversation_id']}/response-drafts`, 'message-drafts')
      .map((path) => ok(api.get(path))),
  );

/** Parameters of paths that name no record of an organization: none, or one that is made when it is not there. */
const NO_RECORDS = new Set(['organization_id', 'external_id']);

/** An id of the same form that nobody has. */
const nobodys = (parameter: string): string => {
  const [kind, rest] = foreign.ids[parameter]!.split('_');
  return rest === undefined ? randomUUID() : `${kind}_${NOWHERE}`;
};

const webhookBody = (method: string, path: string): object | undefined => {
  if (path.endsWith('/rotate')) return {};
  if (method === 'PATCH') return { description: 'Mallory' };
  return method === 'POST' ? { url: 'http://127.0.0.1:1/hook' } : undefined;
};

/** A body that the route would take, were the ids of its path there. */
const bodyFor = ({ method, path }: Operation): object | undefined => {
  if (method === 'DELETE') return undefined;
  if (path.endsWith('/batch')) return { items: [{ name: 'Mallory' }] };
  if (/(contact|company|conversation|sale)_id\}\/tags$/.test(path)) return { add: [] };
  if (path.endsWith('/merge')) {
    const kind = /\{(\w+_id)\}\/merge$/.exec(path)![1]!;
    return { [`from_${kind}`]: own.ids[`from_${kind}`] };
  }
  if (path.includes('/by-external-id/')) return { name: 'Mallory' };
  if (path.endsWith('/render')) return {};
  if (path.endsWith('/templates') && method === 'POST')
    return { name: 'Mallory', modality: 'email', body_html: 'x' };
  if (path.startsWith('/api') && path.endsWith('/agents/{agent_id}'))
    return method === 'PATCH' ? { signature_html: 'Mallory' } : undefined;
  if (path.endsWith('/quote'))
    return { currency: 'USD', products: [{ product_name: 'x', quantity: 1, unit_price: '1' }] };
  if (path.endsWith('/sales/{sale_id}')) return method === 'PATCH' ? { company_id: null } : undefined;
  if (/\/(test|redeliver)$/.test(path)) return undefined;
  if (path.includes('/webhooks')) return webhookBody(method, path);
  if (path.includes('/comments')) return method === 'GET' ? undefined : { body: 'Mallory' };
  if (path.includes('/tasks')) return method === 'GET' ? undefined : { title: 'Mallory' };
  if (method === 'PATCH' && path.endsWith('{conversation_id}')) return { is_read: true };
  if (method === 'PATCH') return { name: 'Mallory' };
  if (method !== 'POST') return undefined;
  if (path.endsWith('/messages'))
    return { modality: 'text', message_direction: 'received', content: 'x', contact: { name: 'Mallory' } };
  if (path.endsWith('/response-drafts')) return { body_html: 'Mallory' };
  if (path.endsWith('/message-drafts')) return { modality: 'email', subject: 'Mallory' };
  return /\/(send|unschedule)$/.test(path) ? undefined : { name: 'Mallory' };
};

const ask = (client: Client, operation: Operation, ids: Record<string, string>): Promise<Answer> =>
  client.send(operation.method, filled(operation.path, ids), {
    body: bodyFor(operation),
    query: requiredQuery(operation),
  });

const nameOf = ({ method, path }: Operation) => `${method} ${path}`;

/** The example of the operation's body, with this id in its place and without what may not stand beside it. */
function bodyWith(operation: Operation, { path }: Reference, id: string): Json {
  const body = withIds(exampleOf(operation), own.ids);
  if (operation.path.endsWith('/messages')) {
    if (path[0] === 'contact') body.contact = {};
    if (path[0] === 'conversation_id') delete body.contact;
    // Only what was received was written by a contact.
    if (path[0] === 'from') body.message_direction = 'received';
  }
  // A draft has a body or a template, and a sale with a template alone.
  if (operation.path.endsWith('-drafts') && ['template_id', 'sale_id'].includes(String(path[0])))
    Object.assign(body, { body_html: undefined, template_id: own.ids['template_id'] });
  if (operation.path.endsWith('/render') && path[0] === 'conversation_id') delete body.contact_id;
  // A task is linked to one record at most.
  if (/\/tasks\/.*\{\w+\}$/.test(operation.path))
    Object.assign(body, { company_id: null, contact_id: null, sale_id: null });
  let holder = body;
  path.forEach((step, index) => {
    const isLast = index === path.length - 1;
    holder[step] = isLast ? id : (holder[step] ?? (path[index + 1] === 0 ? [] : {}));
    holder = holder[step];
  });
  return body;
}

/** What a batch has answered for its only item, as the answer that it would have had alone. */
function alone(answer: Answer): Answer {
  const [{ problem, status = problem?.status ?? 200, record }] = answer.body.results;
  const headers = new Headers([...answer.headers]) as unknown as Answer['headers'];
  headers.set('content-type', 'application/problem+json');
  return { ...answer, status, headers, body: record ?? problem };
}

/** The two answers are one, but for the ids that were asked for. */
function expectSame(operation: Operation, one: [Answer, string], other: [Answer, string]): void {
  const name = nameOf(operation);
  cases.set(name, (cases.get(name) ?? 0) + 1);
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

  it.each(['', 'x', `contact_${NOWHERE}`, `ORG_${NOWHERE}`, 'a'.repeat(600)])(
    'is answered as one named "%s"',
    async (id) => {
      const answer = await own.api.get(`/api/v2/organizations/${id}/contacts`);
      expectProblem(answer, 404, 'organization_not_found');
    },
  );
});

describe('a record of another organization', () => {
  it('in the path is answered on every route exactly as one that does not exist', async () => {
    for (const operation of all) {
      const parameters = [...operation.path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name!);
      for (const parameter of parameters.filter((name) => !NO_RECORDS.has(name))) {
        const [theirId, nobodysId] = [foreign.ids[parameter]!, nobodys(parameter)];
        const theirs = await ask(own.api, operation, { ...own.ids, [parameter]: theirId });
        const none = await ask(own.api, operation, { ...own.ids, [parameter]: nobodysId });
        expect([operation.path, theirs.status]).toEqual([operation.path, 404]);
        expectSame(operation, [theirs, theirId], [none, nobodysId]);
      }
    }
  });

  it('in a body is refused on every route exactly as one that does not exist, where an own one is taken', async () => {
    const found = operations.flatMap((operation) =>
      referencesIn(document, operation)
        .filter(({ place }) => place === 'body')
        .map((reference) => ({ operation, reference })),
    );
    expect(found.length).toBeGreaterThanOrEqual(26);
    // A reply has files and a template of mails, so it has them before the texts of other routes are recorded.
    const isOfDraft = ({ operation }: (typeof found)[0]) => Number(operation.path.endsWith('-drafts'));
    found.sort((one, other) => isOfDraft(other) - isOfDraft(one));
    for (const { operation, reference } of found) {
      const { kind, path } = reference;
      const send = (id: string) =>
        own.api.send(operation.method, filled(operation.path, own.ids), {
          body: bodyWith(operation, reference, id),
        });
      const [theirs, none] = [await send(foreign.ids[kind]!), await send(nobodys(kind))];
      const isBatch = operation.path.endsWith('/batch');
      const isOfMany = operation.path.endsWith('/bulk') && kind === 'conversation_id';
      const refused = isBatch || isOfMany ? alone(theirs) : theirs;
      const field = path[isBatch ? 2 : 0];
      const resource =
        (isOfMany || /\/(contacts|companies)(\/|$)/.test(operation.path)) &&
        !/\/(merge|comments|tags)$/.test(operation.path) &&
        kind.replace(/_id$/, '');
      if (resource) expectProblem(refused, 404, `${resource}_not_found`);
      else expectProblem(refused, 400, 'validation_failed');
      expect(refused.body.detail).toContain(resource || field);
      expectSame(operation, [theirs, foreign.ids[kind]!], [none, nobodys(kind)]);
      // Else something else than the id would be wrong with the body.
      const answer = await send(own.ids[kind]!);
      const { status, text } = isBatch || isOfMany ? alone(answer) : answer;
      expect([nameOf(operation), path, status, text]).toEqual([
        nameOf(operation),
        path,
        status < 300 ? status : 'taken',
        text,
      ]);
    }
  });

  it('as a filter gives an empty list, exactly as one that does not exist', async () => {
    const found = operations.flatMap((operation) =>
      referencesIn(document, operation)
        .filter(({ place }) => place === 'query')
        .map(({ path, kind }) => ({ operation, name: String(path[0]), kind })),
    );
    expect(found.length).toBeGreaterThan(9);
    for (const { operation, name, kind } of found) {
      const always = requiredQuery(operation);
      const get = (id: string) =>
        own.api.get(filled(operation.path, own.ids), {
          ...always,
          [name]: id,
          ...alongWith(name, id, always, own.ids),
        });
      const [theirs, none] = [await get(foreign.ids[kind]!), await get(nobodys(kind))];
      expect([operation.path, name, theirs.body.data]).toEqual([operation.path, name, []]);
      expectSame(operation, [theirs, foreign.ids[kind]!], [none, nobodys(kind)]);
    }
  });

  it('is not reached by the address, number or Message-ID that it has', async () => {
    const thread = { email_message_id: '<shared@thread.example>' };
    const contact = { email: 'grace@navy.example', phone_number: '+1 212 555 0101' };
    const theirs = await ok(
      received(foreign.api, { contact, email_metadata: thread, external_id: 'shared' }),
    );
    before = await everythingOf(foreign);
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

  it('is not reached by the external id that it has', async () => {
    for (const [path, key, body] of [
      ['contacts', 'contact_id', { name: 'Kay' }],
      ['companies', 'company_id', { name: 'Eniac' }],
      ['tasks', 'task_id', { title: 'Write' }],
      ['sales', 'sale_id', null],
    ] as const) {
      const records: Json[] = [];
      for (const { api, ids } of [foreign, own]) {
        const { status_id, company_id } = ids;
        const answer = await api.put(`${path}/by-external-id/shared`, body ?? { status_id, company_id });
        expect([path, answer.status]).toEqual([path, 201]);
        records.push(answer.body);
      }
      const found = (await ok(own.api.get(path, { external_id: 'shared' }))).data;
      expect(found.map((one: Json) => one[key])).toEqual([records[1]![key]]);
      expect(records[0]![key]).not.toBe(records[1]![key]);
    }
    before = await everythingOf(foreign);
  });
});

describe('what is of others', () => {
  it('was asked for on every route', () => {
    const count = [...cases.values()].reduce((sum, one) => sum + one, 0);
    process.stdout.write(`Tenancy: ${count} pairs of answers compared on ${cases.size} routes.\n`);
    const lacking = all.filter(({ path }) => path.includes('{')).map(nameOf);
    expect(lacking.filter((name) => !cases.has(name))).toEqual([]);
    expect(count).toBeGreaterThan(130);
  });

  it('is not listed: what a key sees is its own, on the routes that name no organization', async () => {
    const { data } = await ok(own.api.get('/api/v2/organizations'));
    expect(data.map(({ organization_id }: Json) => organization_id)).toEqual([own.organizationId]);
    const solutions = (await ok(own.api.get('/api/v1/solutions'))).map(({ uuid }: Json) => uuid);
    expect(solutions).toEqual([own.ids['solution_id']]);
    const me = await ok(own.api.get('/api/v2/me'));
    expect(me.organizations.map(({ organization_id }: Json) => organization_id)).toEqual([
      own.organizationId,
    ]);
    const without = all.filter(({ path }) => !path.includes('{')).map(nameOf);
    expect(without.sort()).toEqual(['GET /api/v1/solutions', 'GET /api/v2/me', 'GET /api/v2/organizations']);
  });
});

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
      const { data } = await ok(api.get('audit-logs', { record_id }));
      expect(data[0]).toMatchObject({ agent_id, actor });
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
