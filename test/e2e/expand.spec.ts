import {
  type Answer,
  type Client,
  type Json,
  newWorkspace,
  ok,
  openApi,
  type Workspace,
} from '../support/clients/client.js';
import { expectProblem } from '../support/clients/expectations.js';
import {
  type Document,
  filled,
  mismatches,
  type Operation,
  operationsOf,
} from '../support/clients/openapi.js';
import { inDatabase } from '../support/database/database.js';
import { type Furnished, furnishedWorkspace, received } from '../support/data/records.js';

/** What each kind of record may be shown with, and the ids of it. */
const EXPANSIONS: Record<string, Record<string, (record: Json) => string | null | string[]>> = {
  ContactResponse: { company: ({ company_id }) => company_id },
  CompanyResponse: { agent: ({ agent_id }) => agent_id },
  ConversationResponse: {
    contact: ({ contact_id }) => contact_id,
    agent: ({ agent_id }) => agent_id,
    last_message: ({ conversation_id, last_message }) =>
      `conversations/${conversation_id}/messages/${last_message.message_id}`,
  },
  MessageResponse: { agent: ({ agent_id }) => agent_id },
  SaleResponse: {
    company: ({ company_id }) => company_id,
    owner: ({ owner_id }) => owner_id,
    contacts: ({ associated_contacts }) => associated_contacts.map(({ contact_id }: Json) => contact_id),
  },
  TaskResponse: {
    agent: ({ agent_id }) => agent_id,
    company: ({ company_id }) => company_id,
    contact: ({ contact_id }) => contact_id,
    sale: ({ sale_id }) => sale_id,
  },
};
const FOLDERS: Record<string, string> = {
  contact: 'contacts',
  company: 'companies',
  agent: 'agents',
  sale: 'sales',
};

let own: Furnished;
let document: Document;
/** The routes that show records of these kinds, with the kind's schema. */
let shows: { operation: Operation; schema: string }[];
beforeAll(async () => {
  own = await furnishedWorkspace();
  document = await openApi();
  shows = operationsOf(document)
    .filter(({ method, path }) => method === 'GET' && path.startsWith('/api/v2/'))
    .flatMap((operation) => {
      const schema = operation.spec.responses['200']?.content?.['application/json']?.schema ?? {};
      const shown = (schema.$ref ?? schema.properties?.data?.items?.$ref)?.split('/').at(-1);
      return shown in EXPANSIONS ? [{ operation, schema: shown }] : [];
    });
  await furnishFurther();
});

/** One more record of each kind that names whatever it can, and one that names nothing. */
async function furnishFurther(): Promise<void> {
  const { api, ids, agentId: agent_id } = own;
  const { company_id } = await ok(api.post('companies', { name: 'Navy', agent_id }));
  await ok(api.post('companies', { name: 'Nobody looks after it' }));
  const contacts = [];
  for (const name of ['Ada', 'Grace', 'Katherine'])
    contacts.unshift(await ok(api.post('contacts', { name, company_id })));
  await ok(api.post('contacts', { name: 'Nobody' }));
  const associated_contacts = contacts.map(({ contact_id }) => ({ contact_id }));
  const status_id = (await ok(api.get('sale-statuses'))).data[0].status_id;
  const { sale_id } = await ok(
    api.post('sales', { status_id, company_id, owner_id: agent_id, associated_contacts }),
  );
  await ok(api.post('sales', { status_id, associated_contacts: associated_contacts.slice(1) }));
  await ok(api.patch(`conversations/${ids['conversation_id']}`, { agent_id }));
  await ok(received(api, { contact: { name: 'Unowned' } }));
  for (const link of [{ sale_id, agent_id }, { company_id }, { contact_id: contacts[0].contact_id }, {}])
    await ok(api.post('tasks', { title: 'Call back', ...link }));
}

const nameOf = ({ path }: Operation): string => path;
const expandOf = ({ spec }: Operation): Json => spec.parameters.find(({ name }: Json) => name === 'expand');
const get = (operation: Operation, query: Json = {}): Promise<Answer> =>
  own.api.get(filled(operation.path, own.ids), query);
const recordsIn = (body: Json): Json[] => body.data ?? [body];

/** What the record's own route answers. */
const shownAlone = (id: string): Promise<Json> => {
  const path = id.includes('/') ? id : `${FOLDERS[id.split('_')[0]!]}/${id}`;
  return ok(own.api.get(path));
};

async function expectedOf(named: string | null | string[]): Promise<Json> {
  if (named === null) return null;
  return Array.isArray(named) ? Promise.all(named.map(shownAlone)) : shownAlone(named);
}

describe('expand', () => {
  it('is taken by every GET that shows one of these records, or a list of them, and by no other', () => {
    expect(
      shows.map(({ operation }) => operation.path.replace(/.*\{organization_id\}\//, '')).sort(),
    ).toEqual([
      'agents/{agent_id}/conversations',
      'agents/{agent_id}/sales',
      'companies',
      'companies/{company_id}',
      'contacts',
      'contacts/{contact_id}',
      'contacts/{contact_id}/conversations',
      'conversations',
      'conversations/{conversation_id}',
      'conversations/{conversation_id}/messages',
      'conversations/{conversation_id}/messages/{message_id}',
      'sales',
      'sales/{sale_id}',
      'tasks',
      'tasks/{task_id}',
    ]);
    for (const { operation, schema } of shows) {
      const { style, explode, schema: values } = expandOf(operation);
      expect([nameOf(operation), style, explode, values.items.enum]).toEqual([
        nameOf(operation),
        'form',
        false,
        Object.keys(EXPANSIONS[schema]!),
      ]);
    }
    const others = operationsOf(document).filter(
      (one) => !shows.some(({ operation }) => operation.path === one.path && one.method === 'GET'),
    );
    expect(others.filter(({ spec }) => spec.parameters?.some(({ name }: Json) => name === 'expand'))).toEqual(
      [],
    );
  });

  it('puts each record beside its id as its own route shows it, and null for null, on every route', async () => {
    const seen = new Set<string>();
    for (const { operation, schema } of shows) {
      const bare = recordsIn(await ok(get(operation)));
      const names = Object.keys(EXPANSIONS[schema]!);
      for (const asked of [...names, names.join(',')]) {
        const answer = await ok(get(operation, { expand: asked }));
        const records = recordsIn(answer);
        expect([nameOf(operation), records.length]).toEqual([nameOf(operation), bare.length]);
        for (const [nr, record] of records.entries()) {
          const beside: Json = {};
          for (const name of asked.split(',')) {
            const named = EXPANSIONS[schema]![name]!(bare[nr]);
            seen.add(`${schema}.${name} ${named === null ? 'null' : 'there'}`);
            beside[name] = await expectedOf(named);
          }
          expect([nameOf(operation), record]).toEqual([nameOf(operation), { ...bare[nr], ...beside }]);
        }
        const { schema: told } = operation.spec.responses['200'].content['application/json'];
        expect(mismatches(document, told, answer)).toEqual([]);
      }
    }
    const all = Object.entries(EXPANSIONS).flatMap(([schema, names]) =>
      Object.keys(names).map((name) => `${schema}.${name}`),
    );
    expect(all.filter((name) => !seen.has(`${name} there`))).toEqual([]);
    const never = [
      'ConversationResponse.contact',
      'ConversationResponse.last_message',
      'SaleResponse.contacts',
    ];
    expect(all.filter((name) => !seen.has(`${name} null`)).sort()).toEqual(never.sort());
  });

  it('keeps the page as it is, and goes with its filters and cursor', async () => {
    const query = { limit: 2, sort: 'name' };
    const [bare, shown] = [
      await ok(own.api.get('contacts', query)),
      await ok(own.api.get('contacts', { ...query, expand: 'company' })),
    ];
    expect(shown.pagination).toEqual(bare.pagination);
    const cursor = shown.pagination.next_cursor;
    const next = await ok(own.api.get('contacts', { ...query, cursor, expand: 'company' }));
    expect(next.data[0]).toHaveProperty('company');
    expect(next.data.map(({ contact_id }: Json) => contact_id)).toEqual(
      (await ok(own.api.get('contacts', { ...query, cursor }))).data.map(
        ({ contact_id }: Json) => contact_id,
      ),
    );
  });

  it('takes blanks around names and a name twice', async () => {
    const [task] = (await ok(own.api.get('tasks?expand=agent,%20agent'))).data;
    expect(Object.keys(task)).toContain('agent');
  });

  it('shows clicks on links as the own route of the message does', async () => {
    const { ids, api } = own;
    const message = `conversations/${ids['conversation_id']}/messages/${ids['linked_message_id']}`;
    const { tracked_links } = await ok(api.get(message));
    expect(tracked_links.length).toBeGreaterThan(0);
    await inDatabase((database) =>
      database.query(`UPDATE conversation SET last_message_id = $2 WHERE conversation_id = $1`, [
        ids['conversation_id'],
        ids['linked_message_id'],
      ]),
    );
    await api.with({ 'user-agent': 'Mozilla/5.0' }).get(`/l/${tracked_links[0].link_id}`);
    const { last_message } = await ok(
      api.get(`conversations/${ids['conversation_id']}`, { expand: 'last_message' }),
    );
    expect(last_message.tracked_links[0].click_count).toBe(1);
    expect(last_message).toEqual(await ok(api.get(message)));
  });
});

describe('an expand', () => {
  it.each([
    ['of a name that the route does not know', 'expand=nonsense', 'has no nonsense'],
    ['of one that another kind of record has', 'expand=company,sale', 'has no sale'],
    ['of several such names', 'expand=x,company,y', 'has no x, y'],
    ['of a name that means something to JavaScript', 'expand=constructor', 'has no constructor'],
    ['without a name', 'expand=', 'must not have an empty name'],
    ['with an empty name among others', 'expand=company,', 'must not have an empty name'],
    ['given twice', 'expand=company&expand=company', 'must be given once, with names separated by commas'],
  ])('%s is refused, naming the known ones, on lists and single records', async (_, query, told) => {
    for (const path of ['contacts', `contacts/${own.ids['contact_id']}`, 'contacts/contact_x']) {
      const answer = await own.api.get(`${path}?${query}`);
      expectProblem(answer, 400, 'validation_failed', 'expand');
      expect(answer.body.errors).toEqual([{ field: 'expand', detail: `${told}; known are company` }]);
    }
  });

  it('that is wrong is told together with whatever else is', async () => {
    const list = await own.api.get('contacts?expand=nonsense&limit=0&other=1');
    expectProblem(list, 400, 'validation_failed', 'expand', 'limit', 'other');
    const single = await own.api.get(`contacts/${own.ids['contact_id']}?expand=nonsense&other=1`);
    expectProblem(single, 400, 'validation_failed', 'expand', 'other');
  });

  it('is unknown to routes that show other records', async () => {
    for (const path of ['agents', 'message-drafts', 'audit-logs', 'suppressions', 'webhooks'])
      expectProblem(await own.api.get(path, { expand: 'agent' }), 400, 'validation_failed', 'expand');
    const body = { name: 'Grace' };
    const post = await own.api.send('POST', 'contacts', { body, query: { expand: 'company' } });
    expectProblem(post, 400, 'validation_failed', 'expand');
  });
});

describe('an answer with expansions', () => {
  it('has no ETag and is never a 304, while the bare one has its own', async () => {
    const { contact_id } = (await ok(own.api.get('contacts', { expand: 'company' }))).data.find(
      ({ company }: Json) => company !== null,
    );
    const path = `contacts/${contact_id}`;
    const etag = (await own.api.get(path)).headers.get('etag')!;
    const before = await own.api.get(path, { expand: 'company' });
    expect([before.status, before.headers.get('etag')]).toEqual([200, null]);
    await ok(own.api.patch(`companies/${before.body.company.company_id}`, { name: 'Renamed' }));
    const asked = own.api.with({ 'if-none-match': etag });
    expect((await asked.get(path)).status).toBe(304);
    const after = await asked.get(path, { expand: 'company' });
    expect([after.status, after.body.company.name]).toEqual([200, 'Renamed']);
  });

  it('is there for HEAD and has the length of the GET', async () => {
    const path = `tasks/${own.ids['task_id']}?expand=agent,sale`;
    const plain = own.api;
    const [head, whole] = [await plain.send('HEAD', path), await plain.get(path)];
    expect([head.status, head.text]).toEqual([200, '']);
    expect(head.headers.get('content-length')).toBe(String(Buffer.byteLength(whole.text)));
  });

  it('is the 404 of a record that is not there', async () => {
    const answer = await own.api.get('contacts/contact_01hzy3v7q4e8k9m2n5p6r7s8t9', { expand: 'company' });
    expectProblem(answer, 404, 'contact_not_found');
  });

  it('shows no record of another organization, whatever the row says', async () => {
    const foreign = await furnishedWorkspace();
    const { contact_id } = await ok(own.api.post('contacts', { name: 'Crossed' }));
    await inDatabase((database) =>
      database.query('UPDATE contact SET company_id = $2 WHERE contact_id = $1', [
        contact_id,
        foreign.ids['company_id'],
      ]),
    );
    const shown = await ok(own.api.get(`contacts/${contact_id}`, { expand: 'company' }));
    expect([shown.company_id, shown.company]).toEqual([foreign.ids['company_id'], null]);
  });
});

/** All items of a list, and how many pages they came on. */
async function walk(api: Client, path: string, query: Json): Promise<{ items: Json[]; pages: Json[][] }> {
  const pages: Json[][] = [];
  for (let cursor: string | undefined; ;) {
    const { data, pagination } = await ok(api.get(path, { ...query, ...(cursor && { cursor }) }));
    expect(pagination.has_more).toBe(pagination.next_cursor !== null);
    pages.push(data);
    if (!pagination.has_more) return { items: pages.flat(), pages };
    cursor = pagination.next_cursor;
  }
}

describe('a list whose expanded records are large', () => {
  let workspace: Workspace;
  beforeAll(async () => void (workspace = await newWorkspace()));

  it('ends its pages before their limit, and loses and repeats nothing', async () => {
    const { api } = workspace;
    for (let nr = 0; nr < 7; nr++)
      await ok(received(api, { contact: { name: `Writer ${nr}` }, content: `${nr} `.repeat(350_000) }));
    const bare = await walk(api, 'conversations', {});
    expect(bare.pages).toHaveLength(1);
    const { items, pages } = await walk(api, 'conversations', { expand: 'last_message,contact' });
    expect(pages.length).toBeGreaterThan(2);
    expect(items.map(({ conversation_id }) => conversation_id)).toEqual(
      bare.items.map(({ conversation_id }) => conversation_id),
    );
    for (const { last_message, contact } of items)
      expect([last_message.content.length, contact.name]).toEqual([
        700_000,
        expect.stringContaining('Writer'),
      ]);
  });

  it('ends them where one record is shown again and again, in an order by other rows and behind those, too', async () => {
    const { api, adminApi } = workspace;
    const custom_fields: Record<string, string> = {};
    for (let nr = 1; nr <= 12; nr++) {
      const { key } = await ok(
        adminApi.post('custom-fields/companies', { label: `Note ${nr}`, type: 'string' }),
      );
      custom_fields[key] = 'x'.repeat(1_000);
    }
    const { company_id } = await ok(api.post('companies', { name: 'Large', custom_fields }));
    const numbers = Array.from({ length: 200 }, (_, nr) => nr);
    await Promise.all(
      numbers.map(async (nr) => {
        const { contact_id } = await ok(api.post('contacts', { name: `Person ${nr}`, company_id }));
        if (nr % 2 === 0) await ok(received(api, { contact: { contact_id } }));
      }),
    );
    for (const sort of ['-created_at', 'name', '-last_activity_at']) {
      const query = { company_id, sort, limit: 200 };
      const bare = await walk(api, 'contacts', query);
      const { items, pages } = await walk(api, 'contacts', { ...query, expand: 'company' });
      expect([sort, bare.pages.length, pages.length]).toEqual([sort, 1, 2]);
      expect(items.map(({ contact_id }) => contact_id)).toEqual(
        bare.items.map(({ contact_id }) => contact_id),
      );
      for (const { company } of items) expect(company.company_id).toBe(company_id);
    }
  });

  it('shows one sale with hundreds of large contacts', async () => {
    const { api } = workspace;
    const large = { company_role: '\u6e0b'.repeat(1_000) };
    const contacts = await Promise.all(
      Array.from({ length: 400 }, (_, nr) =>
        ok(api.post('contacts', { name: '\u8c37'.repeat(990) + nr, ...large })),
      ),
    );
    const { data: stages } = await ok(api.get('sale-statuses'));
    const associated_contacts = contacts.map(({ contact_id }) => ({ contact_id }));
    const { sale_id } = await ok(api.post('sales', { status_id: stages[0].status_id, associated_contacts }));
    const one = await ok(api.get(`sales/${sale_id}`, { expand: 'contacts' }));
    expect(one.contacts).toEqual(contacts);
    const { data } = await ok(api.get('sales', { expand: 'contacts' }));
    expect(data[0].contacts).toEqual(contacts);
  });
});
