import { newWorkspace, ok, type Json, type Workspace } from '../support/clients/client.js';
import { expectProblem, INSTANT } from '../support/clients/expectations.js';

let workspace: Workspace;
let api: Workspace['api'];
beforeAll(async () => {
  workspace = await newWorkspace();
  api = workspace.api;
});

const NOWHERE = '01hzy3v7q4e8k9m2n5p6r7s8t9';

const create = (body: object): Promise<Json> => ok(api.post('companies', body));

describe('creating a company', () => {
  it('answers 201 with the company, which reads back the same', async () => {
    const body = {
      name: 'Navy',
      domain: 'navy.example',
      custom_fields: {},
      address: '1 Harbour Road\nBristol',
      agent_id: workspace.agentId,
    };
    const answer = await api.post('companies', body);
    expect(answer.status).toBe(201);
    expect(answer.body).toEqual({
      company_id: expect.stringMatching(/^company_[0-7][0-9a-z]{25}$/),
      created_at: expect.stringMatching(INSTANT),
      updated_at: expect.stringMatching(INSTANT),
      external_id: null,
      metadata: {},
      tags: [],
      ...body,
    });
    expect(await ok(api.get(`companies/${answer.body.company_id}`))).toEqual(answer.body);
  });

  it.each([
    ['left out', {}],
    ['null', { domain: null, custom_fields: null, address: null, agent_id: null }],
  ])('needs no more than a name; what is %s is null', async (_, body) => {
    expect(await create({ name: 'Navy', ...body })).toMatchObject({
      name: 'Navy',
      domain: null,
      custom_fields: {},
      address: null,
      agent_id: null,
    });
  });

  it.each([
    ['left out', undefined],
    ['null', null],
    ['empty', ''],
    ['a number', 1],
    ['a list', ['Navy']],
    ['longer than 1,000 characters', 'x'.repeat(1_001)],
  ])('is refused when the name is %s', async (_, name) => {
    expectProblem(await api.post('companies', { name }), 400, 'validation_failed', 'name');
  });

  it.each([
    ['Navy.Example', 'navy.example'],
    ['https://Navy.Example', 'navy.example'],
    ['http://www.navy.example/about/us?x=1#top', 'www.navy.example'],
    ['HTTPS://NAVY.EXAMPLE/', 'navy.example'],
    ['ftp://navy.example/file', 'navy.example'],
    ['navy.example/path/https://other.example', 'navy.example'],
    ['navy.example?x=a.b', 'navy.example'],
    ['  navy.example ', 'navy.example'],
    ['https://ann:secret@navy.example:8080/x', 'navy.example'],
    ['navy.example.', 'navy.example'],
    ['münchen.example', 'münchen.example'],
    ['MÜNCHEN.example', 'münchen.example'],
  ])(
    'brings the domain %j to %j: lower case, without protocol, userinfo, port, path and trailing dot',
    async (given, domain) => {
      expect((await create({ name: 'Navy', domain })).domain).toBe(domain);
      expect((await create({ name: 'Navy', domain: given })).domain).toBe(domain);
    },
  );

  it.each([
    'navy',
    'https://navy',
    'https://navy/index.html',
    '',
    ' ',
    '/a.b',
    'na vy.example',
    'http://',
    '192.168.0.1',
    'na_vy.example',
    5,
    ['a.b'],
  ])('refuses the domain %j: what is left must be the name of a host', async (domain) => {
    expectProblem(await api.post('companies', { name: 'Navy', domain }), 400, 'validation_failed', 'domain');
  });

  it('answers other than with a failure of ours to the longest domain that UTF-8 allows', async () => {
    const domain = Array.from({ length: 990 }, (_, i) =>
      String.fromCodePoint(0x20000 + ((i * 7919) % 40_000)),
    );
    const answer = await api.post('companies', { name: 'Navy', domain: `${domain.join('')}.example` });
    expect([201, 400]).toContain(answer.status);
  });

  it.each([
    ['does not exist', () => `agent_${NOWHERE}`],
    ['is malformed', () => 'agent_x'],
    ['is of another type', () => workspace.organizationId],
    ['is empty', () => ''],
    ['belongs to another organization', async () => (await newWorkspace()).agentId],
  ])('answers 404 for an agent that %s', async (_, id) => {
    const answer = await api.post('companies', { name: 'Navy', agent_id: await id() });
    expectProblem(answer, 404, 'agent_not_found');
  });

  it('answers 400 for an invalid domain, whatever the agent', async () => {
    const answer = await api.post('companies', { name: 'Navy', domain: 'nodot', agent_id: 'agent_x' });
    expectProblem(answer, 400, 'validation_failed', 'domain');
  });

  it.each(['address', 'agent_id', 'custom_fields'])(
    'refuses a value of another type in %s',
    async (field) => {
      for (const value of [1, true, ['x'], field === 'custom_fields' ? 'x' : { x: 1 }])
        expectProblem(
          await api.post('companies', { name: 'Navy', [field]: value }),
          400,
          'validation_failed',
          field,
        );
    },
  );

  it('names every unknown field', async () => {
    const body = { name: 'Navy', company_id: 'x', created_at: 'x', adress: 'x' };
    expectProblem(
      await api.post('companies', body),
      400,
      'validation_failed',
      'company_id',
      'created_at',
      'adress',
    );
  });
});

describe('custom fields of a company', () => {
  it('are those of companies: checked, filled with defaults, merged and cleared', async () => {
    const own = await newWorkspace();
    await ok(own.adminApi.post('custom-fields/contacts', { label: 'Nickname', type: 'string' }));
    await ok(own.adminApi.post('custom-fields/companies', { label: 'Size', type: 'number', default: 1 }));
    await ok(
      own.adminApi.post('custom-fields/companies', { label: 'Tier', type: 'enum', options: ['A', 'B'] }),
    );
    const post = (custom_fields: unknown) => own.api.post('companies', { name: 'Navy', custom_fields });

    expectProblem(await post({ nickname: 'x' }), 400, 'validation_failed', 'custom_fields.nickname');
    expectProblem(await post({ size: '1' }), 400, 'validation_failed', 'custom_fields.size');
    const refused = await post({ tier: 'C' });
    expectProblem(refused, 400, 'validation_failed', 'custom_fields.tier');
    expect(refused.body.detail).toMatch(/one of its options.*A.*B/);

    const { company_id, custom_fields } = await ok(post({ tier: 'B' }));
    expect(custom_fields).toEqual({ tier: 'B', size: 1 });
    const change = async (values: unknown) =>
      (await ok(own.api.patch(`companies/${company_id}`, { custom_fields: values }))).custom_fields;
    expect(await change({ tier: null })).toEqual({ tier: null, size: 1 });
    expect(await change(null)).toEqual({});
    expectProblem(
      await own.api.patch(`companies/${company_id}`, { custom_fields: { tier: 'C' } }),
      400,
      'validation_failed',
      'custom_fields.tier',
    );
  });
});

describe('reading a company', () => {
  it.each([
    ['does not exist', `company_${NOWHERE}`],
    ['is of another type', `contact_${NOWHERE}`],
    ['is malformed', 'company_x'],
  ])('answers 404 for an id that %s', async (_, id) => {
    expectProblem(await api.get(`companies/${id}`), 404, 'company_not_found');
    expectProblem(await api.patch(`companies/${id}`, { name: 'X' }), 404, 'company_not_found');
  });
});

describe('listing companies', () => {
  let own: Workspace;
  let first: Json, second: Json, third: Json;
  beforeAll(async () => {
    own = await newWorkspace();
    const make = (body: object): Promise<Json> => ok(own.api.post('companies', body));
    first = await make({ name: 'A', domain: 'navy.example' });
    second = await make({ name: 'B', domain: 'engine.example' });
    third = await make({ name: 'C', domain: 'https://NAVY.example/' });
  });

  it('gives the newest first, each as it reads alone', async () => {
    expect((await ok(own.api.get('companies'))).data).toEqual([third, second, first]);
  });

  it('narrows to a domain in Unicode or ASCII, however it is written', async () => {
    const { api } = await newWorkspace();
    const spelt = ['münchen.example', 'XN--MNCHEN-3YA.example'];
    const made: Json[] = [];
    for (const domain of spelt) made.unshift(await ok(api.post('companies', { name: 'Navy', domain })));
    for (const domain of [...spelt, 'https://MU\u0308NCHEN.example:80/', 'münchen.example.'])
      expect((await ok(api.get('companies', { domain }))).data).toEqual(made);
  });

  it('narrows to a domain, however it is written', async () => {
    for (const domain of ['navy.example', 'NAVY.example', 'https://navy.example/about'])
      expect((await ok(own.api.get('companies', { domain }))).data).toEqual([third, first]);
    expect((await ok(own.api.get('companies', { domain: 'other.example' }))).data).toEqual([]);
    expect((await ok(own.api.get('companies', { domain: 'navy' }))).data).toEqual([]);
  });

  it('refuses filters it does not know', async () => {
    for (const name of ['title', 'agent_id', 'email', 'end_date'])
      expectProblem(await own.api.get('companies', { [name]: 'x' }), 400, 'validation_failed', name);
  });
});

describe('changing a company', () => {
  it('changes what is given and leaves the rest', async () => {
    const before = await create({ name: 'Navy', domain: 'navy.example', address: 'Here' });
    const change = { name: 'Royal Navy', agent_id: workspace.agentId };
    const answer = await api.patch(`companies/${before.company_id}`, change);
    expect(answer.status).toBe(200);
    expect(answer.body).toEqual({ ...before, ...change, updated_at: answer.body.updated_at });
    expect(await ok(api.get(`companies/${before.company_id}`))).toEqual(answer.body);
    expect(await ok(api.patch(`companies/${before.company_id}`, {}))).toEqual(answer.body);
  });

  it('brings a domain to the same form as creation', async () => {
    const { company_id } = await create({ name: 'Navy' });
    const changed = await ok(api.patch(`companies/${company_id}`, { domain: 'HTTPS://Navy.example/x' }));
    expect(changed.domain).toBe('navy.example');
  });

  it('clears what is null', async () => {
    const full = { name: 'Navy', domain: 'navy.example', address: 'Here', agent_id: workspace.agentId };
    const { company_id } = await create(full);
    const nothing = { domain: null, address: null, agent_id: null };
    expect(await ok(api.patch(`companies/${company_id}`, nothing))).toMatchObject({
      name: 'Navy',
      ...nothing,
    });
  });

  it.each([
    ['name', null],
    ['name', ''],
    ['domain', 'navy'],
    ['address', 5],
    ['custom_fields', 'x'],
    ['company_id', `company_${NOWHERE}`],
    ['created_at', '2026-01-01T00:00:00Z'],
  ])('refuses %s %j, and changes nothing', async (field, value) => {
    const before = await create({ name: 'Navy' });
    const body = { address: 'There', [field]: value };
    expectProblem(await api.patch(`companies/${before.company_id}`, body), 400, 'validation_failed', field);
    expect(await ok(api.get(`companies/${before.company_id}`))).toEqual(before);
  });

  it('answers 404 for an agent that does not exist, and changes nothing', async () => {
    const before = await create({ name: 'Navy' });
    const body = { name: 'Other', agent_id: `agent_${NOWHERE}` };
    expectProblem(await api.patch(`companies/${before.company_id}`, body), 404, 'agent_not_found');
    expect(await ok(api.get(`companies/${before.company_id}`))).toEqual(before);
  });
});
