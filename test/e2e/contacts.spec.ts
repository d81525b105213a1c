import { newWorkspace, ok, type Json, type Workspace } from '../support/clients/client.js';
import { expectProblem, INSTANT } from '../support/clients/expectations.js';

let workspace: Workspace;
let api: Workspace['api'];
beforeAll(async () => {
  workspace = await newWorkspace();
  api = workspace.api;
});

const NOWHERE = '01hzy3v7q4e8k9m2n5p6r7s8t9';
const EMPTY = {
  name: '',
  email: '',
  phone_number: '',
  company_id: null,
  company_role: null,
  custom_fields: {},
};

const create = (body: object): Promise<Json> => ok(api.post('contacts', body));
const contactIds = (page: Json): string[] => page.data.map((one: Json) => one.contact_id);

/** A workspace of its own with the contact fields that the cases below use. */
async function withCustomFields(): Promise<Workspace> {
  const own = await newWorkspace();
  const fields = [
    { label: 'Nickname', type: 'string', ui_type: 'text' },
    { label: 'Age', type: 'number', ui_type: 'number' },
    { label: 'VIP', type: 'boolean', default: false },
    { label: 'Region', type: 'enum', ui_type: 'enum', options: ['North', 'South'], default: 'North' },
    { label: 'Born', type: 'string', ui_type: 'date' },
    { label: 'Home', type: 'string', ui_type: 'address' },
    { label: 'Constructor', type: 'string' },
  ];
  for (const field of fields) await ok(own.adminApi.post('custom-fields/contacts', field));
  return own;
}

describe('creating a contact', () => {
  it('answers 201 with the contact, which reads back the same', async () => {
    const { company_id } = await ok(api.post('companies', { name: 'Navy' }));
    const body = {
      name: 'Grace Hopper',
      email: 'Grace@Navy.example',
      phone_number: '+1 (555) 010-9999',
      company_id,
      company_role: 'Rear admiral',
      custom_fields: {},
    };
    const answer = await api.post('contacts', body);
    expect(answer.status).toBe(201);
    expect(answer.body).toEqual({
      contact_id: expect.stringMatching(/^contact_[0-7][0-9a-z]{25}$/),
      created_at: expect.stringMatching(INSTANT),
      updated_at: expect.stringMatching(INSTANT),
      external_id: null,
      metadata: {},
      other_emails: [],
      other_phone_numbers: [],
      tags: [],
      ...body,
    });
    expect(await ok(api.get(`contacts/${answer.body.contact_id}`))).toEqual(answer.body);
  });

  it.each([
    ['name', 'Grace'],
    ['email', 'grace@navy.example'],
    ['phone_number', '5550100'],
  ])('needs no more than %s; the other texts are answered as empty strings', async (field, value) => {
    const { contact_id: _, created_at: __, updated_at: ___, ...rest } = await create({ [field]: value });
    const nothing = { external_id: null, metadata: {}, other_emails: [], other_phone_numbers: [], tags: [] };
    expect(rest).toEqual({ ...EMPTY, ...nothing, [field]: value });
  });

  it.each([
    ['are left out', {}],
    ['are null', { name: null, email: null, phone_number: null }],
    ['are empty, which counts as absent', { name: '', email: '', phone_number: '' }],
  ])('is refused when name, email and phone_number %s', async (_, body) => {
    expectProblem(await api.post('contacts', body), 400, 'validation_failed');
    expectProblem(await api.post('contacts', { ...body, company_role: 'CEO' }), 400, 'validation_failed');
  });

  it('takes null for every field', async () => {
    const nothing = {
      email: null,
      phone_number: null,
      company_id: null,
      custom_fields: null,
      company_role: null,
    };
    expect(await create({ name: 'Grace', ...nothing })).toMatchObject({ ...EMPTY, name: 'Grace' });
  });

  it('keeps texts as they are, not trimmed', async () => {
    const name = '  Grä\u0327ce \u{1F600}\r\n\t "<b>" \\ ';
    expect((await create({ name })).name).toBe(name);
  });

  it.each([
    ['name', 'x'.repeat(1_000)],
    ['name', '\u{1F600}'.repeat(1_000)],
    ['company_role', 'x'.repeat(1_000)],
  ])('takes 1,000 characters in %s and refuses one more', async (field, longest) => {
    expect((await create({ name: 'Grace', [field]: longest }))[field]).toBe(longest);
    const body = { name: 'Grace', [field]: `${longest}x` };
    expectProblem(await api.post('contacts', body), 400, 'validation_failed', field);
  });

  it.each(['name', 'email', 'phone_number', 'company_id', 'company_role', 'custom_fields'])(
    'refuses a value of another type in %s',
    async (field) => {
      for (const value of [1, true, ['x'], field === 'custom_fields' ? 'x' : { x: 1 }]) {
        const answer = await api.post('contacts', {
          ...(field !== 'name' && { name: 'Grace' }),
          [field]: value,
        });
        expectProblem(answer, 400, 'validation_failed', field);
      }
    },
  );

  it('names every field that is wrong', async () => {
    const body = { name: 1, email: 'x', phone_number: 'x', company_role: {}, nickname: 'x', id: 1 };
    expectProblem(await api.post('contacts', body), 400, 'validation_failed', ...Object.keys(body));
  });

  it.each(['a@b.example', 'grace.hopper+tag@navy.example', "o'neil@x.example", 'grüße@münchen.example'])(
    'takes the e-mail address %s',
    async (email) => {
      expect((await create({ email })).email).toBe(email);
    },
  );

  it.each(['x', '@x.example', 'x@', 'a b@x.example', 'a@b@c.example', 'a@x..example', '<a@x.example>', ' '])(
    'refuses the e-mail address "%s"',
    async (email) => {
      expectProblem(await api.post('contacts', { name: 'G', email }), 400, 'validation_failed', 'email');
    },
  );

  it.each([
    '12345',
    '+1 (555) 010-9999',
    '1-555-010-9999',
    '(0)89.1234.5678',
    '+49 89 123456 x12',
    '555 0100 ext. 7',
    '5550100ext7',
    '1'.repeat(20),
  ])('takes the phone number %s and gives it back as it was given', async (phone_number) => {
    expect((await create({ phone_number })).phone_number).toBe(phone_number);
  });

  it.each([
    '1234',
    '1'.repeat(21),
    '555-CALL-NOW',
    '+',
    '()-.',
    '++15550100',
    '555#0100',
    '555 0100 ext',
    'x',
  ])('refuses the phone number "%s"', async (phone_number) => {
    const answer = await api.post('contacts', { name: 'Grace', phone_number });
    expectProblem(answer, 400, 'validation_failed', 'phone_number');
  });

  it.each([
    ['does not exist', () => `company_${NOWHERE}`],
    ['is malformed', () => 'company_x'],
    ['is of another type', () => workspace.agentId],
    ['is empty', () => ''],
    [
      'belongs to another organization',
      async () => (await ok((await newWorkspace()).api.post('companies', { name: 'X' }))).company_id,
    ],
  ])('answers 404 for a company that %s', async (_, id) => {
    const answer = await api.post('contacts', { name: 'Grace', company_id: await id() });
    expectProblem(answer, 404, 'company_not_found');
  });
});

describe('custom fields of a contact', () => {
  let own: Workspace;
  beforeAll(async () => {
    own = await withCustomFields();
  });
  const post = (custom_fields: unknown) => own.api.post('contacts', { name: 'Grace', custom_fields });
  const valuesOf = async (custom_fields: unknown): Promise<Json> =>
    (await ok(post(custom_fields))).custom_fields;

  it.each([
    ['nickname', 'Amazing Grace'],
    ['nickname', ''],
    ['age', 85.5],
    ['age', -0.000001],
    ['vip', true],
    ['vip', false],
    ['region', 'South'],
    ['born', '2024-02-29'],
    ['home', '1 Harbour Road\nBristol'],
    ['constructor', 'Sir Marc Brunel'],
  ])('take for %s the value %j', async (key, value) => {
    expect(await valuesOf({ [key]: value })).toEqual({ vip: false, region: 'North', [key]: value });
  });

  it.each([
    ['nickname', 1],
    ['nickname', ['x']],
    ['nickname', { x: 1 }],
    ['age', '85'],
    ['age', true],
    ['vip', 'true'],
    ['vip', 0],
    ['born', '2026-02-30'],
    ['born', '2023-02-29'],
    ['born', '2026-2-3'],
    ['born', '2026-13-01'],
    ['born', '2026-00-10'],
    ['born', '2026-01-01T00:00:00Z'],
    ['born', ' 2026-01-01'],
    ['born', '01.01.2026'],
    ['born', ''],
    ['born', 20260101],
    ['home', 12],
    ['unknown', 'x'],
    ['toString', 'x'],
    ['hasOwnProperty', null],
    ['', 'x'],
    ['Nickname', 'x'],
  ])('refuse for %s the value %j, naming the field', async (key, value) => {
    const answer = await post({ [key]: value });
    expectProblem(answer, 400, 'validation_failed');
    expect(answer.body.detail).toContain(key);
  });

  it.each(['East', 'north', '', 1, true, ['North']])(
    'refuse the enum value %j with a message that it must be one of the options',
    async (value) => {
      const answer = await post({ region: value });
      expectProblem(answer, 400, 'validation_failed', 'custom_fields.region');
      expect(answer.body.detail).toMatch(/one of its options.*North.*South/);
    },
  );

  it('take null for any field, which leaves it blank and is not replaced by its default', async () => {
    const blank = { nickname: null, age: null, vip: null, region: null, born: null, home: null };
    expect(await valuesOf(blank)).toEqual(blank);
  });

  it.each([
    ['left out', undefined],
    ['null', null],
    ['empty', {}],
  ])('take their defaults on creation when custom_fields is %s', async (_, values) => {
    expect(await valuesOf(values)).toEqual({ vip: false, region: 'North' });
  });

  it('are merged by a change, without defaults; null clears all', async () => {
    const { contact_id } = await ok(post({ nickname: 'G', vip: null }));
    const change = async (custom_fields: unknown) =>
      (await ok(own.api.patch(`contacts/${contact_id}`, { custom_fields }))).custom_fields;
    expect(await change({ age: 85, region: 'South' })).toEqual({
      nickname: 'G',
      vip: null,
      region: 'South',
      age: 85,
    });
    expect(await change({ nickname: null })).toEqual({ nickname: null, vip: null, region: 'South', age: 85 });
    expect(await change({})).toEqual({ nickname: null, vip: null, region: 'South', age: 85 });
    expect(await change(null)).toEqual({});
    expect(await change({ born: '1906-12-09' })).toEqual({ born: '1906-12-09' });
    expect((await ok(own.api.get(`contacts/${contact_id}`))).custom_fields).toEqual({ born: '1906-12-09' });
  });

  it('are checked by a change as on creation', async () => {
    const { contact_id } = await ok(post({ nickname: 'G' }));
    for (const [key, value] of [
      ['unknown', 1],
      ['born', '2026-02-30'],
      ['region', 'East'],
      ['age', '1'],
    ]) {
      const answer = await own.api.patch(`contacts/${contact_id}`, {
        custom_fields: { [key as string]: value },
      });
      expectProblem(answer, 400, 'validation_failed', `custom_fields.${key}`);
    }
    expect((await ok(own.api.get(`contacts/${contact_id}`))).custom_fields).toMatchObject({ nickname: 'G' });
  });

  it('keep every change when many change them at the same moment', async () => {
    const { contact_id } = await ok(post({}));
    const values = { nickname: 'G', age: 1, vip: true, region: 'South', born: '1906-12-09', home: 'Here' };
    await Promise.all(
      Object.entries(values).map(([key, value]) =>
        ok(own.api.patch(`contacts/${contact_id}`, { custom_fields: { [key]: value } })),
      ),
    );
    expect((await ok(own.api.get(`contacts/${contact_id}`))).custom_fields).toEqual(values);
  });
});

describe('reading a contact', () => {
  it.each([
    ['does not exist', `contact_${NOWHERE}`],
    ['is of another type', `company_${NOWHERE}`],
    ['is malformed', 'contact_x'],
    ['has capitals', `CONTACT_${NOWHERE.toUpperCase()}`],
    ['is too large for a UUID', `contact_${'z'.repeat(26)}`],
  ])('answers 404 for an id that %s', async (_, id) => {
    expectProblem(await api.get(`contacts/${id}`), 404, 'contact_not_found');
    expectProblem(await api.patch(`contacts/${id}`, { name: 'X' }), 404, 'contact_not_found');
    expectProblem(await api.get(`contacts/${id}/conversations`), 404, 'contact_not_found');
  });
});

describe('listing contacts', () => {
  let own: Workspace;
  let company: string;
  let grace: Json, ada: Json, alan: Json;
  beforeAll(async () => {
    own = await newWorkspace();
    company = (await ok(own.api.post('companies', { name: 'Navy' }))).company_id;
    const make = (body: object): Promise<Json> => ok(own.api.post('contacts', body));
    grace = await make({
      name: 'Grace',
      email: 'Grace@Navy.example',
      phone_number: '(212) 555-0101',
      company_id: company,
    });
    ada = await make({ name: 'Ada', email: 'ada@engine.example', phone_number: '+44 20 7946 0958' });
    alan = await make({ name: 'Alan', email: 'grace@navy.example', company_id: company });
  });
  const filtered = async (query: Record<string, string>) =>
    contactIds(await ok(own.api.get('contacts', query)));

  it('gives the newest first, each as it reads alone', async () => {
    expect((await ok(own.api.get('contacts'))).data).toEqual([alan, ada, grace]);
  });

  it('narrows to an e-mail address in any case', async () => {
    expect(await filtered({ email: 'GRACE@navy.EXAMPLE' })).toEqual([alan.contact_id, grace.contact_id]);
    expect(await filtered({ email: 'grace' })).toEqual([]);
  });

  it('narrows to a phone number, however it is written', async () => {
    for (const phone_number of ['(212) 555-0101', '+12125550101', '1-212-555-0101', '212.555.0101'])
      expect(await filtered({ phone_number })).toEqual([grace.contact_id]);
    expect(await filtered({ phone_number: '+442079460958' })).toEqual([ada.contact_id]);
    expect(await filtered({ phone_number: '5550101' })).toEqual([]);
  });

  it('narrows to a company; one that does not exist gives an empty list', async () => {
    expect(await filtered({ company_id: company })).toEqual([alan.contact_id, grace.contact_id]);
    expect(await filtered({ company_id: `company_${NOWHERE}` })).toEqual([]);
    expect(await filtered({ company_id: 'nonsense' })).toEqual([]);
  });

  it('narrows by all filters that are given', async () => {
    expect(await filtered({ company_id: company, phone_number: '2125550101' })).toEqual([grace.contact_id]);
    expect(await filtered({ company_id: company, email: 'ada@engine.example' })).toEqual([]);
  });

  it('refuses filters it does not know, so that a typo never widens the list', async () => {
    for (const name of ['emial', 'title', 'Email', 'startDate', 'offset', 'page'])
      expectProblem(await own.api.get('contacts', { [name]: 'x' }), 400, 'validation_failed', name);
  });

  it('refuses a query that is no UTF-8, in place of searching for something else', async () => {
    for (const text of ['%ED%A0%80', '%ff', '%C3', '%', '%zz'])
      expectProblem(await own.api.get(`contacts?email=${text}`), 400, 'validation_failed', 'query');
  });
});

describe('changing a contact', () => {
  it('changes what is given and leaves the rest', async () => {
    const { company_id } = await ok(api.post('companies', { name: 'Navy' }));
    const before = await create({ name: 'Grace', email: 'grace@navy.example', company_role: 'Officer' });
    const change = { phone_number: '+1 212 555 0101', company_id };
    const answer = await api.patch(`contacts/${before.contact_id}`, change);
    expect(answer.status).toBe(200);
    expect(answer.body).toEqual({ ...before, ...change, updated_at: answer.body.updated_at });
    expect(await ok(api.get(`contacts/${before.contact_id}`))).toEqual(answer.body);
  });

  it('changes nothing when nothing is given', async () => {
    const before = await create({ name: 'Grace' });
    expect(await ok(api.patch(`contacts/${before.contact_id}`, {}))).toEqual(before);
  });

  it('clears what is null; a text is then empty', async () => {
    const { company_id } = await ok(api.post('companies', { name: 'Navy' }));
    const full = {
      name: 'Grace',
      email: 'g@navy.example',
      phone_number: '5550100',
      company_id,
      company_role: 'X',
    };
    const { contact_id } = await create(full);
    const cleared = await ok(
      api.patch(`contacts/${contact_id}`, { name: null, email: null, company_id: null, company_role: null }),
    );
    expect(cleared).toMatchObject({ ...EMPTY, phone_number: '5550100' });
  });

  it.each([
    ['name', null],
    ['name', ''],
  ])('refuses to clear the last of name, email and phone_number with %s %j', async (field, value) => {
    const { contact_id } = await create({ name: 'Grace' });
    expectProblem(await api.patch(`contacts/${contact_id}`, { [field]: value }), 400, 'validation_failed');
    expect(
      (await ok(api.patch(`contacts/${contact_id}`, { [field]: value, email: 'g@x.example' }))).email,
    ).toBe('g@x.example');
    expectProblem(await api.patch(`contacts/${contact_id}`, { email: null }), 400, 'validation_failed');
  });

  it('keeps one of name, email and phone_number when they are cleared at the same moment', async () => {
    const { contact_id } = await create({ name: 'Grace', email: 'g@x.example', phone_number: '5550100' });
    const answers = await Promise.all(
      ['name', 'email', 'phone_number'].map((field) =>
        api.patch(`contacts/${contact_id}`, { [field]: null }),
      ),
    );
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 200, 400]);
  });

  it.each([
    ['email', 'x'],
    ['phone_number', 'x'],
    ['name', 'x'.repeat(1_001)],
    ['company_role', 7],
    ['custom_fields', []],
    ['contact_id', `contact_${NOWHERE}`],
    ['created_at', '2026-01-01T00:00:00Z'],
    ['nickname', 'x'],
  ])('refuses for %s what creation refuses', async (field, value) => {
    const before = await create({ name: 'Grace' });
    expectProblem(
      await api.patch(`contacts/${before.contact_id}`, { [field]: value }),
      400,
      'validation_failed',
      field,
    );
    expect(await ok(api.get(`contacts/${before.contact_id}`))).toEqual(before);
  });

  it('answers 404 for a company that does not exist, and changes nothing', async () => {
    const before = await create({ name: 'Grace' });
    const body = { name: 'Ada', company_id: `company_${NOWHERE}` };
    expectProblem(await api.patch(`contacts/${before.contact_id}`, body), 404, 'company_not_found');
    expect(await ok(api.get(`contacts/${before.contact_id}`))).toEqual(before);
  });

  it('moves the contact to the filters of its new address and number', async () => {
    const { contact_id } = await create({ email: 'before@move.example', phone_number: '+1 212 555 0177' });
    await ok(
      api.patch(`contacts/${contact_id}`, { email: 'after@move.example', phone_number: '+1 212 555 0178' }),
    );
    const found = async (query: Record<string, string>) => contactIds(await ok(api.get('contacts', query)));
    expect(await found({ email: 'before@move.example' })).toEqual([]);
    expect(await found({ email: 'after@move.example' })).toEqual([contact_id]);
    expect(await found({ phone_number: '2125550177' })).toEqual([]);
    expect(await found({ phone_number: '2125550178' })).toEqual([contact_id]);
  });
});
