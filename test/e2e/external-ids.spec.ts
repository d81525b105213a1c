import { type Json, ok } from '../support/clients/client.js';
import { expectProblem } from '../support/clients/expectations.js';
import { readFeed } from '../support/clients/feed.js';
import { type SalesWorkspace, salesWorkspace } from '../support/data/sales.js';

let own: SalesWorkspace;
/** By kind, what a record needs, and a field to change. */
const kinds: [path: string, id: string, needs: () => Json, change: Json][] = [
  ['contacts', 'contact_id', () => ({ name: 'Ada' }), { name: 'Ada L.' }],
  ['companies', 'company_id', () => ({ name: 'Engines' }), { address: 'London' }],
  ['tasks', 'task_id', () => ({ title: 'Call' }), { notes: 'at noon' }],
  [
    'sales',
    'sale_id',
    () => ({ status_id: own.stages[0]!.status_id, company_id: own.companyId }),
    { name: 'Renewal' },
  ],
];

beforeAll(async () => {
  own = await salesWorkspace();
});

let last = 0;
/** An external id that nobody has. */
const fresh = (text = 'crm') => `${text}-${++last}-${Date.now()}`;
const pathOf = (path: string, externalId: string) =>
  `${path}/by-external-id/${encodeURIComponent(externalId)}`;

describe.each(kinds)('%s', (path, id, needs, change) => {
  it('has no external id and no metadata until somebody gives them', async () => {
    const record = await ok(own.api.post(path, needs()));
    expect(record).toMatchObject({ external_id: null, metadata: {} });
    expect(await ok(own.api.get(`${path}/${record[id]}`))).toEqual(record);
  });

  it('keeps an external id and metadata from its creation on, and is found by the id exactly', async () => {
    const external_id = fresh(' Ünï/코드?%2F#😀 ');
    const metadata = { region: 'north', '': '' };
    expectProblem(
      await own.api.post(path, { ...needs(), external_id, metadata }),
      400,
      'validation_failed',
      'metadata',
    );
    const record = await ok(own.api.post(path, { ...needs(), external_id, metadata: { region: 'north' } }));
    expect(record).toMatchObject({ external_id, metadata: { region: 'north' } });
    expect((await ok(own.api.get(path, { external_id }))).data).toEqual([record]);
    expect((await ok(own.api.get(path, { external_id: external_id.trim() }))).data).toEqual([]);
    expect((await ok(own.api.get(path, { external_id: external_id.toUpperCase() }))).data).toEqual([]);
  });

  it.each([
    ['x', 1_000],
    ['😀', 1_000],
    [' ', 1],
  ])('takes as external id %j, %d times', async (text, times) => {
    const external_id = text.repeat(times);
    const { [id]: made } = await ok(own.api.put(pathOf(path, external_id), needs()));
    expect((await ok(own.api.get(path, { external_id }))).data).toMatchObject([{ [id]: made }]);
  });

  it.each<[string, unknown]>([
    ['nothing', ''],
    ['1,001 characters', 'x'.repeat(1_001)],
    ['a number', 7],
    ['a NUL', 'a\u0000b'],
  ])('refuses as external id %s', async (_, external_id) => {
    expectProblem(
      await own.api.post(path, { ...needs(), external_id }),
      400,
      'validation_failed',
      'external_id',
    );
  });

  it.each<[string, unknown]>([
    ['an array', []],
    ['a text', 'x'],
    ['a number for a key', { key: 1 }],
    ['null for a key', { key: null }],
    ['a key of 41 characters', { ['k'.repeat(41)]: 'x' }],
    ['a text of 501 characters', { key: 'x'.repeat(501) }],
    ['51 keys', Object.fromEntries(Array.from({ length: 51 }, (_, nr) => [nr, 'x']))],
  ])('refuses as metadata %s', async (_, metadata) => {
    expectProblem(await own.api.post(path, { ...needs(), metadata }), 400, 'validation_failed', 'metadata');
  });

  it('refuses an external id that another record of the kind has, on creation and change', async () => {
    const external_id = fresh();
    await ok(own.api.post(path, { ...needs(), external_id }));
    expectProblem(await own.api.post(path, { ...needs(), external_id }), 409, 'external_id_taken');
    const other = await ok(own.api.post(path, needs()));
    expectProblem(await own.api.patch(`${path}/${other[id]}`, { external_id }), 409, 'external_id_taken');
    expect(await ok(own.api.get(`${path}/${other[id]}`))).toMatchObject({ external_id: null });
  });

  it('replaces metadata as a whole, clears both with null, and lets another record take a cleared external id', async () => {
    const external_id = fresh();
    const record = await ok(own.api.post(path, { ...needs(), external_id, metadata: { a: '1', b: '2' } }));
    const at = `${path}/${record[id]}`;
    expect(await ok(own.api.patch(at, { metadata: { c: '3' } }))).toMatchObject({ metadata: { c: '3' } });
    expect(await ok(own.api.patch(at, { metadata: null, external_id: null }))).toMatchObject({
      metadata: {},
      external_id: null,
    });
    await ok(own.api.post(path, { ...needs(), external_id }));
  });

  it('naming what is there already changes nothing', async () => {
    const record = await own.api.post(path, { ...needs(), external_id: fresh(), metadata: { a: '1' } });
    const { external_id, metadata } = record.body;
    const again = await own.api.patch(`${path}/${record.body[id]}`, { external_id, metadata });
    expect(again.headers.get('etag')).toBe(record.headers.get('etag'));
  });

  it('is made by its external id, then changed, and the same again changes nothing', async () => {
    const external_id = fresh('a/b ?');
    const body = { ...needs(), ...change, external_id };
    const made = await own.api.put(pathOf(path, external_id), body);
    expect(made.status).toBe(201);
    expect(made.body).toMatchObject({ external_id, ...change });
    const again = await own.api.put(pathOf(path, external_id), body);
    expect([again.status, again.headers.get('etag'), again.body]).toEqual([
      200,
      made.headers.get('etag'),
      made.body,
    ]);
    const changed = await own.api.put(pathOf(path, external_id), { metadata: { a: '1' } });
    expect([changed.status, changed.body]).toEqual([
      200,
      { ...made.body, metadata: { a: '1' }, ...later(changed.body) },
    ]);
  });

  it('is changed only at a version that If-Match names, and not made for one', async () => {
    const at = pathOf(path, fresh());
    const asked = (tag: string) => own.api.with({ 'if-match': tag }).put(at, { ...needs(), ...change });
    expectProblem(await asked('*'), 412, 'version_mismatch');
    await ok(own.api.put(at, needs()));
    expectProblem(await asked('"7"'), 412, 'version_mismatch');
    expect((await asked('"1"')).status).toBe(200);
  });

  it('is made once by a hundred requests at the same moment', async () => {
    const external_id = fresh();
    const answers = await Promise.all(
      Array.from({ length: 100 }, () => own.api.put(pathOf(path, external_id), { ...needs(), ...change })),
    );
    expect(answers.map(({ status }) => status).sort()).toEqual([...Array<number>(99).fill(200), 201]);
    expect(new Set(answers.map(({ body }) => body[id])).size).toBe(1);
    expect((await ok(own.api.get(path, { external_id }))).data).toHaveLength(1);
  });

  it('refuses another external id in the body, and a new record without what it needs', async () => {
    const at = pathOf(path, fresh());
    for (const external_id of [null, 'other', ''])
      expectProblem(
        await own.api.put(at, { ...needs(), external_id }),
        400,
        'validation_failed',
        'external_id',
      );
    for (const body of [{}, undefined]) expect((await own.api.put(at, body)).status).toBe(400);
    expectProblem(
      await own.api.put(pathOf(path, 'x'.repeat(1_001)), needs()),
      400,
      'validation_failed',
      'external_id',
    );
  });
});

/** Fields that tell when a record changed. */
const later = ({ last_activity_at, updated_at }: Json): Json => ({
  ...(last_activity_at !== undefined && { last_activity_at }),
  ...(updated_at !== undefined && { updated_at }),
});

describe.each(kinds.slice(0, 3))('a batch of %s', (path, id, needs) => {
  it('creates what it can, and tells of each what it would have been told alone', async () => {
    const external_id = fresh();
    const items = [
      needs(),
      { ...needs(), external_id },
      { ...needs(), external_id },
      { ...needs(), nonsense: 1 },
      null,
      7,
      [],
      {},
      { ...needs(), metadata: { a: '\u0000' } },
    ];
    const answer = await own.api.post(`${path}/batch`, { items });
    expect(answer.status).toBe(200);
    const { results } = answer.body;
    expect(results.map(({ index }: Json) => index)).toEqual(items.map((_, index) => index));
    expect(results.map(({ status }: Json) => status)).toEqual([201, 201, 409, 400, 400, 400, 400, 400, 400]);
    for (const [index, { status, record, problem }] of results.entries()) {
      if (status === 201) expect(await ok(own.api.get(`${path}/${record[id]}`))).toEqual(record);
      else {
        const alone = await own.api.post(path, items[index]);
        expect({ ...problem, instance: '', request_id: '', detail: '' }).toEqual({
          ...alone.body,
          instance: '',
          request_id: '',
          detail: '',
        });
      }
    }
  });

  it('refuses what is no batch', async () => {
    for (const items of [undefined, null, {}, [], Array<Json>(201).fill(needs())])
      expectProblem(await own.api.post(`${path}/batch`, { items }), 400, 'validation_failed', 'items');
    expectProblem(
      await own.api.post(`${path}/batch`, { items: [needs()], more: 1 }),
      400,
      'validation_failed',
      'more',
    );
    expectProblem(await own.api.post(`${path}/batch`, []), 400, 'validation_failed');
  });

  it('of 200 is created whole, and once with an Idempotency-Key', async () => {
    const client = own.api.with({ 'idempotency-key': fresh() });
    const items = Array.from({ length: 200 }, (_, nr) => (nr === 7 ? {} : needs()));
    const first = await client.post(`${path}/batch`, { items });
    expect(first.body.results.filter(({ status }: Json) => status === 201)).toHaveLength(199);
    const again = await client.post(`${path}/batch`, { items });
    expect(again.headers.get('idempotency-replayed')).toBe('true');
    expect(again.body).toEqual(first.body);
  });
});

it('a batch of contacts refuses those of a company that is not there, alone', async () => {
  const items = [
    { name: 'A', company_id: own.companyId },
    { name: 'B', company_id: 'company_x' },
    { name: 'C' },
  ];
  const { results } = await ok(own.api.post('contacts/batch', { items }));
  expect(results.map(({ status }: Json) => status)).toEqual([201, 404, 201]);
  expect(results[1].problem.code).toBe('company_not_found');
});

it('a task that was completed elsewhere is made completed', async () => {
  const completed_at = '2026-01-02T03:04:05.000000Z';
  const body = { title: 'Done', completed_at };
  const external_id = fresh();
  expect(await ok(own.api.put(pathOf('tasks', external_id), body))).toMatchObject(body);
  expect((await own.api.put(pathOf('tasks', external_id), body)).status).toBe(200);
});

describe("a sale's face", () => {
  const open = (body: Json) =>
    own.api.post('sales', { status_id: own.stages[0]!.status_id, company_id: own.companyId, ...body });

  it('is a name and the day on which it is expected to close, both of which may be cleared', async () => {
    const sale = await ok(open({ name: 'Renewal 2027', expected_close_on: '2028-02-29' }));
    expect(sale).toMatchObject({ name: 'Renewal 2027', expected_close_on: '2028-02-29', closed_at: null });
    const cleared = await ok(own.api.patch(`sales/${sale.sale_id}`, { name: null, expected_close_on: null }));
    expect(cleared).toMatchObject({ name: null, expected_close_on: null });
  });

  it.each(['2027-02-29', '2027-2-1', '0000-01-01', '2027-01-01T00:00:00Z', '', 20270101])(
    'is not expected to close on %j',
    async (expected_close_on) => {
      expectProblem(await open({ expected_close_on }), 400, 'validation_failed', 'expected_close_on');
    },
  );

  it('shows when it first entered a stage that was tagged accepted or lost then', async () => {
    const sale = await ok(open({}));
    const accepted = own.stages.find(({ status }) => status === 'accepted')!;
    const moved = await ok(own.api.patch(`sales/${sale.sale_id}`, { status_id: accepted.status_id }));
    expect(moved.closed_at).toBe(moved.current_status.changed_at);
    const others = own.stages.filter(
      ({ status_id }) => ![accepted.status_id, own.stages[0]!.status_id].includes(status_id),
    );
    const after = await ok(own.api.patch(`sales/${sale.sale_id}`, { status_id: others[0]!.status_id }));
    expect(after.closed_at).toBe(moved.closed_at);
    // Its events tell the same: null at first, then the instant, then nothing more.
    const events = await readFeed(own.api, { record_id: sale.sale_id });
    expect(events.data.map(({ data }: Json) => data.closed_at)).toEqual([null, moved.closed_at, undefined]);
  });

  it('narrows the list by the days on which sales are expected to close', async () => {
    const company_id = (await ok(own.api.post('companies', { name: 'Dated' }))).company_id;
    for (const expected_close_on of ['2027-01-01', '2027-01-02', '2027-01-03', null])
      await ok(open({ company_id, expected_close_on }));
    const days = async (query: Json) =>
      (await ok(own.api.get('sales', { company_id, ...query }))).data
        .map((sale: Json) => sale.expected_close_on)
        .sort();
    expect(await days({ closing_before: '2027-01-02' })).toEqual(['2027-01-01']);
    expect(await days({ closing_after: '2027-01-02' })).toEqual(['2027-01-02', '2027-01-03']);
    expect(await days({ closing_after: '2027-01-02', closing_before: '2027-01-03' })).toEqual(['2027-01-02']);
    expectProblem(
      await own.api.get('sales', { closing_before: 'soon' }),
      400,
      'validation_failed',
      'closing_before',
    );
  });
});
