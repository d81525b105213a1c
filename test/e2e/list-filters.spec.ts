import { apiOf, emailChannel, type Json, newKey, ok, type Query } from '../support/clients/client.js';
import { expectProblem } from '../support/clients/expectations.js';
import { readFeed } from '../support/clients/feed.js';
import { draftsOf } from '../support/data/mail.js';
import { received } from '../support/data/records.js';
import { type SalesWorkspace, salesWorkspace } from '../support/data/sales.js';
import { randomFrom } from '../support/random.js';

// To repeat a run that failed: PARLEY_SEED=<seed in the failure>
const seed = Number(process.env['PARLEY_SEED'] ?? Math.floor(Math.random() * 2 ** 31));

/** A filter as it is asked for, and the records that it lets through. */
type Filter = [query: Query, holds: (record: Json) => boolean];
/** An order, the value that it goes by (null is in the order's rest, or left out), and the id. */
interface Order {
  value: (record: Json) => string | number | null;
  ascending?: boolean;
  /** Whether records without a value are left out. */
  leavesOut?: boolean;
  /** The order of the records without a value. */
  rest?: (record: Json) => string;
}

interface ListCase {
  path: string;
  id: string;
  filters: Filter[];
  orders: Record<string, Order>;
}

let own: SalesWorkspace;
/** What the lists show: records by path. */
let all: Record<string, Json[]>;
let companies: string[];
let otherAgent: string;

beforeAll(async () => {
  own = await salesWorkspace();
  await emailChannel(own, 9);
  const { api, admin, adminApi, organizationId } = own;
  otherAgent = (await ok(adminApi.post('agents', { name: 'Alan' }))).agent_id;
  const key = await ok(newKey(admin, organizationId, { agent_id: otherAgent }));
  const asAgent = apiOf(organizationId, key.api_key);
  for (const record of ['contacts', 'companies', 'sales'])
    for (const [label, type] of [
      ['Plan', 'string'],
      ['Seats', 'number'],
      ['VIP', 'boolean'],
    ])
      await ok(adminApi.post(`custom-fields/${record}`, { label, type }));
  const custom = (nr: number) => ({ plan: ['gold', 'Gold', ''][nr % 3], seats: nr % 4, vip: nr % 2 === 0 });
  companies = [];
  for (const [nr, name] of ['Émile & Söhne', 'emilia', 'EMIL_100%', 'Zeta'].entries())
    companies.push((await ok(api.post('companies', { name, custom_fields: custom(nr) }))).company_id);
  const contacts: string[] = [];
  for (let nr = 0; nr < 12; nr++) {
    const name = `${['Ángel', 'angela', 'ANGUS', 'Bo'][nr % 4]} ${nr}`;
    const body = { name, company_id: companies[nr % 3], custom_fields: custom(nr) };
    contacts.push((await ok(api.post('contacts', body))).contact_id);
  }
  for (let nr = 0; nr < 24; nr++) {
    const contact = { contact_id: contacts[nr % 9]! };
    const modality = ['email', 'text', 'call'][nr % 3];
    const sent_at = `2026-01-0${(nr % 5) + 1}T10:00:00.00000${nr % 7}Z`;
    const more = { ...(nr % 4 > 0 && { folder: ['a', 'b', 'c'][nr % 3] }), modality };
    const { conversation_id } = await ok(received(api, { contact, sent_at, content: 'Hello', ...more }));
    if (nr % 3 === 0) await ok(api.patch(`conversations/${conversation_id}`, { is_read: true }));
    if (nr % 5 === 0)
      await ok(
        api.patch(`conversations/${conversation_id}`, { agent_id: nr % 2 ? otherAgent : own.agentId }),
      );
    if (nr % 4 === 0)
      await ok(api.post(draftsOf({ conversation_id }), { body_html: 'Hi', add_notification: false }));
    if (nr % 6 === 1)
      await ok(
        received(api, {
          conversation_id,
          message_direction: 'sent',
          content: 'Yes',
          modality,
          sent_at: undefined,
        }),
      );
    const sale = await own.open({
      custom_fields: custom(nr),
      ...(nr % 4 === 0 && { owner_id: otherAgent }),
      associated_contacts: [{ contact_id: contacts[nr % 5]! }],
      ...(nr % 2 === 1 && { conversation_ids: [conversation_id] }),
    });
    if (nr % 3 > 0)
      await ok(
        api.put(`sales/${sale.sale_id}/quote`, {
          currency: 'EUR',
          products: [{ product_name: 'Desk', quantity: 1, unit_price: ['9.5', '10', '100'][nr % 3] }],
        }),
      );
    const due_at = nr % 4 === 0 ? null : `20${nr % 2 ? 26 : 36}-01-0${(nr % 7) + 1}T00:00:00Z`;
    const completed_at = nr % 5 === 0 ? '2026-02-01T00:00:00Z' : null;
    const task = await ok(api.post('tasks', { title: `Task ${nr}`, due_at, agent_id: own.agentId }));
    if (completed_at) await ok(api.patch(`tasks/${task.task_id}`, { completed_at }));
    await ok(
      (nr % 2 ? asAgent : api).post('message-drafts', {
        modality: 'email',
        subject: 'News',
        body_html: 'News',
        to_user_name: 'Grace',
        to_email: `g${nr}@navy.example`,
        folder: ['drafts', 'spring'][nr % 2],
        add_notification: false,
        ...(nr % 3 === 0 && { autosend_draft: true, send_at: `2027-01-0${(nr % 5) + 1}T00:00:00Z` }),
      }),
    );
  }
  all = {};
  for (const { path } of cases()) all[path] = await paged(path, { limit: 200 });
  const ofContact = new Map(all['contacts']!.map((one) => [one.contact_id, one]));
  for (const one of all['conversations']!) {
    one.company_id = ofContact.get(one.contact_id)?.company_id ?? null;
    const contact = ofContact.get(one.contact_id)!;
    if (!contact.last || contact.last < one.last_activity_at) contact.last = one.last_activity_at;
  }
  const conversations = new Map(all['conversations']!.map((one) => [one.conversation_id, one]));
  for (const one of all['response-drafts']!) one.conversation = conversations.get(one.conversation_id);
});

async function paged(path: string, query: Query): Promise<Json[]> {
  const records: Json[] = [];
  for (let cursor: string | undefined; ;) {
    const { data, pagination } = await ok(own.api.get(path, { ...query, cursor }));
    records.push(...data);
    if (!pagination.has_more) return records;
    cursor = pagination.next_cursor;
  }
}

const begins = (name: string) => (one: Json) =>
  one.name.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase().startsWith(name);
const foldedName = (one: Json): string => one.name.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase();
const customs: Filter[] = [
  [{ 'custom_fields[plan]': 'gold' }, (one) => one.custom_fields.plan === 'gold'],
  [{ 'custom_fields[plan]': '' }, (one) => one.custom_fields.plan === ''],
  [{ 'custom_fields[seats]': '2' }, (one) => one.custom_fields.seats === 2],
  [{ 'custom_fields[vip]': 'false' }, (one) => one.custom_fields.vip === false],
  [
    { 'custom_fields[seats]': 0, 'custom_fields[vip]': true },
    (one) => one.custom_fields.seats === 0 && one.custom_fields.vip,
  ],
];
const totalOf = (one: Json): number | null =>
  one.quote_details === null ? null : Number(one.quote_details.output.total_price);
const statusOf = (one: Json): string => (one.delivery.status === 'none' ? 'saved' : one.delivery.status);
const created: Order = { value: (one) => one.created_at };
const drafts = {
  '-created_at': created,
  scheduled_send_at: { value: (one: Json) => one.scheduled_send_at, ascending: true, leavesOut: true },
};
const isOverdue = (one: Json): boolean =>
  one.completed_at === null && one.due_at !== null && one.due_at < new Date().toISOString();

const cases = (): ListCase[] => [
  {
    path: 'conversations',
    id: 'conversation_id',
    filters: [
      [{ folder: 'a' }, (one) => one.folder === 'a'],
      [{ is_read: true }, (one) => one.is_read],
      [{ is_read: false }, (one) => !one.is_read],
      [{ agent_id: own?.agentId }, (one) => one.agent_id === own.agentId],
      [{ agent_id: 'none' }, (one) => one.agent_id === null],
      [
        { contact_id: all?.['contacts']?.at(-1)?.contact_id },
        (one) => one.contact_id === all['contacts']!.at(-1)!.contact_id,
      ],
      [{ company_id: companies?.[1] }, (one) => one.company_id === companies[1]],
      [{ modality: 'call' }, (one) => one.last_message.modality === 'call'],
      [{ waiting: true }, (one) => one.waiting_since !== null],
      [{ waiting: false }, (one) => one.waiting_since === null],
      [{ has_draft: true }, (one) => one.has_draft],
      [{ has_draft: false }, (one) => !one.has_draft],
      [
        { start_date: '2026-01-03T10:00:00.000002Z' },
        (one) => one.last_activity_at >= '2026-01-03T10:00:00.000002Z',
      ],
    ],
    orders: {
      '-last_activity_at': { value: (one) => one.last_activity_at },
      last_activity_at: { value: (one) => one.last_activity_at, ascending: true },
      waiting_since: { value: (one) => one.waiting_since, ascending: true, leavesOut: true },
    },
  },
  {
    path: 'contacts',
    id: 'contact_id',
    filters: [
      [{ name: 'ANGÈ' }, begins('ange')],
      [{ name: 'ang' }, begins('ang')],
      [{ name: '%' }, begins('%')],
      [{ company_id: companies?.[0] }, (one) => one.company_id === companies[0]],
      ...customs,
    ],
    orders: {
      '-created_at': created,
      name: { value: foldedName, ascending: true },
      '-last_activity_at': { value: (one) => one.last ?? null, rest: (one) => one.created_at },
    },
  },
  {
    path: 'companies',
    id: 'company_id',
    filters: [[{ name: 'emil' }, begins('emil')], [{ name: 'Emil_1' }, begins('emil_1')], ...customs],
    orders: { '-created_at': created, name: { value: foldedName, ascending: true } },
  },
  {
    path: 'sales',
    id: 'sale_id',
    filters: [
      [{ min_value: '10' }, (one) => (totalOf(one) ?? -1) >= 10],
      [{ max_value: '10.0000' }, (one) => (totalOf(one) ?? 1_000) <= 10],
      [
        { contact_id: all?.['sales']?.[0]?.associated_contacts[0].contact_id },
        (one) =>
          one.associated_contacts.some(
            ({ contact_id }: Json) => contact_id === all['sales']![0]!.associated_contacts[0].contact_id,
          ),
      ],
      [
        { conversation_id: all?.['sales']?.[0]?.associated_conversation_ids[0] },
        (one) => one.associated_conversation_ids.includes(all['sales']![0]!.associated_conversation_ids[0]),
      ],
      [{ owner_id: otherAgent }, (one) => one.owner_id === otherAgent],
      ...customs,
    ],
    orders: {
      '-last_activity_at': { value: (one) => one.last_activity_at },
      '-created_at': created,
      '-value': { value: (one) => totalOf(one) ?? -1 },
    },
  },
  {
    path: 'tasks',
    id: 'task_id',
    filters: [
      [{ due_before: '2026-01-04T00:00:00Z' }, (one) => one.due_at !== null && one.due_at < '2026-01-04'],
      [{ due_after: '2026-01-04T00:00:00Z' }, (one) => one.due_at !== null && one.due_at >= '2026-01-04'],
      [{ overdue: true }, isOverdue],
      [{ overdue: false }, (one) => !isOverdue(one)],
      [{ open: true }, (one) => one.completed_at === null],
    ],
    orders: {
      '-created_at': created,
      due_at: {
        value: (one) => (one.completed_at === null ? one.due_at : null),
        ascending: true,
        leavesOut: true,
      },
    },
  },
  {
    path: 'message-drafts',
    id: 'draft_id',
    filters: [
      [{ status: 'saved' }, (one) => statusOf(one) === 'saved'],
      [{ status: 'queued' }, (one) => statusOf(one) === 'queued'],
      [{ status: 'failed' }, (one) => statusOf(one) === 'failed'],
      [{ folder: 'spring' }, (one) => one.folder === 'spring'],
      [{ agent_id: own?.agentId }, (one) => one.agent_id === own.agentId],
    ],
    orders: drafts,
  },
  {
    path: 'response-drafts',
    id: 'response_id',
    filters: [
      [{ status: 'uncertain' }, (one) => statusOf(one) === 'uncertain'],
      [{ folder: 'b' }, (one) => one.conversation.folder === 'b'],
      [{ agent_id: own?.agentId }, (one) => one.conversation.agent_id === own.agentId],
    ],
    orders: drafts,
  },
];

/** The ids in the order that the contract tells. */
function expectedIds({ path, id, orders }: ListCase, filters: Filter[], sort: string): string[] {
  const { value, ascending = false, leavesOut, rest } = orders[sort]!;
  const compare = (one: Json, other: Json): number => {
    const [a, b] = [value(one), value(other)];
    if (a === null || b === null) {
      if (a !== b) return a === null ? 1 : -1;
      return rest!(one) < rest!(other) || (rest!(one) === rest!(other) && one[id] < other[id]) ? 1 : -1;
    }
    const way = a < b || (a === b && one[id] < other[id]) ? -1 : 1;
    return ascending ? way : -way;
  };
  return all[path]!.filter((one) => filters.every(([, holds]) => holds(one)))
    .filter((one) => !leavesOut || value(one) !== null)
    .sort(compare)
    .map((one) => one[id]);
}

describe.each(cases().map(({ path }) => path))('the list of %s', (path) => {
  const random = randomFrom(seed);
  const list = () => cases().find((one) => one.path === path)!;

  it('gives with each filter, in each order, what is let through, page by page', async () => {
    const { filters, orders, id } = list();
    const sets: Filter[][] = [[], ...filters.map((one) => [one])];
    for (let nr = 0; nr < 15; nr++) sets.push(random.sample(filters, 2));
    for (const sort of Object.keys(orders))
      for (const set of sets) {
        const names = set.flatMap(([query]) => Object.keys(query));
        if (new Set(names).size < names.length) continue;
        const query = Object.assign({ limit: 4, sort }, ...set.map(([one]) => one)) as Query;
        const found = await paged(path, query);
        expect([seed, query, found.map((one) => one[id])]).toEqual([
          seed,
          query,
          expectedIds(list(), set, sort),
        ]);
      }
  });

  it('has each filter let something through, and something not', () => {
    for (const [query, holds] of list().filters)
      if (!['failed', 'uncertain'].includes(String(query['status'])) && query['name'] !== '%')
        expect([query, new Set(all[path]!.map((one) => Boolean(holds(one)))).size]).toEqual([query, 2]);
  });

  it('shows nothing of what it is in order of but the documented fields', async () => {
    const plain = await ok(own.api.get(path, { limit: 200 }));
    for (const sort of Object.keys(list().orders)) {
      const { data } = await ok(own.api.get(path, { limit: 200, sort }));
      for (const one of data)
        expect(one).toEqual(plain.data.find((other: Json) => other[list().id] === one[list().id]));
    }
  });

  it('refuses an unknown order, and a cursor of another order or filter', async () => {
    const { orders, filters } = list();
    expectProblem(await own.api.get(path, { sort: 'colour' }), 400, 'validation_failed');
    const [one, other] = Object.keys(orders);
    const { pagination } = await ok(own.api.get(path, { limit: 1, sort: one }));
    const cursor = pagination.next_cursor;
    expectProblem(await own.api.get(path, { limit: 1, sort: other, cursor }), 400, 'validation_failed');
    expectProblem(
      await own.api.get(path, { limit: 1, sort: one, ...filters[0]![0], cursor }),
      400,
      'validation_failed',
    );
    await ok(own.api.get(path, { limit: 1, sort: one, cursor }));
  });
});

describe('filters by custom fields', () => {
  it.each(['contacts', 'companies', 'sales'])(
    'of %s are refused where there is no such field or value',
    async (path) => {
      for (const [query, field] of [
        [{ 'custom_fields[nothing]': '1' }, 'custom_fields[nothing]'],
        [{ 'custom_fields[seats]': 'many' }, 'custom_fields[seats]'],
        [{ 'custom_fields[vip]': '1' }, 'custom_fields[vip]'],
        [{ 'custom_fields[__proto__]': '1' }, 'custom_fields[__proto__]'],
        [{ custom_fields: 'gold' }, 'custom_fields'],
      ] as const) {
        const answer = await own.api.get(path, query);
        expectProblem(answer, 400, 'validation_failed');
        expect(answer.body.errors.map((one: Json) => one.field)).toEqual([field]);
      }
      expectProblem(await own.api.get('tasks', { 'custom_fields[plan]': 'gold' }), 400, 'validation_failed');
    },
  );
});

describe('events', () => {
  it('of one record are its own, in order, with types or without', async () => {
    const { sale_id } = all['sales']!.at(-1)!;
    const { data } = await readFeed(own.api, { record_id: sale_id, limit: 200 });
    expect(data.length).toBeGreaterThan(0);
    for (const one of data) expect(one.stream.id).toBe(sale_id);
    expect(data.map((one: Json) => one.stream.version)).toEqual(data.map((_: Json, nr: number) => nr + 1));
    const opened = await ok(own.api.get('events', { record_id: sale_id, types: 'SaleOpened' }));
    expect(opened.data).toEqual(data.slice(0, 1));
    const first = await ok(own.api.get('events', { record_id: sale_id, limit: 1 }));
    const then = await ok(own.api.get('events', { record_id: sale_id, after: first.next_after, limit: 200 }));
    expect([...first.data, ...then.data]).toEqual(data);
    expect(await ok(own.api.get('events', { record_id: 'sale_nowhere' }))).toMatchObject({
      data: [],
      has_more: false,
    });
  });
});
