import {
  type Client,
  emailChannel,
  type Json,
  newWorkspace,
  ok,
  type Query,
  type Workspace,
} from '../support/clients/client.js';
import { inDatabase } from '../support/database/database.js';
import { expectProblem } from '../support/clients/expectations.js';
import { received } from '../support/data/records.js';
import { removeDataDir } from '../support/server/data-dir.js';
import { type Server, startServer } from '../support/server/server.js';
import { until } from '../support/until.js';

/** A list, the columns that order it, and how its rows are made. */
interface List {
  path: () => string;
  id: string;
  sort?: string;
  /** The table whose rows get their instants written behind the server's back. */
  table?: string;
  filter: Query;
}

const AT = (micros: number) => `2026-01-02T03:04:05.${String(678_901 + micros)}Z`;
/** Microseconds by which the rows of each list differ: ties, neighbours, and one out of its order of creation. */
const OFFSETS = [0, 0, 0, 1, 1, 2, -1];

/** Of its own: rows get instants here of which the events know nothing, and a rebuild by another test would take them back. */
let server: Server;
let workspace: Workspace;
let contactId: string;
let conversationId: string;
let agentId: string;

const LISTS: Record<string, List> = {
  contacts: {
    path: () => 'contacts',
    id: 'contact_id',
    table: 'contact',
    sort: 'created_at',
    filter: { email: 'grace@navy.example' },
  },
  companies: {
    path: () => 'companies',
    id: 'company_id',
    table: 'company',
    sort: 'created_at',
    filter: { domain: 'navy.example' },
  },
  agents: { path: () => 'agents', id: 'agent_id', table: 'agent', filter: {} },
  conversations: {
    path: () => 'conversations',
    id: 'conversation_id',
    sort: 'last_activity_at',
    filter: { start_date: '2026-01-01T00:00:00Z' },
  },
  'conversations of a contact': {
    path: () => `contacts/${contactId}/conversations`,
    id: 'conversation_id',
    sort: 'last_activity_at',
    filter: { end_date: '2026-02-01T00:00:00Z' },
  },
  'conversations of an agent': {
    path: () => `agents/${agentId}/conversations`,
    id: 'conversation_id',
    sort: 'last_activity_at',
    filter: { end_date: '2026-02-01T00:00:00Z' },
  },
  messages: {
    path: () => `conversations/${conversationId}/messages`,
    id: 'message_id',
    sort: 'sent_at',
    filter: { start_date: '2026-01-01T00:00:00Z' },
  },
  'message drafts': {
    path: () => 'message-drafts',
    id: 'draft_id',
    sort: 'created_at',
    table: 'draft',
    filter: { end_date: '2026-02-01T00:00:00Z' },
  },
  sales: {
    path: () => 'sales',
    id: 'sale_id',
    sort: 'last_activity_at',
    table: 'sale',
    filter: { start_date: '2026-01-01T00:00:00Z' },
  },
  'sales of an agent': {
    path: () => `agents/${agentId}/sales`,
    id: 'sale_id',
    sort: 'last_activity_at',
    filter: { end_date: '2026-02-01T00:00:00Z' },
  },
  tasks: { path: () => 'tasks', id: 'task_id', table: 'task', sort: 'created_at', filter: { open: true } },
  'audit log': {
    path: () => 'audit-logs',
    id: 'audit_log_id',
    sort: 'occurred_at',
    table: 'audit_log',
    filter: { action_type: 'insert' },
  },
};
/** Holds one row at most, so that it has no second page. */
const RESPONSE_DRAFTS: List = {
  path: () => `conversations/${conversationId}/response-drafts`,
  id: 'response_id',
  sort: 'created_at',
  filter: {},
};
const MANY = Object.entries(LISTS);
const ALL: [string, List][] = [...MANY, ['response drafts', RESPONSE_DRAFTS]];
const DATED = MANY.filter(([, { sort }]) => sort !== undefined);

beforeAll(async () => {
  server = await startServer();
  workspace = await newWorkspace({ url: server.url });
  const { api, adminApi } = workspace;
  agentId = workspace.agentId;
  for (let i = 1; i < OFFSETS.length; i++) await ok(adminApi.post('agents', { name: `Agent ${i}` }));
  for (const offset of OFFSETS) {
    await ok(api.post('companies', { name: `Company ${offset}`, domain: 'navy.example' }));
    await ok(api.post('contacts', { name: `Contact ${offset}`, email: 'grace@navy.example' }));
  }
  contactId = (await ok(api.get('contacts'))).data[0].contact_id;
  const contact = { contact_id: contactId };
  for (const offset of OFFSETS) {
    const sent = await ok(received(api, { contact, sent_at: AT(offset) }));
    await ok(api.patch(`conversations/${sent.conversation_id}`, { agent_id: agentId }));
    conversationId = sent.conversation_id;
  }
  const [{ status_id }] = (await ok(api.get('sale-statuses'))).data;
  const contacts = [{ contact_id: contactId }];
  for (const offset of OFFSETS) {
    await ok(api.post('sales', { status_id, associated_contacts: contacts, owner_id: agentId }));
    await ok(api.post('tasks', { title: `Task ${offset}` }));
  }
  await ok(received(api, { contact, sent_at: AT(3), conversation_id: conversationId }));
  for (const offset of OFFSETS.slice(1))
    await ok(received(api, { contact, sent_at: AT(offset), conversation_id: conversationId }));
  await emailChannel(workspace, 1);
  for (const subject of OFFSETS.map(String))
    await ok(api.post('message-drafts', { modality: 'email', subject }));
  await ok(api.post(`conversations/${conversationId}/response-drafts`, { body_html: 'Yes' }));
  await until(
    async () => (await ok(api.get('audit-logs', { record_type: 'response_draft' }))).data.length > 0,
  );
  await inDatabase(async (database) => {
    for (const { table, id, sort = 'created_at' } of Object.values(LISTS)) {
      if (table === undefined) continue;
      const { rows } = await database.query(
        `SELECT ${id} AS id FROM ${table} WHERE organization_id = $1 ORDER BY ${id}`,
        [workspace.organizationId],
      );
      const instants = rows.map((_, nr) => AT(OFFSETS[nr % OFFSETS.length]!));
      await database.query(
        `UPDATE ${table} SET ${sort} = given.instant FROM unnest($1::text[], $2::timestamptz[]) AS given (row_id, instant)
          WHERE organization_id = $3 AND ${id} = given.row_id`,
        [rows.map(({ id: own }) => own), instants, workspace.organizationId],
      );
    }
  }, server.dataDir);
});
afterAll(async () => {
  await server.stop();
  removeDataDir(server.dataDir);
});

const page = (list: List, query: Query = {}, api: Client = workspace.api): Promise<Json> =>
  ok(api.get(list.path(), query));
const idsOf = (list: List, { data }: Json): string[] => data.map((row: Json) => row[list.id]);

/** All pages of a list, from the first to the last. */
async function walk(
  list: List,
  query: Query,
  between: () => Promise<unknown> = async () => {},
): Promise<Json[]> {
  const pages: Json[] = [];
  for (let cursor: string | null | undefined; cursor !== null; cursor = pages.at(-1).pagination.next_cursor) {
    pages.push(await page(list, { ...query, cursor: cursor ?? undefined }));
    await between();
  }
  return pages;
}

describe.each(MANY)('the list of %s', (_, list) => {
  it('has the newest first, ties broken by id, both descending', async () => {
    const { data } = await page(list, { limit: 200 });
    const keys = data.map((row: Json) => `${list.sort === undefined ? '' : row[list.sort]} ${row[list.id]}`);
    expect(keys.length).toBeGreaterThanOrEqual(OFFSETS.length);
    if (list.sort !== undefined || list.table === undefined) expect(keys).toEqual([...keys].sort().reverse());
    else expect(idsOf(list, { data })).toEqual(await inOrder(list));
  });

  it.each([1, 2, 3, 200])('gives every row exactly once in pages of %i', async (limit) => {
    const whole = idsOf(list, await page(list, { limit: 200 }));
    const pages = await walk(list, { limit });
    expect(pages.flatMap((one) => idsOf(list, one))).toEqual(whole);
    pages.forEach(({ data, pagination }, index) => {
      const isLast = index === pages.length - 1;
      expect(pagination).toEqual({
        limit,
        cursor: index === 0 ? null : pages[index - 1].pagination.next_cursor,
        next_cursor: isLast ? null : expect.stringMatching(/^[\w.~-]+$/),
        has_more: !isLast,
      });
      if (!isLast) expect(data).toHaveLength(limit);
    });
  });

  it('gives each who asks for a page at the same time as others the one that was asked for', async () => {
    const pages = await walk(list, { limit: 2 });
    const cursors = pages.map(({ pagination }) => pagination.cursor ?? undefined);
    const queries = [list.filter, ...cursors.flatMap((cursor) => [1, 3].map((limit) => ({ cursor, limit })))];
    const apart: Json[] = [];
    for (const query of queries) apart.push(await page(list, query));
    expect(await Promise.all(queries.map((query) => page(list, query)))).toEqual(apart);
  });

  it('has no further page behind one that holds exactly what is left', async () => {
    const count = (await page(list, { limit: 200 })).data.length;
    expect((await page(list, { limit: count })).pagination).toMatchObject({
      has_more: false,
      next_cursor: null,
    });
    const { pagination } = await page(list, { limit: count - 1 });
    expect(pagination.has_more).toBe(true);
    expect((await page(list, { limit: count - 1, cursor: pagination.next_cursor })).data).toHaveLength(1);
  });

  it('takes a cursor with another limit, and again', async () => {
    const { next_cursor: cursor } = (await page(list, { limit: 2 })).pagination;
    const rest = idsOf(list, await page(list, { limit: 200, cursor }));
    expect(idsOf(list, await page(list, { limit: 1, cursor }))).toEqual(rest.slice(0, 1));
    expect(idsOf(list, await page(list, { limit: 200, cursor }))).toEqual(rest);
  });

  it('refuses a cursor of other filters', async () => {
    if (Object.keys(list.filter).length === 0) return;
    const { next_cursor: without } = (await page(list, { limit: 1 })).pagination;
    const { next_cursor: filtered } = (await page(list, { limit: 1, ...list.filter })).pagination;
    const { api } = workspace;
    expectProblem(await api.get(list.path(), { cursor: filtered }), 400, 'validation_failed', 'cursor');
    expectProblem(
      await api.get(list.path(), { cursor: without, ...list.filter }),
      400,
      'validation_failed',
      'cursor',
    );
    await page(list, { cursor: filtered, ...list.filter });
  });

  it('refuses a cursor that was tampered with', async () => {
    const cursor: string = (await page(list, { limit: 1 })).pagination.next_cursor;
    const [payload = '', signature = ''] = cursor.split('.');
    const other = (text: string, at: number) =>
      text.slice(0, at) + (text[at] === 'A' ? 'B' : 'A') + text.slice(at + 1);
    const made = Buffer.from(JSON.stringify([AT(0), 'x'])).toString('base64url');
    for (const wrong of [
      other(cursor, 0),
      other(cursor, 10),
      other(cursor, payload.length + 1),
      cursor.slice(0, -1),
      `${cursor}A`,
      `${cursor}.`,
      `${cursor}.A`,
      payload,
      `${payload}.`,
      `.${signature}`,
      `${made}.${signature}`,
      cursor.toUpperCase(),
      ` ${cursor}`,
    ])
      expectProblem(
        await workspace.api.get(list.path(), { cursor: wrong }),
        400,
        'validation_failed',
        'cursor',
      );
  });
});

/** The ids of a list whose sort key is not shown, as the database orders them. */
const inOrder = ({ table, id, sort = 'created_at' }: List): Promise<string[]> =>
  inDatabase(async (database) => {
    const text = `SELECT ${id} AS id FROM ${table} WHERE organization_id = $1 ORDER BY ${sort} DESC, ${id} DESC`;
    const { rows } = await database.query<{ id: string }>(text, [workspace.organizationId]);
    return rows.map((row) => row.id);
  }, server.dataDir);

describe.each(ALL)('the list of %s', (_, list) => {
  it('has a limit of 50 when none is given', async () => {
    expect((await page(list)).pagination.limit).toBe(50);
  });

  it.each(['1', '200', '007'])('takes the limit %s', async (limit) => {
    expect((await page(list, { limit })).pagination.limit).toBe(Number(limit));
  });

  it.each([
    '0',
    '-1',
    '201',
    '1.5',
    '1e2',
    '0x10',
    '',
    ' 5',
    '5 ',
    '+5',
    'all',
    '١',
    'NaN',
    'Infinity',
    '9'.repeat(30),
  ])('refuses the limit "%s"', async (limit) => {
    expectProblem(await workspace.api.get(list.path(), { limit }), 400, 'validation_failed', 'limit');
  });

  it.each(['', 'x', '.', 'null', 'W10.x', '\u{1F600}', 'x'.repeat(2_000), '%00', "' OR 1=1 --"])(
    'refuses the cursor "%s"',
    async (cursor) => {
      expectProblem(await workspace.api.get(list.path(), { cursor }), 400, 'validation_failed', 'cursor');
    },
  );

  it('refuses limit and cursor given twice', async () => {
    expectProblem(
      await workspace.api.get(`${list.path()}?limit=1&limit=1`),
      400,
      'validation_failed',
      'limit',
    );
    expectProblem(
      await workspace.api.get(`${list.path()}?cursor=a&cursor=b`),
      400,
      'validation_failed',
      'cursor',
    );
  });
});

describe('a cursor', () => {
  const first = async (list: List, api = workspace.api): Promise<string> =>
    (await page(list, { limit: 1 }, api)).pagination.next_cursor;

  it('is refused by every other list', async () => {
    for (const [from, source] of MANY)
      for (const [to, target] of ALL.filter(([name]) => name !== from)) {
        const answer = await workspace.api.get(target.path(), { cursor: await first(source) });
        expect([from, to, answer.status]).toEqual([from, to, 400]);
      }
  });

  it('is refused by the same list of another organization', async () => {
    const other = await newWorkspace({ url: server.url });
    for (const name of ['contacts', 'companies', 'agents', 'conversations', 'sales', 'tasks', 'audit log'])
      expectProblem(
        await other.api.get(LISTS[name]!.path(), { cursor: await first(LISTS[name]!) }),
        400,
        'validation_failed',
        'cursor',
      );
  });

  it('is refused by the messages of another conversation and the conversations of another contact', async () => {
    const { api } = workspace;
    const [{ conversation_id }] = (await ok(api.get('conversations'))).data.filter(
      (one: Json) => one.conversation_id !== conversationId,
    );
    const messages = { cursor: await first(LISTS['messages']!) };
    expectProblem(
      await api.get(`conversations/${conversation_id}/messages`, messages),
      400,
      'validation_failed',
      'cursor',
    );
    const [{ contact_id }] = (await ok(api.get('contacts'))).data.filter(
      (one: Json) => one.contact_id !== contactId,
    );
    const conversations = { cursor: await first(LISTS['conversations of a contact']!) };
    expectProblem(
      await api.get(`contacts/${contact_id}/conversations`, conversations),
      400,
      'validation_failed',
      'cursor',
    );
  });

  it('holds across two spellings of the same filters', async () => {
    const spellings = [
      { start_date: '2026-01-01T00:00:00Z' },
      { start_date: '2026-01-01T02:00:00.000+02:00' },
    ];
    const cursors = [];
    for (const spelling of spellings)
      cursors.push((await page(LISTS['conversations']!, { limit: 1, ...spelling })).pagination.next_cursor);
    expect(cursors[0]).toBe(cursors[1]);
  });

  it('works for every key that sees the organization', async () => {
    const { admin, api, organizationId } = workspace;
    const { api_key } = await ok(
      admin.post('api-keys', { name: 'Other', organization_ids: [organizationId] }),
    );
    const cursor = await first(LISTS['contacts']!);
    expect((await api.with({ 'x-api-key': api_key }).get('contacts', { cursor })).status).toBe(200);
  });
});

describe('start_date and end_date', () => {
  it.each(DATED)(
    'narrow the list of %s to the microsecond, start inclusive and end exclusive',
    async (_, list) => {
      const all = (await page(list, { limit: 200 })).data as Json[];
      const within = async (query: Query) => idsOf(list, await page(list, { limit: 200, ...query }));
      const expected = (holds: (instant: string) => boolean) =>
        all.filter((row) => holds(row[list.sort!])).map((row) => row[list.id]);

      expect(await within({ start_date: AT(0), end_date: AT(1) })).toEqual(expected((at) => at === AT(0)));
      expect(expected((at) => at === AT(0)).length).toBeGreaterThan(1);
      expect(await within({ start_date: AT(1) })).toEqual(expected((at) => at >= AT(1)));
      expect(await within({ end_date: AT(1) })).toEqual(expected((at) => at < AT(1)));
      expect(await within({ start_date: AT(-1), end_date: AT(0) })).toEqual(expected((at) => at === AT(-1)));
      expect(await within({ start_date: AT(10) })).toEqual([]);
    },
  );

  it.each(DATED)('of the list of %s are kept through its pages', async (_, list) => {
    const window = { start_date: AT(0), end_date: AT(2) };
    const whole = idsOf(list, await page(list, { limit: 200, ...window }));
    const pages = await walk(list, { limit: 1, ...window });
    expect(pages.flatMap((one) => idsOf(list, one))).toEqual(whole);
  });

  it.each([...DATED, ['response drafts', RESPONSE_DRAFTS] as const])(
    'of the list of %s must be in order',
    async (_, list) => {
      for (const [start_date, end_date] of [
        [AT(0), AT(0)],
        [AT(1), AT(0)],
        ['2026-01-02T00:00:00+01:00', '2026-01-01T23:00:00Z'],
      ]) {
        const answer = await workspace.api.get(list.path(), { start_date, end_date });
        expectProblem(answer, 400, 'validation_failed', 'end_date');
      }
    },
  );

  it('narrow the list of agents by when they were made, which agents do not show', async () => {
    const all = idsOf(LISTS['agents']!, await page(LISTS['agents']!));
    const within = async (query: Query) => idsOf(LISTS['agents']!, await page(LISTS['agents']!, query));
    expect(all.length).toBeGreaterThan(1);
    expect(await within({ start_date: AT(-9) })).toEqual(all);
    expect(await within({ end_date: AT(-9) })).toEqual([]);
    expect((await within({ start_date: AT(0), end_date: AT(1) })).length).toBeLessThan(all.length);
  });
});

describe('a list that changes while someone pages', () => {
  it.each<[string, (own: Workspace, at: number) => Promise<unknown>]>([
    ['contacts', ({ api }, at) => ok(api.post('contacts', { name: `Contact ${at}` }))],
    ['companies', ({ api }, at) => ok(api.post('companies', { name: `Company ${at}` }))],
    ['agents', ({ adminApi }, at) => ok(adminApi.post('agents', { name: `Agent ${at}` }))],
    ['conversations', ({ api }, at) => ok(received(api, { contact: { name: 'Grace' }, sent_at: AT(at) }))],
  ])('gives every row of %s that was there exactly once, whatever is added meanwhile', async (name, add) => {
    const own = await newWorkspace({ url: server.url });
    const list = { ...LISTS[name]!, path: () => own.api.path(name) };
    for (let at = 0; at < 6; at++) await add(own, at * 10);
    const before = idsOf(list, await page(list, {}, own.api));
    let added = 0;
    const seen: string[] = [];
    for (let cursor: string | null | undefined; cursor !== null;) {
      const one: Json = await page(list, { limit: 2, cursor: cursor ?? undefined }, own.api);
      seen.push(...idsOf(list, one));
      cursor = one.pagination.next_cursor;
      if (added < 4) await add(own, 100 + added++);
    }
    expect(seen).toEqual(before);
  });

  it('gives the conversations that do not change exactly once while another one moves to the top', async () => {
    const { api } = await newWorkspace({ url: server.url });
    const contact = { name: 'Grace' };
    for (let at = 0; at < 6; at++) await ok(received(api, { contact, sent_at: AT(at * 10) }));
    const list = LISTS['conversations']!;
    const before = idsOf(list, await page(list, {}, api));
    const oldest = before.at(-1)!;
    const start = await page(list, { limit: 2 }, api);
    await ok(received(api, { conversation_id: oldest, sent_at: AT(500) }));
    const { data } = await page(list, { cursor: start.pagination.next_cursor }, api);
    expect([...idsOf(list, start), ...idsOf(list, { data })]).toEqual(before.slice(0, -1));
    expect(idsOf(list, await page(list, { limit: 1 }, api))).toEqual([oldest]);
  });
});

it('a page is as long as its limit, however many rows are asked for at once', async () => {
  const own = await newWorkspace({ url: server.url });
  const titles = Array.from({ length: 120 }, (_, nr) => `Task ${nr}`);
  for (const title of titles) await ok(own.api.post('tasks', { title }));
  for (const limit of [49, 50, 51, 52, 100, 101, 119, 120, 121, 200]) {
    const { data, pagination } = await ok(own.api.get('tasks', { limit }));
    expect(data.map((one: Json) => one.title)).toEqual(titles.toReversed().slice(0, limit));
    expect(pagination.has_more).toBe(limit < 120);
    if (limit >= 120) continue;
    const rest = await ok(own.api.get('tasks', { limit: 200, cursor: pagination.next_cursor }));
    expect(rest.data).toHaveLength(120 - limit);
  }
});

describe('a page of long texts', () => {
  const COUNT = 40;
  let own: Workspace;
  let path: string;
  let recorded: string[];

  beforeAll(async () => {
    own = await newWorkspace({ url: server.url });
    const first = await ok(received(own.api, { contact: { name: 'Grace' } }));
    const { conversation_id } = first;
    path = `conversations/${conversation_id}/messages`;
    const content = 'x'.repeat(700_000);
    recorded = [first.message_id];
    for (let nr = 0; nr < COUNT; nr++)
      recorded.push((await ok(received(own.api, { conversation_id, content }))).message_id);
  });

  it('ends before its limit, and all are on the pages together, once', async () => {
    const seen: string[] = [];
    for (let cursor: string | null = null, more = true; more;) {
      const page = await own.api.get(path, { limit: 200, ...(cursor !== null && { cursor }) });
      expect(page.text.length).toBeLessThan(20_000_000);
      const { data, pagination } = page.body;
      expect(pagination).toMatchObject({ limit: 200, has_more: pagination.next_cursor !== null });
      seen.push(...data.map((one: Json) => one.message_id));
      ({ next_cursor: cursor, has_more: more } = pagination);
      if (more) expect(data.length).toBeLessThan(COUNT);
    }
    expect(seen).toEqual(recorded.toReversed());
  });

  it('of the event feed ends so, too', async () => {
    await ok(own.api.post('companies', { name: 'Last' }));
    const types = 'ConversationOpened,MessageRecorded';
    const seen: string[] = [];
    for (let after: string | undefined, more = true; more;) {
      const page = await own.api.get('events', { limit: 200, types, ...(after !== undefined && { after }) });
      expect(page.text.length).toBeLessThan(20_000_000);
      seen.push(...page.body.data.map((one: Json) => one.data.message.message_id));
      ({ next_after: after, has_more: more } = page.body);
    }
    expect(seen).toEqual(recorded);
  });
});
