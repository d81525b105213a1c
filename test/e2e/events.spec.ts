import { Client as Database } from 'pg';
import { type EmbeddedPostgres, startEmbeddedPostgres } from '#embedded-postgres/postgres.js';
import {
  type Client,
  emailChannel,
  type Json,
  newWorkspace,
  ok,
  openApi,
  sharedUrl,
  unique,
  type Workspace,
} from '../support/clients/client.js';
import { newDataDir, removeDataDir } from '../support/server/data-dir.js';
import { inDatabase } from '../support/database/database.js';
import { expectProblem, INSTANT } from '../support/clients/expectations.js';
import { mismatches } from '../support/clients/openapi.js';
import { readFeed, untilFeedIsWhole } from '../support/clients/feed.js';
import { comments } from '../support/data/comments.js';
import { endings } from '../support/data/endings.js';
import { furnishedWorkspace, received } from '../support/data/records.js';
import { type Server, startServer } from '../support/server/server.js';
import { startSmtp, type TestSmtp } from '../support/stand-ins/smtp.js';
import { until } from '../support/until.js';

type Event = Json;

/** The fields of records as the contract's tables name them, and those that came later. */
const CONTRACT: Record<string, string[]> = {
  contact: [
    'contact_id',
    'name',
    'email',
    'phone_number',
    'created_at',
    'company_id',
    'custom_fields',
    'company_role',
    'external_id',
    'metadata',
    'other_emails',
    'other_phone_numbers',
    'tags',
    'updated_at',
  ],
  company: [
    'company_id',
    'name',
    'domain',
    'custom_fields',
    'address',
    'agent_id',
    'created_at',
    'external_id',
    'metadata',
    'tags',
    'updated_at',
  ],
  task: [
    'task_id',
    'title',
    'notes',
    'due_at',
    'completed_at',
    'agent_id',
    'company_id',
    'contact_id',
    'sale_id',
    'created_at',
    'external_id',
    'metadata',
    'updated_at',
  ],
  sale: [
    'sale_id',
    'associated_conversation_ids',
    'company_id',
    'owner_id',
    'associated_contacts',
    'quote_details',
    'custom_fields',
    'current_status',
    'status_history',
    'created_at',
    'last_activity_at',
    'name',
    'expected_close_on',
    'closed_at',
    'external_id',
    'metadata',
    'tags',
    'updated_at',
  ],
};

/** Reads on until there is nothing more; gives every event. */
async function readAll(api: Client, query: Record<string, string | number> = {}): Promise<Event[]> {
  await untilFeedIsWhole();
  const events: Event[] = [];
  let after: string | undefined;
  for (;;) {
    const page = await ok(api.get('events', { ...query, after: after ?? query['after'] }));
    events.push(...page.data);
    after = page.next_after ?? undefined;
    if (!page.has_more) return events;
  }
}

/** All events of the organization that are visible by now, once those of these streams are among them. */
async function readUntil(api: Client, count: number): Promise<Event[]> {
  let events: Event[] = [];
  await until(async () => (events = await readAll(api)).length >= count);
  return events;
}

const typesOf = (events: Event[]): string[] => events.map(({ type }) => type);

describe('an event', () => {
  let workspace: Workspace;
  /** Refuses for a while once, then for good. */
  let smtp: TestSmtp;
  beforeAll(async () => (workspace = await newWorkspace()));
  beforeEach(async () => {
    smtp = await startSmtp();
    const refusals = [{ code: 451 }];
    smtp.respond.connect = () => refusals.pop() ?? { code: 554 };
  });
  afterEach(() => smtp.close());

  it('tells what happened, to what, when and by whom, in the fields of the contract', async () => {
    const { api, agentId } = workspace;
    const sent = { name: 'Grace', email: 'grace@navy.example', phone_number: '+1 212 555 0101' };
    const answer = await api.send('POST', 'contacts', {
      body: sent,
      headers: { 'x-request-id': 'my-request' },
    });
    const [event] = await readUntil(api, 1);
    // When a record was updated is when its event happened; it is made without tags, and of nobody else.
    const { updated_at: _, tags: __, other_emails: ___, other_phone_numbers: ____, ...shown } = answer.body;
    expect(event).toEqual({
      event_id: expect.stringMatching(/^event_[0-9a-z]{26}$/),
      position: expect.stringMatching(/^\d{20}-\d{19}$/),
      type: 'ContactCreated',
      version: 1,
      occurred_at: expect.stringMatching(INSTANT),
      stream: { type: 'contact', id: answer.body.contact_id, version: 1 },
      actor: { type: 'agent', id: agentId },
      request_id: 'my-request',
      data: shown,
    });
  });

  it('has data that is what the document says for its type', async () => {
    const document = await openApi();
    const workspace = await furnishedWorkspace();
    const { api, adminApi, ids } = workspace;
    const { contact_id, company_id, conversation_id, agent_id } = ids;
    await ok(adminApi.post('custom-fields/companies', { label: 'Size', type: 'number' }));
    await ok(
      api.patch(`contacts/${contact_id}`, { name: 'G', company_role: 'R', custom_fields: { size: 2 } }),
    );
    await ok(api.patch(`contacts/${contact_id}`, { custom_fields: null }));
    await ok(api.patch(`companies/${company_id}`, { name: 'N', agent_id: null, custom_fields: { size: 2 } }));
    await ok(api.patch(`conversations/${conversation_id}`, { is_read: true, folder: 'x', agent_id }));
    const snoozed_until = new Date(performance.timeOrigin + performance.now() + 8_000).toISOString();
    await ok(api.patch(`conversations/${conversation_id}`, { status: 'snoozed', snoozed_until }));
    await until(async () => (await ok(api.get(`conversations/${conversation_id}`))).status === 'open');
    const drafts = `conversations/${conversation_id}/response-drafts`;
    await ok(received(api, { conversation_id, folder: 'y' }));
    // The last of these mails shows that the two before it are of one thread.
    for (const email_metadata of [
      { email_message_id: '1@x.example' },
      { email_message_id: '3@x.example', in_reply_to: '2@x.example' },
      { email_message_id: '2@x.example', in_reply_to: '1@x.example' },
    ])
      await ok(received(api, { contact: { contact_id }, email_metadata }));
    const { response_id } = await ok(api.post(drafts, { body_html: 'overwritten' }));
    await ok(api.delete(`${drafts}/${response_id}`));
    const { draft_id } = await ok(
      api.post('message-drafts', { modality: 'email', subject: 'x', file_ids: [ids.file_id] }),
    );
    await ok(api.delete(`message-drafts/${draft_id}`));
    const { suppression_id } = await ok(api.post('suppressions', { email: 'moved@contoso.example' }));
    await ok(api.delete(`suppressions/${suppression_id}`));
    const failing = { body_html: 'x', autosend_draft: true, add_notification: false };
    await emailChannel(workspace, smtp.port);
    const send_at = new Date(performance.timeOrigin + performance.now() + 86_400_000).toISOString();
    const later = await ok(api.post(drafts, { ...failing, send_at }));
    await ok(api.post(`${drafts}/${later.response_id}/unschedule`));
    await ok(api.post(drafts, failing));
    await endings(workspace);
    await comments(workspace);
    const { sale_id, task_id } = ids;
    const stages = (await ok(api.get('sale-statuses'))).data;
    await ok(api.patch(`sales/${sale_id}`, { status_id: stages[1].status_id, owner_id: agent_id }));
    await ok(api.patch(`sales/${sale_id}`, { custom_fields: null, owner_id: null }));
    const products = [{ product_name: 'Plan', quantity: 2, unit_price: '1.50' }];
    await ok(api.put(`sales/${sale_id}/quote`, { currency: 'USD', products }));
    for (const completed_at of ['2026-01-02T03:04:05Z', null])
      await ok(api.patch(`tasks/${task_id}`, { completed_at, title: unique('Call') }));
    await ok(api.patch(`tags/${ids['tag_id']}`, { name: unique('VIP'), colour: null }));
    await ok(api.delete(`tags/${ids['tag_id']}`));
    await ok(api.patch(`templates/${ids['template_id']}`, { name: 'Reminder' }));
    await ok(api.delete(`templates/${ids['template_id']}`));
    await ok(api.post('companies', { name: 'Last' }));
    let events: Event[] = [];
    await until(async () => {
      events = await readAll(api);
      return typesOf(events).includes('DeliveryFailed') && events.some(({ data }) => data.name === 'Last');
    });
    expect(events.flatMap((event) => mismatches(document, documented(document, event), event))).toEqual([]);
    const { mapping } = document.components.schemas.Event.discriminator;
    const rare = [
      'BounceReceived',
      'DeliveryBecameUncertain',
      'DeliveryCompleted',
      'DraftQueued',
      'FileRemoved',
      'SuppressionBounced',
      'SuppressionBounceLifted',
    ];
    expect(typesOf(events)).toEqual(
      expect.arrayContaining(Object.keys(mapping).filter((type) => !rare.includes(type))),
    );
    expect(JSON.stringify(events)).not.toMatch(/phone_key|email_key|lease|worker|"queued"/);
  });

  it('has its fields in the order of the contract, as every answer has them, however they were stored', async () => {
    const { api, ids } = await furnishedWorkspace();
    const STAGE = ['status_id', 'label', 'status', 'changed_at'];
    const stages = (await ok(api.get('sale-statuses'))).data;
    expect(Object.keys(stages[0])).toEqual(['status_id', 'label', 'status', 'position']);
    const products = [{ unit_price: '1.50', product_name: 'Plan', quantity: 2 }];
    const made = {
      contact: await ok(api.post('contacts', { name: 'Grace' })),
      company: await ok(api.post('companies', { name: 'Navy' })),
      task: await ok(api.post('tasks', { title: 'Call' })),
      sale: await ok(api.post('sales', { status_id: stages[0].status_id, company_id: ids['company_id'] })),
    };
    const sale = `sales/${made.sale.sale_id}`;
    const answers = [
      made.sale,
      await ok(api.put(`${sale}/quote`, { products, currency: 'USD' })),
      await ok(api.patch(sale, { status_id: stages[1].status_id })),
      await ok(api.get(sale)),
    ];
    for (const { status_history, current_status, quote_details } of answers) {
      for (const stage of [...status_history, current_status]) expect(Object.keys(stage)).toEqual(STAGE);
      for (const product of quote_details?.arguments.products ?? [])
        expect(Object.keys(product)).toEqual(['quantity', 'unit_price', 'product_name']);
    }
    const lists = { contact: 'contacts', company: 'companies', task: 'tasks', sale: 'sales' };
    let events: Event[] = [];
    await until(async () => typesOf((events = await readAll(api))).includes('SaleStageChanged'));
    for (const [kind, list] of Object.entries(lists)) {
      const { [kind as keyof typeof made]: record } = made;
      const id = record[`${kind}_id`];
      expect(Object.keys(record)).toEqual(CONTRACT[kind]);
      expect(Object.keys(await ok(api.get(`${list}/${id}`)))).toEqual(CONTRACT[kind]);
      const [{ data }] = events.filter(({ stream }) => stream.id === id);
      expect(Object.keys(data)).toEqual(CONTRACT[kind]!.filter((field) => field in data));
    }
    for (const { actor } of events) expect(Object.keys(actor)).toEqual(['type', 'id']);
    const { data: entered } = events.find(({ type }) => type === 'SaleStageChanged')!;
    expect(Object.keys(entered).slice(0, 4)).toEqual(STAGE);
    const attachment = events.flatMap(({ data }) => data.message?.attachments ?? [])[0];
    expect(JSON.stringify(attachment)).toMatch(/^\{"attachment_id".*"file_name".*"content_type".*"size"/);
    for (const { changes, actor } of (await ok(api.get('audit-logs', { record_id: made.sale.sale_id })))
      .data) {
      expect(Object.keys(actor)).toEqual(['type', 'id', 'name']);
      for (const change of changes) {
        expect(Object.keys(change)).toEqual(['field', 'from', 'to']);
        if (change.field === 'current_status') expect(Object.keys(change.to)).toEqual(STAGE);
        if (change.field === 'status_history')
          for (const stage of [...(change.from ?? []), ...change.to])
            expect(Object.keys(stage)).toEqual(STAGE);
      }
    }
  });

  it('names what it changes: a draft that failed is not scheduled, a stage is activity of its sale', async () => {
    const workspace = await furnishedWorkspace();
    const { api, ids } = workspace;
    await emailChannel(workspace, smtp.port);
    const drafts = `conversations/${ids.conversation_id}/response-drafts`;
    const failing = { body_html: 'x', autosend_draft: true, add_notification: false };
    const { response_id } = await ok(api.post(drafts, failing));
    const sale = `sales/${ids.sale_id}`;
    const stages = (await ok(api.get('sale-statuses'))).data;
    await ok(api.patch(sale, { status_id: stages[1].status_id }));
    let events: Event[] = [];
    await until(async () => typesOf((events = await readAll(api))).includes('DeliveryFailed'));
    const told = (id: string): Json =>
      Object.assign({}, ...events.filter(({ stream }) => stream.id === id).map(({ data }) => data));
    const { scheduled_send_at } = await ok(api.get(`${drafts}/${response_id}`));
    expect([told(response_id).scheduled_send_at, scheduled_send_at]).toEqual([null, null]);
    const { last_activity_at } = await ok(api.get(sale));
    expect(told(ids.sale_id!).last_activity_at).toBe(last_activity_at);
  });

  const documented = (document: Json, { type }: Event): Json => {
    const ref = document.components.schemas.Event.discriminator.mapping[type];
    expect([type, ref]).toEqual([type, expect.stringMatching(/^#\/components\/schemas\//)]);
    return { $ref: ref };
  };

  it('of each type that is stored anywhere has a schema in the document, but for how notices leave and what operators set up', async () => {
    const internal = ['MentionRequested', 'ReviewNoticeTried', 'ReviewNoticeEnded', 'SettingChanged'];
    const { mapping } = (await openApi()).components.schemas.Event.discriminator;
    const { rows } = await inDatabase((database) => database.query('SELECT DISTINCT type FROM es_event'));
    expect(rows.filter(({ type }) => !(type in mapping) && !internal.includes(type))).toEqual([]);
  });
});

describe('the feed', () => {
  let workspace: Workspace;
  let api: Client;
  beforeAll(async () => {
    workspace = await newWorkspace();
    api = workspace.api;
    for (let nr = 0; nr < 3; nr++) {
      const { contact_id } = await ok(api.post('contacts', { name: `Contact ${nr}` }));
      await ok(api.patch(`contacts/${contact_id}`, { name: `Renamed ${nr}` }));
      await ok(api.post('companies', { name: `Company ${nr}` }));
    }
    await readUntil(api, 9);
  });

  it('is in the order of what happened, and of its positions as strings', async () => {
    const events = await readAll(api);
    const order = ['ContactCreated', 'ContactIdentityChanged', 'CompanyCreated'];
    expect(typesOf(events)).toEqual([...order, ...order, ...order]);
    const positions = events.map(({ position }) => position);
    expect([...positions].sort()).toEqual(positions);
    expect(new Set(positions).size).toBe(9);
  });

  it('has as many events on a page as are asked for, also of more than are read at once', async () => {
    const { api } = await newWorkspace();
    for (let nr = 0; nr < 120; nr++) await ok(api.post('contacts', { name: `Contact ${nr}` }));
    await readUntil(api, 120);
    const whole = await readAll(api, { limit: 20 });
    expect(whole).toHaveLength(120);
    for (const types of [{}, { types: 'ContactCreated' }])
      for (const limit of [49, 50, 51, 99, 100, 119, 120, 121, 200]) {
        const page = await ok(api.get('events', { ...types, limit }));
        expect([limit, page.data, page.has_more]).toEqual([limit, whole.slice(0, limit), limit < 120]);
        const rest = await ok(api.get('events', { ...types, after: page.next_after, limit: 200 }));
        expect(rest.data).toEqual(whole.slice(limit));
      }
  });

  it('is the same for every limit, and each time it is read', async () => {
    const whole = await readAll(api);
    for (const limit of [1, 2, 3, 8, 9, 10, 200]) expect(await readAll(api, { limit })).toEqual(whole);
  });

  it('goes on after any event', async () => {
    const whole = await readAll(api);
    for (const [nr, { position }] of whole.entries())
      expect((await ok(api.get('events', { after: position }))).data).toEqual(whole.slice(nr + 1));
  });

  it('says where to go on and whether there is more', async () => {
    const whole = await readAll(api);
    const last = whole.at(-1).position;
    expect(await ok(api.get('events', { limit: 2 }))).toEqual({
      data: whole.slice(0, 2),
      next_after: whole[1].position,
      has_more: true,
    });
    expect(await ok(api.get('events', { limit: 9 }))).toMatchObject({ next_after: last, has_more: false });
    expect(await ok(api.get('events', { after: last }))).toEqual({
      data: [],
      next_after: last,
      has_more: false,
    });
    const far = '99'.padEnd(20, '0').replace(/^99/, '09') + '-' + '0'.repeat(19);
    expect(await ok(api.get('events', { after: far }))).toEqual({
      data: [],
      next_after: far,
      has_more: false,
    });
  });

  it.each([1, 7, 200])(
    'is read back from its end, the latest first, %i at a time, and then on from there',
    async (limit) => {
      const { api } = await newWorkspace();
      for (let nr = 0; nr < 9; nr++) await ok(api.post('contacts', { name: `Contact ${nr}` }));
      const all = await readAll(api);
      const back: Event[] = [];
      let page = await ok(api.get('events', { before: 'latest', limit }));
      const end = page.next_after;
      for (;;) {
        back.push(...page.data);
        expect(page.has_more).toBe(page.next_before !== null);
        if (page.next_before === null) break;
        page = await ok(api.get('events', { before: page.next_before, limit }));
        expect(page.next_after).toBeNull();
      }
      expect(back).toEqual([...all].reverse());
      const { contact_id } = await ok(api.post('contacts', { name: 'Later' }));
      const { data } = await readFeed(api, { after: end });
      expect(data.map(({ stream }: Event) => stream.id)).toEqual([contact_id]);
    },
  );

  it('is read back from any event, narrowed as it is on the way on', async () => {
    const all = await readAll(api);
    const of = async (query: Record<string, string>) => (await ok(api.get('events', query))).data;
    const { position } = all[7];
    const back = all.slice(0, 7).reverse();
    expect(await of({ before: position })).toEqual(back);
    const { type, stream } = back[4];
    const isOfType = (one: Event) => one.type === type;
    expect(await of({ before: position, types: type })).toEqual(back.filter(isOfType));
    const isOfRecord = (one: Event) => one.stream.id === stream.id;
    expect(await of({ before: position, record_id: stream.id })).toEqual(back.filter(isOfRecord));
    expect(await of({ before: position, record_id: stream.id, types: type })).toEqual(
      back.filter((one) => isOfType(one) && isOfRecord(one)),
    );
  });

  it('refuses to be read both ways at once, or back from what is no position', async () => {
    const [first] = await readAll(api);
    const both = { before: 'latest', after: first.position };
    expectProblem(await api.get('events', both), 400, 'validation_failed', 'before');
    expectProblem(await api.get('events', { before: 'now' }), 400, 'validation_failed', 'before');
    const live = api.with({ accept: 'text/event-stream' });
    expectProblem(await live.get('events', { before: 'latest' }), 400, 'validation_failed', 'before');
  });

  it('of an organization in which nothing happened is empty', async () => {
    const other = await newWorkspace();
    expect(await ok(other.api.get('events'))).toEqual({ data: [], next_after: null, has_more: false });
  });

  it('of one organization holds nothing of another', async () => {
    const other = await newWorkspace();
    const { contact_id } = await ok(other.api.post('contacts', { name: 'Other' }));
    const events = await readUntil(other.api, 1);
    expect(events.map(({ stream }) => stream.id)).toEqual([contact_id]);
    const after = (await readAll(api)).at(-1).position;
    expect((await ok(api.get('events', { after }))).data).toEqual([]);
  });

  it('gives whoever asks for messages each message once, the first of a conversation, too', async () => {
    const { api } = await newWorkspace();
    const document = await openApi();
    const contact = { email: 'ann@x.example' };
    const first = await ok(received(api, { modality: 'text', contact: { phone_number: '+1 212 555 0101' } }));
    const filed = await ok(received(api, { modality: 'email', contact, folder: 'quotes' }));
    const { conversation_id } = first;
    const second = await ok(received(api, { conversation_id }));
    const [opened, openedFiled] = (await readUntil(api, 5)).filter(
      ({ type }) => type === 'ConversationOpened',
    );
    const messages = await readAll(api, { types: 'MessageRecorded' });
    expect(messages).toMatchObject([
      { ...opened, type: 'MessageRecorded', data: { message: { message_id: first.message_id } } },
      {
        ...openedFiled,
        type: 'MessageRecorded',
        data: { message: { message_id: filed.message_id }, folder: 'quotes' },
      },
      { type: 'MessageRecorded', data: { message: { message_id: second.message_id } } },
    ]);
    expect(messages[0].data).toEqual({ message: opened.data.message });
    const asMessage = { $ref: '#/components/schemas/MessageRecordedEvent' };
    expect(messages.flatMap((event) => mismatches(document, asMessage, event))).toEqual([]);
    expect(typesOf(await readAll(api, { types: 'MessageRecorded,ContactCreated', limit: 1 }))).toEqual([
      'ContactCreated',
      'MessageRecorded',
      'ContactCreated',
      'MessageRecorded',
      'MessageRecorded',
    ]);
    expect(typesOf(await readAll(api, { types: 'ConversationOpened,MessageRecorded' }))).toEqual([
      'ConversationOpened',
      'ConversationOpened',
      'MessageRecorded',
    ]);
    expect(await readAll(api, { types: 'ConversationOpened' })).toEqual([opened, openedFiled]);
  });

  it('can be narrowed to types, and a reader still comes to the end of what there is', async () => {
    const whole = await readAll(api);
    const of = (...types: string[]) => whole.filter(({ type }) => types.includes(type));
    expect(await readAll(api, { types: 'CompanyCreated' })).toEqual(of('CompanyCreated'));
    for (const limit of [1, 2, 200])
      expect(await readAll(api, { types: 'ContactCreated,CompanyCreated', limit })).toEqual(
        of('ContactCreated', 'CompanyCreated'),
      );
    const end = whole.at(-1).position;
    for (const types of ['ContactCreated', 'MessageRecorded'])
      expect(await ok(api.get('events', { types }))).toMatchObject({ next_after: end, has_more: false });
    const [first] = of('ContactCreated');
    expect(await ok(api.get('events', { types: 'ContactCreated', limit: 1 }))).toEqual({
      data: [first],
      next_after: first.position,
      has_more: true,
    });
  });

  it.each([
    ['after', ''],
    ['after', '0'],
    ['after', 'nonsense'],
    ['after', `${'9'.repeat(20)}-${'0'.repeat(19)}`],
    ['after', `${'0'.repeat(20)}-${'9'.repeat(19)}`],
    ['types', ''],
    ['types', 'Nonsense'],
    ['types', 'ContactCreated,'],
    ['types', 'contactcreated'],
    ['types', '__proto__'],
    ['limit', '0'],
    ['limit', '201'],
    ['limit', 'x'],
    ['wait', '-1'],
    ['wait', '31'],
    ['wait', '1.5'],
    ['cursor', 'x'],
  ])('refuses %s=%s with 400', async (name, value) => {
    expectProblem(await api.get('events', { [name]: value }), 400, 'validation_failed', name);
  });

  it('refuses a parameter that is given twice', async () => {
    for (const name of ['after', 'types', 'limit', 'wait'])
      expectProblem(await api.get(`events?${name}=1&${name}=2`), 400, 'validation_failed', name);
  });
});

describe('waiting', () => {
  it('is over as soon as something happens', async () => {
    const { api } = await newWorkspace();
    const waiting = api.get('events', { wait: 30 });
    const { contact_id } = await ok(api.post('contacts', { name: 'Grace' }));
    const { data, next_after } = await ok(waiting);
    expect(data.map(({ stream }: Event) => stream.id)).toEqual([contact_id]);
    const next = api.get('events', { wait: 30, after: next_after });
    await ok(api.patch(`contacts/${contact_id}`, { name: 'Hopper' }));
    expect(typesOf((await ok(next)).data)).toEqual(['ContactIdentityChanged']);
  });

  it('goes on over events of other types, and moves on behind them', async () => {
    const { api } = await newWorkspace();
    const waiting = api.get('events', { wait: 30, types: 'CompanyCreated' });
    await ok(api.post('contacts', { name: 'Grace' }));
    await readUntil(api, 1);
    await ok(api.post('companies', { name: 'Navy' }));
    const { data } = await ok(waiting);
    expect(typesOf(data)).toEqual(['CompanyCreated']);
  });

  it('is over after that time when nothing happens', async () => {
    const { api } = await newWorkspace();
    expect(await ok(api.get('events', { wait: 1 }))).toEqual({ data: [], next_after: null, has_more: false });
  });

  it('is left when the caller goes away, and disturbs nobody', async () => {
    const { api, key } = await newWorkspace();
    const gone = new AbortController();
    const left = fetch(`${sharedUrl()}${api.path('events', { wait: 30 })}`, {
      headers: { 'x-api-key': key },
      signal: gone.signal,
    });
    left.catch(() => {});
    gone.abort();
    await expect(left).rejects.toThrow();
    await ok(api.post('contacts', { name: 'Grace' }));
    await readUntil(api, 1);
  });
});

describe('under concurrent writers', () => {
  it('the feed is complete, in the order of each record, and never changes behind a reader', async () => {
    const { api, organizationId } = await newWorkspace();
    let writing = true;
    const writers = Promise.all(
      Array.from({ length: 12 }, async (_, writer) => {
        const { contact_id } = await ok(api.post('contacts', { name: `Contact ${writer}` }));
        for (let nr = 0; nr < 25; nr++) {
          const external_id = nr % 2 ? unique('external') : `shared-${nr}`;
          const contact = nr % 3 ? { contact_id } : { email: `shared-${nr}@navy.example` };
          const body = {
            modality: 'text',
            message_direction: 'received',
            content: 'x',
            contact,
            external_id,
          };
          await ok(
            api.send('POST', 'messages', {
              body,
              headers: nr % 2 ? { 'idempotency-key': unique('key') } : {},
            }),
          );
        }
      }),
    ).finally(() => (writing = false));
    const readers = Array.from({ length: 3 }, (_, reader) =>
      follow(api, [7, 50, 200][reader]!, () => writing),
    );
    await writers;
    const { rows } = await inDatabase((database) =>
      database.query(
        `SELECT event_id FROM es_event WHERE organization_id = $1 AND stream_type <> 'setting' ORDER BY tx, position`,
        [organizationId],
      ),
    );
    const expected = rows.map(({ event_id }) => event_id);
    expect(expected.length).toBeGreaterThan(12 * 13);
    for (const events of await Promise.all(readers.map((reader) => reader(expected.length)))) {
      expect(events.map(({ event_id }) => event_id)).toEqual(expected);
      const versions = new Map<string, number>();
      for (const { stream } of events) {
        expect(stream.version).toBe((versions.get(stream.id) ?? 0) + 1);
        versions.set(stream.id, stream.version);
      }
    }
  });

  /** Begins to read along at once; what is given back reads on until there are so many events. */
  function follow(api: Client, limit: number, goOn: () => boolean): (count: number) => Promise<Event[]> {
    const events: Event[] = [];
    let after: string | undefined;
    const read = async () => {
      const page = await ok(api.get('events', { after, limit, wait: 1 }));
      events.push(...page.data);
      after = page.next_after ?? after;
    };
    const along = (async () => {
      while (goOn()) await read();
    })();
    along.catch(() => {});
    return async (count) => {
      await along;
      while (events.length < count) await read();
      await read();
      return events;
    };
  }
});

describe('the feed of a server that nobody else uses', () => {
  const dataDir = newDataDir();
  let postgres: EmbeddedPostgres;
  let server: Server;

  beforeAll(async () => {
    postgres = await startEmbeddedPostgres({ dataDir });
    server = await startServer({ dataDir, env: { DATABASE_URL: postgres.url, PARLEY_DATA_DIR: dataDir } });
  });

  afterAll(async () => {
    await server?.stop();
    await postgres?.stop();
    removeDataDir(dataDir);
  });

  // Elsewhere transactions of other tests may be under way for longer than a request waits for them.
  it('has what was written before it is asked for, as soon as older transactions have ended', async () => {
    const { api } = await newWorkspace({ url: server.url });
    const other = new Database({ connectionString: postgres.url });
    await other.connect();
    await other.query('BEGIN');
    await other.query('SELECT pg_current_xact_id()');
    await ok(api.post('contacts', { name: 'Grace' }));
    // The server ends it by itself, however long this process is held up: a request waits a quarter of a second.
    const ended = other.query('SELECT pg_sleep(0.05); COMMIT');
    const events = readAll(api);
    await ended;
    await other.end();
    expect(await events).toHaveLength(1);
  });

  it('answers who waits when the process is told to end, and asks them to come back on another connection', async () => {
    const { api } = await newWorkspace({ url: server.url });
    const { next_after } = await ok(api.get('events'));
    const waiting = api.get('events', { after: next_after ?? undefined, wait: 20 });
    // The server has read the request above by the time it answers those that follow.
    for (let nr = 0; nr < 3; nr++) await ok(api.get('events'));
    await server.stop();
    const { status, headers } = await waiting;
    expect([status, headers.get('connection')]).toEqual([200, 'close']);
  });
});
