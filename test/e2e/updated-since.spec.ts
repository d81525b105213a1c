import { type Client, emailChannel, type Json, ok, type Query } from '../support/clients/client.js';
import { expectProblem, INSTANT } from '../support/clients/expectations.js';
import { draftsOf } from '../support/data/mail.js';
import { received } from '../support/data/records.js';
import { type SalesWorkspace, salesWorkspace } from '../support/data/sales.js';
import { randomFrom } from '../support/random.js';

let own: SalesWorkspace;

beforeAll(async () => {
  own = await salesWorkspace();
  await emailChannel(own, 9);
});

/** What each list shows by id. */
const LISTS: Record<string, string> = {
  contacts: 'contact_id',
  companies: 'company_id',
  sales: 'sale_id',
  tasks: 'task_id',
  conversations: 'conversation_id',
  'message-drafts': 'draft_id',
  'response-drafts': 'response_id',
};

/** All pages from an instant on. */
async function since(api: Client, path: string, updated_since: string, query: Query = {}): Promise<Json[]> {
  const rows: Json[] = [];
  for (let cursor: string | undefined; ;) {
    const page = await ok(api.get(path, { updated_since, limit: 3, cursor, ...query }));
    rows.push(...page.data);
    if (!page.pagination.has_more) return rows;
    cursor = page.pagination.next_cursor;
  }
}

const EPOCH = '2000-01-01T00:00:00Z';

/** Makes one record of each kind. */
async function oneOfEach(): Promise<Record<string, Json>> {
  const { api } = own;
  const contact = await ok(api.post('contacts', { name: 'Ada', email: `ada${Math.random()}@x.example` }));
  const { conversation_id } = await ok(received(api, { contact: { contact_id: contact.contact_id } }));
  const { draft_id } = await ok(
    api.post('message-drafts', {
      modality: 'email',
      subject: 'Hi',
      to_email: 'a@x.example',
      add_notification: false,
    }),
  );
  const { response_id } = await ok(
    api.post(draftsOf({ conversation_id }), { body_html: 'Yes', add_notification: false }),
  );
  return {
    contacts: contact,
    companies: await ok(api.post('companies', { name: 'Engines' })),
    sales: await own.open(),
    tasks: await ok(api.post('tasks', { title: 'Call' })),
    conversations: await ok(api.get(`conversations/${conversation_id}`)),
    'message-drafts': await ok(api.get(`message-drafts/${draft_id}`)),
    'response-drafts': await ok(api.get(`${draftsOf({ conversation_id })}/${response_id}`)),
  };
}

it.each(Object.entries(LISTS))(
  '%s are listed from an instant on in the order of their changes',
  async (path, id) => {
    const records = [(await oneOfEach())[path]!, (await oneOfEach())[path]!];
    for (const { updated_at } of records) expect(updated_at).toMatch(INSTANT);
    const all = await since(own.api, path, EPOCH);
    const times = all.map(({ updated_at }) => updated_at as string);
    expect(times).toEqual([...times].sort());
    const whole = await ok(own.api.get(path, { limit: 200 }));
    expect(new Map(all.map((row) => [row[id], row]))).toEqual(
      new Map(whole.data.map((row: Json) => [row[id], row])),
    );
    // Inclusive.
    const [first, second] = records as [Json, Json];
    const from = async (at: string) => (await since(own.api, path, at)).map((row) => row[id] as string);
    expect(await from(first['updated_at'])).toEqual(expect.arrayContaining([first[id], second[id]]));
    expect(await from(second['updated_at'])).not.toContain(first[id]);
    expectProblem(
      await own.api.get(path, { updated_since: EPOCH, sort: '-created_at' }),
      400,
      'validation_failed',
      'sort',
    );
    expectProblem(
      await own.api.get(path, { updated_since: 'yesterday' }),
      400,
      'validation_failed',
      'updated_since',
    );
  },
);

it.each<[string, string, (record: Json) => Promise<unknown>]>([
  ['contacts', 'contact_id', ({ contact_id, name }) => ok(own.api.patch(`contacts/${contact_id}`, { name }))],
  [
    'companies',
    'company_id',
    ({ company_id, name }) => ok(own.api.patch(`companies/${company_id}`, { name })),
  ],
  ['sales', 'sale_id', ({ sale_id, owner_id }) => ok(own.api.patch(`sales/${sale_id}`, { owner_id }))],
  ['tasks', 'task_id', ({ task_id, title }) => ok(own.api.patch(`tasks/${task_id}`, { title }))],
  [
    'conversations',
    'conversation_id',
    async ({ conversation_id, is_read }) => {
      await ok(own.api.patch(`conversations/${conversation_id}`, { is_read }));
    },
  ],
  [
    'response-drafts',
    'response_id',
    ({ conversation_id, body_html }) =>
      ok(own.api.post(draftsOf({ conversation_id }), { body_html, add_notification: false })),
  ],
])('naming what is there already changes no updated_at of %s', async (path, id, repeat) => {
  const record = (await oneOfEach())[path]!;
  await repeat(record);
  const again = (await since(own.api, path, record['updated_at'])).find((row) => row[id] === record[id]);
  expect(again).toEqual(record);
});

it('naming the present owner of a conversation changes no updated_at', async () => {
  const { conversation_id } = (await oneOfEach())['conversations']!;
  const at = `conversations/${conversation_id}`;
  const agent_id = own.agentId;
  await ok(received(own.api, { conversation_id, agent_id, message_direction: 'sent' }));
  const before = await ok(own.api.get(at));
  expect(before.agent_id).toBe(agent_id);
  expect(await ok(own.api.patch(at, { agent_id }))).toEqual(before);
});

it.each<[string, (conversation: Json) => Promise<unknown>]>([
  [
    'a message',
    ({ conversation_id }) => ok(received(own.api, { conversation_id, sent_at: '2020-01-01T00:00:00Z' })),
  ],
  [
    'being read',
    ({ conversation_id, is_read }) =>
      ok(own.api.patch(`conversations/${conversation_id}`, { is_read: !is_read })),
  ],
  [
    'a reply that is drafted',
    ({ conversation_id }) =>
      ok(own.api.post(draftsOf({ conversation_id }), { body_html: 'Yes', add_notification: false })),
  ],
])('a conversation changes by %s', async (_, change) => {
  const { contact_id } = await ok(own.api.post('contacts', { name: 'Ada' }));
  const { conversation_id } = await ok(received(own.api, { contact: { contact_id } }));
  const at = `conversations/${conversation_id}`;
  const before = await ok(own.api.get(at));
  await change(before);
  const after = await ok(own.api.get(at));
  expect(after.updated_at > before.updated_at).toBe(true);
  for (const path of ['conversations', `contacts/${contact_id}/conversations`])
    expect((await since(own.api, path, after.updated_at)).at(-1)).toEqual(after);
  // The list of one contact has it once.
  expect(await since(own.api, `contacts/${contact_id}/conversations`, EPOCH)).toEqual([after]);
});

it('a conversation changes when its drafted reply is deleted', async () => {
  const records = await oneOfEach();
  const { conversation_id } = records['conversations']!;
  const before = await ok(own.api.get(`conversations/${conversation_id}`));
  await ok(own.api.delete(`${draftsOf({ conversation_id })}/${records['response-drafts']!['response_id']}`));
  const after = await ok(own.api.get(`conversations/${conversation_id}`));
  expect(after).toEqual({ ...before, has_draft: false, updated_at: after.updated_at });
  expect(after.updated_at > before.updated_at).toBe(true);
});

it('agents are listed from an instant on, too', async () => {
  const added = await ok(own.adminApi.post('agents', { name: 'Zed' }));
  expect((await since(own.api, 'agents', added.updated_at)).map((agent) => agent['agent_id'])).toEqual([
    added.agent_id,
  ]);
  expect(await ok(own.api.get(`agents/${added.agent_id}`))).toEqual(added);
  expect(await since(own.api, 'agents', EPOCH)).toHaveLength((await ok(own.api.get('agents'))).data.length);
});

it('is narrowed by filters, and by start_date and end_date of the list as before', async () => {
  const { company_id } = await ok(own.api.post('companies', { name: 'Narrow' }));
  const contact = await ok(own.api.post('contacts', { name: 'Old', company_id }));
  await ok(own.api.post('contacts', { name: 'New', company_id }));
  const changed = await ok(own.api.patch(`contacts/${contact.contact_id}`, { name: 'Changed' }));
  expect((await since(own.api, 'contacts', EPOCH, { company_id })).map(({ name }) => name)).toEqual([
    'New',
    'Changed',
  ]);
  const query = { company_id, end_date: plusMicro(contact.created_at) };
  expect(await since(own.api, 'contacts', EPOCH, query)).toEqual([changed]);
});

/** The instant a microsecond later. */
const plusMicro = (at: string): string =>
  at.replace(/\d{6}Z$/, (micros) => `${String(Number.parseInt(micros) + 1).padStart(6, '0')}Z`);

it('keeps a client in step that goes on from its last updated_at, over many writers at once', async () => {
  const { api } = await salesWorkspace();
  const random = randomFrom(20_260_102);
  const paths = ['contacts', 'companies', 'tasks'];
  const ids: string[] = [];
  let writing = true;
  const writer = async () => {
    for (let nr = 0; nr < 60; nr++) {
      const path = paths[random.integer(0, 2)]!;
      const known = ids.filter((one) => one.startsWith(path));
      const name = `n${nr}`;
      const body = path === 'tasks' ? { title: name } : { name };
      if (known.length > 0 && random.chance(0.6))
        await ok(api.patch(known[random.integer(0, known.length - 1)]!, body));
      else {
        const record = await ok(api.post(path, body));
        ids.push(`${path}/${record[LISTS[path]!]}`);
      }
    }
  };
  const copy = new Map<string, Json>();
  const last: Record<string, string> = {};
  const read = async () => {
    for (const path of paths)
      for (const row of await since(api, path, last[path] ?? EPOCH, { limit: 50 })) {
        copy.set(row[LISTS[path]!], row);
        last[path] = row['updated_at'];
      }
  };
  const reading = (async () => {
    while (writing) await read();
  })();
  await Promise.all(Array.from({ length: 8 }, writer));
  writing = false;
  await reading;
  await read();
  const whole = new Map<string, Json>();
  for (const path of paths)
    for (let cursor: string | undefined; ;) {
      const page = await ok(api.get(path, { limit: 200, cursor }));
      for (const row of page.data) whole.set(row[LISTS[path]!], row);
      if (!page.pagination.has_more) break;
      cursor = page.pagination.next_cursor;
    }
  expect(whole.size).toBeGreaterThan(100);
  expect(copy).toEqual(whole);
});
