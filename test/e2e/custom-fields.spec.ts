import { type Answer, type Json, ok } from '../support/clients/client.js';
import { expectProblem } from '../support/clients/expectations.js';
import { type SalesWorkspace, salesWorkspace } from '../support/data/sales.js';
import { newDataDir, removeDataDir } from '../support/server/data-dir.js';
import { databaseUrl, type Server, startServer } from '../support/server/server.js';
import { until } from '../support/until.js';

const FIELDS = [
  { label: 'Nickname', type: 'string', default: 'none' },
  { label: 'Amount', type: 'number', default: 0 },
  { label: 'Hot', type: 'boolean', default: false },
  { label: 'Region', type: 'enum', options: ['North', 'South'], default: 'North' },
  { label: 'Closes on', type: 'string', ui_type: 'date' },
  { label: 'Delivered to', type: 'string', ui_type: 'address' },
  { label: 'Remarks', type: 'string', ui_type: 'paragraph' },
  { label: 'Constructor', type: 'string' },
];
const DEFAULTS = { nickname: 'none', amount: 0, hot: false, region: 'North' };

let own: SalesWorkspace;
beforeAll(async () => {
  own = await salesWorkspace();
  for (const record of ['sales', 'contacts', 'companies'])
    for (const field of FIELDS) await ok(own.adminApi.post(`custom-fields/${record}`, field));
});

/** Each kind of record that has custom fields: how one is created, and its id. */
const KINDS: [kind: string, create: () => object, id: string][] = [
  ['sales', () => ({ status_id: own.stages[0].status_id, company_id: own.companyId }), 'sale_id'],
  ['contacts', () => ({ name: 'Grace' }), 'contact_id'],
  ['companies', () => ({ name: 'Navy' }), 'company_id'],
];

it('the definitions of the three kinds are listed with every documented attribute, in order of creation', async () => {
  const listed = await ok(own.api.get('custom-fields'));
  const expected = FIELDS.map((field) => ({
    key: field.label.toLowerCase().replaceAll(' ', '_'),
    ui_type: null,
    options: null,
    default: null,
    ...field,
  }));
  expect(listed).toEqual({ sales: expected, contacts: expected, companies: expected });
});

describe.each(KINDS)('custom fields of %s', (kind, create, id) => {
  const post = (custom_fields?: unknown): Promise<Answer> =>
    own.api.post(kind, { ...create(), ...(custom_fields !== undefined && { custom_fields }) });
  const valuesOf = async (custom_fields?: unknown): Promise<Json> =>
    (await ok(post(custom_fields))).custom_fields;
  const pathOf = (record: Json): string => `${kind}/${record[id]}`;

  it('get their defaults on creation where the key is absent, and an explicit null stays', async () => {
    expect(await valuesOf()).toEqual(DEFAULTS);
    expect(await valuesOf({})).toEqual(DEFAULTS);
    expect(await valuesOf({ amount: null, region: null, hot: true })).toEqual({
      nickname: 'none',
      amount: null,
      hot: true,
      region: null,
    });
  });

  it.each([
    ['nickname', 'Amazing Grace'],
    ['nickname', ''],
    ['nickname', '😀'.repeat(1_000)],
    ['amount', 85.5],
    ['amount', -0.000001],
    ['amount', 9007199254740991],
    ['hot', true],
    ['region', 'South'],
    ['closes_on', '2024-02-29'],
    ['closes_on', '0001-01-01'],
    ['closes_on', '9999-12-31'],
    ['delivered_to', '1 Harbour Road\nBristol'],
    ['remarks', 'one\n\ntwo'],
    ['constructor', 'Brunel'],
  ])('take for %s the value %j, and null', async (key, value) => {
    for (const given of [value, null]) {
      const answer = await post({ [key]: given });
      expect(answer.body.custom_fields).toEqual({ ...DEFAULTS, [key]: given });
      expect((await ok(own.api.get(pathOf(answer.body)))).custom_fields).toEqual({
        ...DEFAULTS,
        [key]: given,
      });
    }
  });

  it.each<[string, unknown[]]>([
    ['nickname', [1, true, ['x'], { x: 1 }, 'x'.repeat(1_001)]],
    ['amount', ['85', true, [1], {}]],
    ['hot', ['true', 0, 1, []]],
    ['region', ['East', 'north', '', 1, true, ['North'], 'North ']],
    [
      'closes_on',
      ['2026-02-30', '2023-02-29', '1900-02-29', '2026-13-01', '2026-00-10', '2026-01-00', '0000-01-01'],
    ],
    [
      'closes_on',
      [
        '2026-2-3',
        '20260101',
        '01.01.2026',
        '2026-01-01T00:00:00Z',
        ' 2026-01-01',
        '2026-01-01\n',
        '',
        '٢٠٢٦-٠١-٠١',
      ],
    ],
    ['closes_on', [20260101, true, {}]],
    ['delivered_to', [12, {}, []]],
    ['unknown', ['x', null]],
    ['Nickname', ['x']],
    ['toString', ['x', null]],
    ['hasOwnProperty', [null]],
    ['', ['x']],
  ])('refuse for %s on creation and in a change what it may not have, naming it', async (key, values) => {
    const record = await ok(post());
    for (const value of values)
      for (const answer of [
        await post({ [key]: value }),
        await own.api.patch(pathOf(record), { custom_fields: { hot: true, [key]: value } }),
      ]) {
        expectProblem(answer, 400, 'validation_failed', `custom_fields.${key}`);
        expect(answer.body.detail).toContain(key);
      }
    expect((await ok(own.api.get(pathOf(record)))).custom_fields).toEqual(DEFAULTS);
  });

  it('that are wrong are all named at once', async () => {
    const { contact_id } = await ok(own.api.post('contacts', { name: 'Grace' }));
    const custom_fields = { nickname: 5, unknown: 1, amount: 1, hot: 'yes' };
    for (const answer of [
      await post(custom_fields),
      await own.api.patch(`contacts/${contact_id}`, { custom_fields }),
    ])
      expect(answer.body.errors.map((error: Json) => error.field)).toEqual([
        'custom_fields.nickname',
        'custom_fields.unknown',
        'custom_fields.hot',
      ]);
  });

  it('say of an enum that it must be one of its options', async () => {
    const { body } = await post({ region: 'East' });
    expect(body.detail).toMatch(/region.*must be one of its options.*North.*South/);
  });

  it('are merged by a change, without defaults, and cleared by null', async () => {
    const record = await ok(post({ nickname: 'G', hot: null }));
    const change = async (custom_fields: unknown): Promise<Json> => {
      const changed = await ok(own.api.patch(pathOf(record), { custom_fields }));
      expect((await ok(own.api.get(pathOf(record)))).custom_fields).toEqual(changed.custom_fields);
      return changed.custom_fields;
    };
    const before = { nickname: 'G', amount: 0, hot: null, region: 'North' };
    expect(await change({ amount: 85, remarks: 'x' })).toEqual({ ...before, amount: 85, remarks: 'x' });
    expect(await change({ nickname: null })).toEqual({ ...before, nickname: null, amount: 85, remarks: 'x' });
    expect(await change({})).toEqual({ ...before, nickname: null, amount: 85, remarks: 'x' });
    expect(await change(null)).toEqual({});
    expect(await change(null)).toEqual({});
    expect(await change({ region: 'South' })).toEqual({ region: 'South' });
  });

  it('keep every value when many are changed at the same moment', async () => {
    const record = await ok(post());
    const values = {
      nickname: 'G',
      amount: 1,
      hot: true,
      region: 'South',
      closes_on: '2026-12-31',
      remarks: 'x',
    };
    await Promise.all(
      Object.entries(values).map(([key, value]) =>
        ok(own.api.patch(pathOf(record), { custom_fields: { [key]: value } })),
      ),
    );
    expect((await ok(own.api.get(pathOf(record)))).custom_fields).toEqual(values);
  });

  it('are defined for this kind alone', async () => {
    const other = await salesWorkspace();
    const { key } = await ok(
      other.adminApi.post(`custom-fields/${kind}`, { label: 'Only here', type: 'number', default: 7 }),
    );
    const bodies: Record<string, object> = {
      sales: { status_id: other.stages[0].status_id, company_id: other.companyId },
      contacts: { name: 'Grace' },
      companies: { name: 'Navy' },
    };
    for (const [name, body] of Object.entries(bodies)) {
      expect((await ok(other.api.post(name, body))).custom_fields).toEqual(name === kind ? { [key]: 7 } : {});
      const answer = await other.api.post(name, { ...body, custom_fields: { [key]: 1 } });
      if (name === kind) expect(answer.body.custom_fields).toEqual({ [key]: 1 });
      else expectProblem(answer, 400, 'validation_failed', `custom_fields.${key}`);
    }
  });

  it('defined later leave the records that are there as they are', async () => {
    const other = await salesWorkspace();
    const body =
      kind === 'sales' ? { status_id: other.stages[0].status_id, company_id: other.companyId } : create();
    const record = await ok(other.api.post(kind, body));
    await ok(other.adminApi.post(`custom-fields/${kind}`, { label: 'Late', type: 'string', default: 'x' }));
    expect((await ok(other.api.get(pathOf(record)))).custom_fields).toEqual({});
    expect((await ok(other.api.patch(pathOf(record), { custom_fields: {} }))).custom_fields).toEqual({});
    expect((await ok(other.api.post(kind, body))).custom_fields).toEqual({ late: 'x' });
  });
});

it('a contact that a message makes gets the defaults of custom fields, and one that is there keeps what it has', async () => {
  const received = async (contact: object): Promise<Json> => {
    const body = { modality: 'email', message_direction: 'received', content: 'Hello', contact };
    const { conversation_id } = await ok(own.api.post('messages', body));
    const { contact_id } = await ok(own.api.get(`conversations/${conversation_id}`));
    return ok(own.api.get(`contacts/${contact_id}`));
  };
  const email = 'writes-first@navy.example';
  const { contact_id, custom_fields } = await received({ email });
  expect(custom_fields).toEqual(DEFAULTS);
  await ok(own.api.patch(`contacts/${contact_id}`, { custom_fields: null }));
  expect((await received({ email })).custom_fields).toEqual({});
  expect((await received({ contact_id })).custom_fields).toEqual({});
});

describe('the key of a custom field', () => {
  it.each([
    ['Ünïcödé Name', 'n_c_d_name'],
    ['Crème brûlée', 'cr_me_br_l_e'],
    ['Ωmega 3', 'mega_3'],
    ['Preis (€)', 'preis'],
    ['😀 Mood 😀', 'mood'],
    ['Größe', 'gr_e'],
    ['价格', 'field'],
    ['٣٤', 'field'],
    ['a\u0301b', 'a_b'],
    ['__A__B__', 'a_b'],
    ['\tTab\nbreak ', 'tab_break'],
    ['100%', '100'],
  ])('made of the label %j is %s', async (label, key) => {
    const { adminApi } = await salesWorkspace();
    expect((await ok(adminApi.post('custom-fields/sales', { label, type: 'string' }))).key).toBe(key);
  });

  it('gets the next free number where it is taken', async () => {
    const { adminApi } = await salesWorkspace();
    const keys = [];
    for (const label of ['名', '前', 'Field', 'Field 2', 'field!'])
      keys.push((await ok(adminApi.post('custom-fields/sales', { label, type: 'string' }))).key);
    expect(keys).toEqual(['field', 'field_2', 'field_3', 'field_2_2', 'field_4']);
  });
});

describe('a second process on the same database', () => {
  let second: Server;
  let dataDir: string;
  beforeAll(async () => {
    dataDir = newDataDir();
    const DATABASE_URL = await databaseUrl(process.env['PARLEY_TEST_DATA_DIR']!);
    second = await startServer({ entry: 'api', dataDir, env: { DATABASE_URL } });
  });
  afterAll(async () => {
    await second.stop();
    removeDataDir(dataDir);
  });

  it.each(KINDS)('comes to know a field of %s that was defined in the first', async (kind) => {
    const { api, adminApi, stages, companyId } = await salesWorkspace();
    const there = async (method: string, path: string, body?: object): Promise<Json> => {
      const headers = { ...api.headers, ...(body && { 'content-type': 'application/json' }) };
      const answer = await fetch(`${second.url}${api.base}/${path}`, {
        method,
        headers,
        body: body && JSON.stringify(body),
      });
      return { status: answer.status, body: await answer.json() };
    };
    expect((await there('GET', 'custom-fields')).body[kind]).toEqual([]);
    const definition = await ok(
      adminApi.post(`custom-fields/${kind}`, { label: 'New', type: 'number', default: 1 }),
    );
    await until(async () => (await there('GET', 'custom-fields')).body[kind].length > 0);
    expect((await there('GET', 'custom-fields')).body[kind]).toEqual([definition]);
    const record =
      kind === 'sales' ? { status_id: stages[0].status_id, company_id: companyId } : { name: 'X' };
    expect((await there('POST', kind, record)).body.custom_fields).toEqual({ new: 1 });
    const refused = await there('POST', kind, { ...record, custom_fields: { new: 'x' } });
    expect([refused.status, refused.body.code]).toEqual([400, 'validation_failed']);
  });
});
