import { emailChannel, type Json, newWorkspace, ok, type Query, unique } from '../support/clients/client.js';
import { auditOf, changesOf } from '../support/clients/audit.js';
import { expectProblem, INSTANT } from '../support/clients/expectations.js';
import { autosend, draftsOf, promotedMessage } from '../support/data/mail.js';
import { received } from '../support/data/records.js';
import { type SalesWorkspace, salesWorkspace } from '../support/data/sales.js';
import { startSmtp } from '../support/stand-ins/smtp.js';

const NOWHERE = '01hzy3v7q4e8k9m2n5p6r7s8t9';

let own: SalesWorkspace;
beforeAll(async () => {
  own = await salesWorkspace();
});

const post = (body: object) =>
  own.api.post('sales', { status_id: own.stages[0].status_id, company_id: own.companyId, ...body });
const stageId = (position: number): string => own.stages[position].status_id;
const contact = (index: number, is_primary?: boolean) => ({
  contact_id: own.contactIds[index],
  ...(is_primary !== undefined && { is_primary }),
});
const history = (sale: Json): string[] => sale.status_history.map((one: Json) => one.label);

describe('creating a sale', () => {
  it('answers 201 with every documented field, identical to getting it', async () => {
    const answer = await post({});
    expect(answer.status).toBe(201);
    const { created_at, updated_at } = answer.body;
    for (const instant of [created_at, updated_at]) expect(instant).toMatch(INSTANT);
    const entered = { status_id: stageId(0), label: 'Qualified', status: null, changed_at: created_at };
    expect(answer.body).toEqual({
      sale_id: expect.stringMatching(/^sale_[0-7][0-9a-hjkmnp-tv-z]{25}$/),
      associated_conversation_ids: [],
      company_id: own.companyId,
      owner_id: null,
      associated_contacts: [],
      quote_details: null,
      custom_fields: {},
      current_status: entered,
      status_history: [entered],
      created_at,
      last_activity_at: created_at,
      name: null,
      expected_close_on: null,
      closed_at: null,
      external_id: null,
      metadata: {},
      tags: [],
      updated_at,
    });
    expect(await own.show(answer.body)).toEqual(answer.body);
  });

  it('takes every field', async () => {
    const sale = await own.open({
      associated_contacts: [contact(1), contact(0, true)],
      owner_id: own.agentId,
      conversation_ids: [own.conversationId],
      custom_fields: {},
      status_id: stageId(2),
      name: 'Chairs for the Navy',
      expected_close_on: '2026-02-28',
      external_id: `deal ${own.organizationId}`,
      metadata: { region: 'east' },
    });
    expect(sale).toMatchObject({
      name: 'Chairs for the Navy',
      expected_close_on: '2026-02-28',
      external_id: `deal ${own.organizationId}`,
      metadata: { region: 'east' },
      closed_at: sale.created_at,
      company_id: own.companyId,
      associated_contacts: [contact(1, false), contact(0, true)],
      owner_id: own.agentId,
      associated_conversation_ids: [own.conversationId],
      current_status: { status_id: stageId(2), label: 'Accepted', status: 'accepted' },
    });
    expect(await own.show(sale)).toEqual(sale);
  });

  it('begins the history with the given stage, which is the present one', async () => {
    for (const { status_id, label, status } of own.stages) {
      const { status_history, current_status, created_at } = await own.open({ status_id });
      expect(status_history).toEqual([{ status_id, label, status, changed_at: created_at }]);
      expect(current_status).toEqual(status_history[0]);
    }
  });

  it('needs a company or a contact', async () => {
    for (const body of [
      { company_id: undefined },
      { company_id: null },
      { company_id: '' },
      { company_id: null, associated_contacts: [] },
      { company_id: undefined, owner_id: own.agentId, conversation_ids: [own.conversationId] },
    ])
      expectProblem(await post(body), 400, 'no_linked_party');
    expect(await own.open({ company_id: null, associated_contacts: [contact(0)] })).toMatchObject({
      company_id: null,
      associated_contacts: [contact(0, true)],
    });
  });

  it.each([
    ['the first contact primary when none is marked', [[0], [1], [2]], [true, false, false]],
    [
      'the first contact primary when all are marked false',
      [
        [0, false],
        [1, false],
      ],
      [true, false],
    ],
    ['the marked contact primary', [[0], [1, true], [2, false]], [false, true, false]],
    ['the only contact primary, marked or not', [[2, false]], [true]],
  ] as [string, [number, boolean?][], boolean[]][])('makes %s', async (_, given, expected) => {
    const { associated_contacts } = await own.open({
      associated_contacts: given.map(([index, primary]) => contact(index, primary)),
    });
    expect(associated_contacts).toEqual(given.map(([index], nr) => contact(index, expected[nr])));
  });

  it('refuses two primary contacts', async () => {
    const associated_contacts = [contact(0, true), contact(1, true)];
    expectProblem(await post({ associated_contacts }), 400, 'validation_failed', 'associated_contacts');
  });

  it('refuses a contact that is named twice', async () => {
    for (const associated_contacts of [
      [contact(0), contact(0)],
      [contact(0, true), contact(1), contact(0, false)],
    ])
      expectProblem(await post({ associated_contacts }), 400, 'validation_failed', 'associated_contacts');
  });

  it.each<[string, (id: string) => object, string]>([
    ['status_id', (id) => ({ status_id: id }), 'stage'],
    ['company_id', (id) => ({ company_id: id }), 'company'],
    ['owner_id', (id) => ({ owner_id: id }), 'agent'],
    [
      'associated_contacts.1.contact_id',
      (id) => ({ associated_contacts: [contact(0), { contact_id: id }] }),
      'contact',
    ],
    ['conversation_ids', (id) => ({ conversation_ids: [own.conversationId, id] }), 'conv'],
  ])(
    'refuses a %s that does not exist, is of the wrong type or malformed with 400',
    async (field, body, kind) => {
      for (const id of [`${kind}_${NOWHERE}`, own.organizationId, 'x', 'x'.repeat(2_000), '%'])
        expectProblem(await post(body(id)), 400, 'validation_failed', field);
      // An empty company is none, and then nobody is linked.
      const code = field === 'company_id' ? 'no_linked_party' : 'validation_failed';
      expectProblem(await post(body('')), 400, code);
    },
  );

  it.each<[string, unknown[]]>([
    ['status_id', [undefined, null, 1, {}, []]],
    ['company_id', [1, {}, ['x'], true]],
    ['owner_id', [1, {}, ['x'], false]],
    ['associated_contacts', [null, 'x', {}, ['x'], [null], [[]], 1]],
    ['associated_contacts.0.contact_id', [[{}], [{ contact_id: null }], [{ contact_id: 1 }]]],
    [
      'associated_contacts.0.is_primary',
      [[{ contact_id: 'x', is_primary: null }], [{ contact_id: 'x', is_primary: 1 }]],
    ],
    ['associated_contacts.0.name', [[{ contact_id: 'x', name: 'x' }]]],
    ['custom_fields', [null, 'x', 1, [], true]],
    ['conversation_ids', [null, 'x', {}, [1], [null], [[]], 1]],
    ['quote_details', [{}]],
    ['sale_id', ['x']],
    ['associated_conversation_ids', [[]]],
    ['last_activity_at', ['2026-01-02T03:04:05Z']],
    ['name', [1, {}, ['x'], true]],
    ['expected_close_on', [1, {}, 'soon', '2026-02-30', '2026-02-03T04:05:06Z']],
    ['external_id', ['', 1, {}, 'x'.repeat(1_001)]],
    ['metadata', ['x', 1, [], true]],
    ['closed_at', ['2026-01-02T03:04:05Z']],
    ['updated_at', ['2026-01-02T03:04:05Z']],
  ])('refuses a wrong %s with 400', async (field, values) => {
    const name = field.split('.')[0]!;
    for (const value of values) expectProblem(await post({ [name]: value }), 400, 'validation_failed', field);
  });

  it('names a conversation once, however often it is given', async () => {
    const { associated_conversation_ids } = await own.open({
      conversation_ids: [own.conversationId, own.conversationId],
    });
    expect(associated_conversation_ids).toEqual([own.conversationId]);
  });

  it('leaves nothing behind when it is refused', async () => {
    const before = (await ok(own.api.get('sales', { limit: 200 }))).data.length;
    expectProblem(await post({ owner_id: 'x' }), 400, 'validation_failed');
    expectProblem(await post({ company_id: null }), 400, 'no_linked_party');
    expect((await ok(own.api.get('sales', { limit: 200 }))).data).toHaveLength(before);
  });
});

describe('a sale that does not exist', () => {
  it.each([`sale_${NOWHERE}`, 'x', `company_${NOWHERE}`, 'sale_'])(
    'is not found on any route: %s',
    async (id) => {
      const quote = { currency: 'USD', products: [{ product_name: 'x', quantity: 1, unit_price: '1' }] };
      for (const answer of [
        await own.api.get(`sales/${id}`),
        await own.api.patch(`sales/${id}`, {}),
        await own.api.patch(`sales/${id}`, { status_id: stageId(1) }),
        await own.api.put(`sales/${id}/quote`, quote),
      ])
        expectProblem(answer, 404, 'sale_not_found');
    },
  );
});

describe('moving a sale', () => {
  it('into a stage that it has not been in extends the history', async () => {
    let sale = await own.open();
    for (const position of [1, 2, 3]) {
      const before = sale;
      sale = await own.patch(sale, { status_id: stageId(position) });
      expect(sale.status_history.slice(0, -1)).toEqual(before.status_history);
      expect(sale.current_status).toEqual({
        status_id: stageId(position),
        label: own.stages[position].label,
        status: own.stages[position].status,
        changed_at: sale.last_activity_at,
      });
      expect(sale.status_history.at(-1)).toEqual(sale.current_status);
    }
    expect(history(sale)).toEqual(['Qualified', 'Quoted', 'Accepted', 'Fulfilled']);
    expect(await own.show(sale)).toEqual(sale);
  });

  it('into the present stage again adds an entry to the history', async () => {
    const sale = await own.open();
    await own.patch(sale, { status_id: stageId(0) });
    const again = await own.patch(sale, { status_id: stageId(0) });
    expect(history(again)).toEqual(['Qualified', 'Qualified', 'Qualified']);
    const instants = again.status_history.map((one: Json) => one.changed_at);
    expect(instants).toEqual([...new Set(instants)].toSorted());
  });

  it('over other stages, or back into one that it has not been in, is possible', async () => {
    const sale = await own.open({ status_id: stageId(2) });
    await own.patch(sale, { status_id: stageId(0) });
    expect(history(await own.patch(sale, { status_id: stageId(3) }))).toEqual([
      'Accepted',
      'Qualified',
      'Fulfilled',
    ]);
  });

  it('into a stage that it has left is refused, and nothing changes', async () => {
    const sale = await own.open();
    await own.patch(sale, { status_id: stageId(0) });
    await own.patch(sale, { status_id: stageId(1) });
    const before = await own.patch(sale, { status_id: stageId(2) });
    for (const position of [0, 1]) {
      const answer = await own.api.patch(`sales/${sale.sale_id}`, {
        status_id: stageId(position),
        owner_id: own.agentId,
        company_id: null,
        associated_contacts: [contact(0)],
      });
      expectProblem(answer, 400, 'stage_already_used');
      expect(answer.body.detail).toContain('status_id');
    }
    expect(await own.show(sale)).toEqual(before);
  });

  it('to null is refused', async () => {
    const { sale_id } = await own.open();
    expectProblem(
      await own.api.patch(`sales/${sale_id}`, { status_id: null }),
      400,
      'validation_failed',
      'status_id',
    );
  });
});

describe('changing a sale', () => {
  const full = () =>
    own.open({
      associated_contacts: [contact(0), contact(1, true)],
      owner_id: own.agentId,
      conversation_ids: [own.conversationId],
      name: 'Chairs',
      expected_close_on: '2026-02-28',
      external_id: unique('deal'),
      metadata: { region: 'east' },
    });
  /** The sale, changed like this just now. */
  const withChange = (sale: Json, change: object): Json => ({
    ...sale,
    ...change,
    last_activity_at: expect.stringMatching(INSTANT),
    updated_at: expect.stringMatching(INSTANT),
  });

  it('leaves the fields that are left out as they are', async () => {
    const sale = await full();
    const { company_id } = await ok(own.api.post('companies', { name: 'Army' }));
    const changed = await own.patch(sale, { company_id });
    expect(changed).toEqual(withChange(sale, { company_id }));
    expect(changed.updated_at > sale.updated_at).toBe(true);
    expect(await own.show(sale)).toEqual(changed);
  });

  it.each([
    ['company_id', 'company_id', null],
    ['owner_id', 'owner_id', null],
    ['custom_fields', 'custom_fields', {}],
    ['associated_contacts', 'associated_contacts', []],
    ['conversation_ids', 'associated_conversation_ids', []],
    ['name', 'name', null],
    ['expected_close_on', 'expected_close_on', null],
    ['external_id', 'external_id', null],
    ['metadata', 'metadata', {}],
  ])('clears %s by null', async (name, field, cleared) => {
    const sale = await full();
    const changed = await own.patch(sale, { [name]: null });
    expect(changed).toEqual(withChange(sale, { [field]: cleared }));
    // Custom fields it has none, so nothing changes.
    expect(changed.updated_at > sale.updated_at).toBe(name !== 'custom_fields');
    expect(await own.show(sale)).toEqual(changed);
  });

  it('replaces the contacts; the first is primary when none is marked', async () => {
    const sale = await full();
    expect(
      (await own.patch(sale, { associated_contacts: [contact(2), contact(0)] })).associated_contacts,
    ).toEqual([contact(2, true), contact(0, false)]);
    expect(
      (await own.patch(sale, { associated_contacts: [contact(2), contact(1, true)] })).associated_contacts,
    ).toEqual([contact(2, false), contact(1, true)]);
    expect((await own.patch(sale, { associated_contacts: [] })).associated_contacts).toEqual([]);
  });

  it('replaces the conversations', async () => {
    const sale = await full();
    const { conversation_id } = await ok(received(own.api, { contact: contact(1) }));
    const conversation_ids = [conversation_id];
    expect((await own.patch(sale, { conversation_ids })).associated_conversation_ids).toEqual(
      conversation_ids,
    );
    expect((await own.patch(sale, { conversation_ids: [] })).associated_conversation_ids).toEqual([]);
  });

  it('is refused when no company and no contact would remain, and nothing changes', async () => {
    const [byCompany, byContact, byBoth] = [
      await own.open(),
      await own.open({ company_id: null, associated_contacts: [contact(0)] }),
      await full(),
    ];
    for (const [sale, body] of [
      [byCompany, { company_id: null }],
      [byCompany, { company_id: '' }],
      [byContact, { associated_contacts: null }],
      [byContact, { associated_contacts: [] }],
      [byBoth, { company_id: null, associated_contacts: null }],
      [byBoth, { company_id: null, associated_contacts: [], status_id: stageId(1) }],
    ]) {
      expectProblem(await own.api.patch(`sales/${sale.sale_id}`, body), 400, 'no_linked_party');
      expect(await own.show(sale)).toEqual(sale);
    }
  });

  it('may exchange the company for a contact and back in one request each', async () => {
    const sale = await own.open();
    expect(await own.patch(sale, { company_id: null, associated_contacts: [contact(1)] })).toMatchObject({
      company_id: null,
      associated_contacts: [contact(1, true)],
    });
    expect(await own.patch(sale, { company_id: own.companyId, associated_contacts: null })).toMatchObject({
      company_id: own.companyId,
      associated_contacts: [],
    });
  });

  it.each<[string, object]>([
    ['associated_contacts', { associated_contacts: 'two' }],
    ['associated_contacts', { associated_contacts: 'twice' }],
    ['company_id', { company_id: `company_${NOWHERE}` }],
    ['owner_id', { owner_id: `agent_${NOWHERE}` }],
    ['status_id', { status_id: `stage_${NOWHERE}` }],
    ['conversation_ids', { conversation_ids: [`conv_${NOWHERE}`] }],
    ['associated_contacts.0.contact_id', { associated_contacts: [{ contact_id: `contact_${NOWHERE}` }] }],
    ['custom_fields.nope', { custom_fields: { nope: 1 } }],
    ['custom_fields', { custom_fields: [] }],
    ['quote_details', { quote_details: null }],
    ['created_at', { created_at: '2026-01-02T03:04:05Z' }],
  ])('is refused for a wrong %s, and nothing changes: %j', async (field, body: Json) => {
    const sale = await full();
    const lists: Record<string, object[]> = {
      two: [contact(0, true), contact(1, true)],
      twice: [contact(0), contact(0)],
    };
    const associated_contacts = lists[body.associated_contacts] ?? body.associated_contacts;
    const answer = await own.api.patch(`sales/${sale.sale_id}`, {
      owner_id: null,
      ...body,
      ...(associated_contacts && { associated_contacts }),
    });
    expectProblem(answer, 400, 'validation_failed', field);
    expect(await own.show(sale)).toEqual(sale);
  });

  it('that names nothing, or only what is there, changes nothing', async () => {
    const sale = await full();
    for (const body of [
      {},
      { company_id: sale.company_id, owner_id: sale.owner_id, custom_fields: {} },
      { associated_contacts: sale.associated_contacts, conversation_ids: sale.associated_conversation_ids },
      { name: sale.name, expected_close_on: sale.expected_close_on },
      { external_id: sale.external_id, metadata: { ...sale.metadata } },
    ])
      expect(await own.patch(sale, body)).toEqual(sale);
  });
});

describe('the last activity of a sale', () => {
  const moves = async (sale: Json, change: () => Promise<unknown>) => {
    const before = (await own.show(sale)).last_activity_at;
    await change();
    const { last_activity_at } = await own.show(sale);
    expect([before, last_activity_at > before ? 'moved' : last_activity_at]).toEqual([before, 'moved']);
  };

  it('moves on every change of the sale', async () => {
    const sale = await own.open();
    for (const body of [
      { status_id: stageId(0) },
      { status_id: stageId(1) },
      { owner_id: own.agentId },
      { associated_contacts: [contact(0)] },
      { conversation_ids: [own.conversationId] },
      { company_id: null },
    ])
      await moves(sale, () => own.patch(sale, body));
    const quote = { currency: 'USD', products: [{ product_name: 'x', quantity: 1, unit_price: '1' }] };
    await moves(sale, () => ok(own.api.put(`sales/${sale.sale_id}/quote`, quote)));
  });

  it('moves on every message recorded in an associated conversation, whenever it was sent', async () => {
    const sale = await own.open({ conversation_ids: [own.conversationId] });
    const { conversationId: conversation_id } = own;
    for (const body of [
      { conversation_id },
      { conversation_id, message_direction: 'sent' },
      { conversation_id, sent_at: '2020-01-02T03:04:05.678901Z' },
      { conversation_id, modality: 'text' },
    ])
      await moves(sale, () => ok(received(own.api, body)));
  });

  it('moves by a message that finds its conversation by itself', async () => {
    const text = { modality: 'text', contact: contact(2) };
    const { conversation_id } = await ok(received(own.api, text));
    const sale = await own.open({ conversation_ids: [conversation_id] });
    await moves(sale, async () => {
      expect((await ok(received(own.api, text))).conversation_id).toBe(conversation_id);
    });
  });

  it('moves for every sale that the conversation is associated with', async () => {
    const { conversation_id } = await ok(received(own.api, { contact: contact(1) }));
    const sales = [];
    for (let i = 0; i < 3; i++)
      sales.push(await own.open({ conversation_ids: [own.conversationId, conversation_id] }));
    await ok(received(own.api, { conversation_id }));
    for (const sale of sales)
      expect((await own.show(sale)).last_activity_at > sale.last_activity_at).toBe(true);
  });

  it('stays on a message that was recorded before, in another conversation or in one that was taken away', async () => {
    const { conversation_id } = await ok(received(own.api, { contact: contact(1) }));
    const known = { conversation_id, external_id: `known ${conversation_id}` };
    await ok(received(own.api, known));
    const sale = await own.open({ conversation_ids: [conversation_id] });
    await ok(received(own.api, known));
    await ok(received(own.api, { contact: contact(1) }));
    expect(await own.show(sale)).toEqual(sale);
    const without = await own.patch(sale, { conversation_ids: [] });
    await ok(received(own.api, { conversation_id }));
    expect(await own.show(sale)).toEqual(without);
  });

  it('moves when a response draft becomes a message of the conversation', async () => {
    const smtp = await startSmtp();
    try {
      await emailChannel(own, smtp.port);
      const message = await ok(
        received(own.api, { contact: { name: 'Grace', email: 'grace@navy.example' } }),
      );
      const sale = await own.open({ conversation_ids: [message.conversation_id] });
      const draft = await ok(own.api.post(draftsOf(message), { body_html: 'x' }));
      expect(await own.show(sale)).toEqual(sale);
      await ok(own.api.post(draftsOf(message), autosend()));
      await promotedMessage(own, draft);
      const { last_activity_at } = await own.show(sale);
      expect(last_activity_at > sale.last_activity_at).toBe(true);
    } finally {
      await smtp.close();
    }
  });
});

describe('lists of sales', () => {
  let lists: SalesWorkspace;
  let sales: Json[];
  let other: string;
  beforeAll(async () => {
    lists = await salesWorkspace();
    ({ agent_id: other } = await ok(lists.adminApi.post('agents', { name: 'Alan Turing' })));
    const army = await ok(lists.api.post('companies', { name: 'Army' }));
    sales = [];
    for (const body of [
      { owner_id: lists.agentId },
      { owner_id: other, company_id: army.company_id },
      { owner_id: lists.agentId, status_id: lists.stages[1].status_id },
      { owner_id: null, status_id: lists.stages[1].status_id, company_id: army.company_id },
    ])
      sales.push(await lists.open(body));
  });

  const idsAt = (...indexes: number[]) => indexes.map((index) => sales[index].sale_id);
  const ids = async (query?: Query, path = 'sales'): Promise<string[]> =>
    (await ok(lists.api.get(path, query))).data.map((one: Json) => one.sale_id);

  it('have the latest activity first, and show sales as they are shown alone', async () => {
    const { data } = await ok(lists.api.get('sales'));
    expect(data).toEqual(sales.toReversed());
  });

  it('are filtered by stage, owner and company, alone and together', async () => {
    const [first, second] = lists.stages;
    expect(await ids({ status_id: first.status_id })).toEqual(idsAt(1, 0));
    expect(await ids({ status_id: second.status_id })).toEqual(idsAt(3, 2));
    expect(await ids({ owner_id: lists.agentId })).toEqual(idsAt(2, 0));
    expect(await ids({ company_id: lists.companyId })).toEqual(idsAt(2, 0));
    expect(
      await ids({ company_id: lists.companyId, status_id: second.status_id, owner_id: lists.agentId }),
    ).toEqual(idsAt(2));
    expect(await ids({ company_id: lists.companyId, owner_id: other })).toEqual([]);
  });

  it('by the stage know only the present one', async () => {
    const sale = await lists.open();
    const [first, , , last] = lists.stages;
    await lists.patch(sale, { status_id: last.status_id });
    expect(await ids({ status_id: last.status_id })).toEqual([sale.sale_id]);
    expect(await ids({ status_id: first.status_id })).not.toContain(sale.sale_id);
    sales.push(await lists.show(sale));
  });

  it.each(['status_id', 'owner_id', 'company_id'])('are empty for an unknown %s', async (name) => {
    for (const id of ['x', '', `agent_${NOWHERE}`, own.companyId, own.agentId])
      expect(await ids({ [name]: id })).toEqual([]);
  });

  it.each(['product_id', 'agent_id', 'open', 'status'])('refuse the unknown filter %s', async (name) => {
    expectProblem(await lists.api.get('sales', { [name]: 'x' }), 400, 'validation_failed', name);
  });

  it('of an agent have the sales that the agent owns, as everywhere', async () => {
    const path = `agents/${lists.agentId}/sales`;
    const { data } = await ok(lists.api.get(path));
    expect(data).toEqual([sales[2], sales[0]]);
    expect(await ids({ end_date: sales[2].last_activity_at }, path)).toEqual(idsAt(0));
    expect(await ids({}, `agents/${other}/sales`)).toEqual(idsAt(1));
  });

  it('of an agent follow the owner', async () => {
    const sale = await lists.open({ owner_id: other });
    expect(await ids({}, `agents/${other}/sales`)).toContain(sale.sale_id);
    await lists.patch(sale, { owner_id: null });
    expect(await ids({}, `agents/${other}/sales`)).not.toContain(sale.sale_id);
  });

  it('of an agent that does not exist are not found', async () => {
    for (const id of [`agent_${NOWHERE}`, 'x', own.agentId])
      expectProblem(await lists.api.get(`agents/${id}/sales`), 404, 'agent_not_found');
  });

  it('of an agent take no other filter', async () => {
    const path = `agents/${lists.agentId}/sales`;
    for (const name of ['status_id', 'owner_id', 'company_id'])
      expectProblem(await lists.api.get(path, { [name]: 'x' }), 400, 'validation_failed', name);
  });

  it('are narrowed by last_activity_at to the microsecond, start included, end excluded', async () => {
    const [first, , third] = sales;
    const window = { start_date: first.last_activity_at, end_date: third.last_activity_at };
    expect(await ids(window)).toEqual(idsAt(1, 0));
    expect(await ids({ end_date: first.last_activity_at })).toEqual([]);
    expect(await ids({ start_date: third.last_activity_at, end_date: sales[3].last_activity_at })).toEqual(
      idsAt(2),
    );
  });

  it('refuse a start that is not before the end', async () => {
    const { last_activity_at: instant } = sales[0];
    for (const path of ['sales', `agents/${lists.agentId}/sales`])
      expectProblem(
        await lists.api.get(path, { start_date: instant, end_date: instant }),
        400,
        'validation_failed',
        'end_date',
      );
  });

  it('give every sale that does not move exactly once while others move', async () => {
    const moving = await salesWorkspace();
    const still: Json[] = [];
    const restless: Json[] = [];
    for (let i = 0; i < 12; i++) (i % 3 === 0 ? restless : still).push(await moving.open());
    const seen: string[] = [];
    let cursor: string | undefined;
    for (let nr = 0; ; nr++) {
      const { data, pagination } = await ok(moving.api.get('sales', { limit: 2, cursor }));
      seen.push(...data.map((one: Json) => one.sale_id));
      if (pagination.next_cursor === null) break;
      cursor = pagination.next_cursor;
      await moving.patch(restless[nr % restless.length], { owner_id: nr % 2 === 0 ? moving.agentId : null });
    }
    const steady = still.map(({ sale_id }) => sale_id);
    expect(seen.filter((id) => steady.includes(id))).toEqual(steady.toReversed());
    expect((await ok(moving.api.get('sales'))).data).toHaveLength(12);
  });
});

describe('the audit log of a sale', () => {
  it('has an insert with each documented field that has a value', async () => {
    const sale = await own.open({ associated_contacts: [contact(0)], owner_id: own.agentId });
    const [insert, ...more] = await auditOf(own, sale.sale_id);
    expect(more).toEqual([]);
    expect(insert).toMatchObject({
      action_type: 'insert',
      agent_id: own.agentId,
      record: { type: 'sale', id: sale.sale_id },
    });
    // When it was updated is when the record is from.
    const { updated_at: _, ...documented } = sale;
    const valued = Object.entries(documented).filter(([, value]) => value !== null);
    expect(changesOf(insert)).toEqual(
      Object.fromEntries(valued.map(([field, value]) => [field, [null, value]])),
    );
  });

  it('has for each change exactly the documented fields that it changed, with their values before and after', async () => {
    const states = [await own.open()];
    const quote = { currency: 'EUR', products: [{ product_name: 'x', quantity: 2, unit_price: '0.5' }] };
    const path = `sales/${states[0].sale_id}`;
    const changes: [string[], () => Promise<Json>][] = [
      [['current_status', 'status_history'], () => own.patch(states[0], { status_id: stageId(1) })],
      [['current_status', 'status_history'], () => own.patch(states[0], { status_id: stageId(1) })],
      [['owner_id'], () => own.patch(states[0], { owner_id: own.agentId, company_id: own.companyId })],
      [
        ['associated_contacts', 'company_id'],
        () => own.patch(states[0], { company_id: null, associated_contacts: [contact(0)] }),
      ],
      [
        ['associated_conversation_ids'],
        () => own.patch(states[0], { conversation_ids: [own.conversationId] }),
      ],
      [['quote_details'], () => ok(own.api.put(`${path}/quote`, quote))],
      [
        ['current_status', 'status_history', 'closed_at', 'owner_id'],
        () => own.patch(states[0], { status_id: stageId(2), owner_id: null }),
      ],
      // It is closed once.
      [['current_status', 'status_history'], () => own.patch(states[0], { status_id: stageId(2) })],
      [
        ['name', 'expected_close_on'],
        () => own.patch(states[0], { name: 'Chairs', expected_close_on: '2026-02-28' }),
      ],
      [
        ['external_id', 'metadata'],
        () => own.patch(states[0], { external_id: unique('deal'), metadata: { region: 'east' } }),
      ],
      [
        [],
        () => ok(received(own.api, { conversation_id: own.conversationId })).then(() => own.show(states[0])),
      ],
    ];
    for (const [, change] of changes) {
      const before = states.at(-1);
      const after = await change();
      expect(after.last_activity_at > before.last_activity_at).toBe(true);
      states.push(after);
      // What changes nothing leaves no record.
      await own.patch(after, { owner_id: after.owner_id });
    }
    const [, ...records] = await auditOf(own, states[0].sale_id);
    expect(records.map(({ action_type }) => action_type)).toEqual(changes.map(() => 'update'));
    for (const [index, [fields]] of changes.entries()) {
      const [before, after] = [states[index], states[index + 1]];
      expect(changesOf(records[index])).toEqual(
        Object.fromEntries(
          ['last_activity_at', ...fields].map((field) => [field, [before[field], after[field]]]),
        ),
      );
    }
  });

  it('has no record of what was refused', async () => {
    const sale = await own.open();
    await own.api.patch(`sales/${sale.sale_id}`, { company_id: null });
    await own.api.patch(`sales/${sale.sale_id}`, { status_id: 'x' });
    expect(await auditOf(own, sale.sale_id)).toHaveLength(1);
  });
});

describe('a read-only key', () => {
  it('reads sales and may not write them', async () => {
    const sale = await own.open();
    const { api_key } = await ok(
      own.admin.post('api-keys', { name: 'R', organization_ids: [own.organizationId], read_only: true }),
    );
    const readOnly = own.api.with({ 'x-api-key': api_key });
    expect(await ok(readOnly.get(`sales/${sale.sale_id}`))).toEqual(sale);
    for (const answer of [
      await readOnly.post('sales', {}),
      await readOnly.patch(`sales/${sale.sale_id}`, {}),
      await readOnly.put(`sales/${sale.sale_id}/quote`, {}),
    ])
      expectProblem(answer, 403, 'read_only_key');
  });
});

it('a sale of another organization is no sale', async () => {
  const sale = await own.open();
  const stranger = await newWorkspace();
  expectProblem(await stranger.api.get(`sales/${sale.sale_id}`), 404, 'sale_not_found');
  expectProblem(await stranger.api.patch(`sales/${sale.sale_id}`, { owner_id: null }), 404, 'sale_not_found');
  expect((await ok(stranger.api.get('sales'))).data).toEqual([]);
});
