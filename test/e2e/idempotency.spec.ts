import {
  type Answer,
  type Client,
  type Json,
  newKey,
  newWorkspace,
  ok,
  openApi,
  unique,
} from '../support/clients/client.js';
import { inDatabase } from '../support/database/database.js';
import { expectProblem } from '../support/clients/expectations.js';
import { filled, type Operation, operationsOf } from '../support/clients/openapi.js';
import { type Furnished, furnishedWorkspace, received } from '../support/data/records.js';

let furnished: Furnished;
let api: Client;
let writes: Operation[];
beforeAll(async () => {
  furnished = await furnishedWorkspace();
  api = furnished.api;
  writes = operationsOf(await openApi()).filter(
    ({ method, path }) => path.startsWith('/api/') && ['POST', 'PATCH'].includes(method),
  );
});

const send = (key: string, method: string, path: string, body?: unknown, client = api): Promise<Answer> =>
  client.send(method, path, { body, headers: { 'idempotency-key': key } });
const create = (key: string, name: string, client = api) => send(key, 'POST', 'contacts', { name }, client);

const named = async (name: string): Promise<number> =>
  (await ok(api.get('contacts', { limit: 200 }))).data.filter((one: Json) => one.name === name).length;

/** The repeat is the first answer again, byte for byte. */
function expectReplay(first: Answer, repeat: Answer): void {
  expect([repeat.status, repeat.text]).toEqual([first.status, first.text]);
  for (const name of ['content-type', 'etag', 'location', 'x-content-type-options'])
    expect([name, repeat.headers.get(name)]).toEqual([name, first.headers.get(name)]);
  expect(first.headers.get('idempotency-replayed')).toBeNull();
  expect(repeat.headers.get('idempotency-replayed')).toBe('true');
}

describe('a repeat with the same Idempotency-Key and body', () => {
  it.each<[string, string, object]>([
    ['POST', 'contacts', { name: 'Grace', custom_fields: { size: 1.5 } }],
    ['POST', 'companies', { name: 'Na\u00efve \u{1F600} & Söhne' }],
    [
      'POST',
      'messages',
      { modality: 'text', message_direction: 'sent', content: 'x', contact: { name: 'G' } },
    ],
    ['POST', 'conversations/{conversation_id}/response-drafts', { body_html: '<p>Again</p>' }],
    ['PATCH', 'contacts/{contact_id}', { name: 'Grace Hopper' }],
    ['PATCH', 'companies/{company_id}', { name: 'The Navy' }],
    ['PATCH', 'conversations/{conversation_id}', { folder: 'kept' }],
    ['POST', 'tasks', { title: 'Call back' }],
    ['PATCH', 'tasks/{task_id}', { completed_at: '2026-01-02T03:04:05Z' }],
    ['PATCH', 'sales/{sale_id}', { custom_fields: null }],
    ['POST', 'message-drafts', { modality: 'email', body_html: '<p>Hello</p>', to_email: 'g@navy.example' }],
  ])('to %s %s gets the first answer, byte for byte', async (method, path, body) => {
    const key = unique('key');
    const ask = () => send(key, method, filled(path, furnished.ids), body);
    const first = await ask();
    expect(first.status).toBeLessThan(300);
    expectReplay(first, await ask());
    expectReplay(first, await ask());
  });

  it('to a route without a body gets the first answer', async () => {
    const { conversation_id } = await ok(received(api, { contact: { email: 'send@navy.example' } }));
    const base = `conversations/${conversation_id}/response-drafts`;
    const { response_id } = await ok(api.post(base, { body_html: 'x' }));
    const key = unique('key');
    const first = await send(key, 'POST', `${base}/${response_id}/send`);
    expect(first.status).toBe(200);
    expectReplay(first, await send(key, 'POST', `${base}/${response_id}/send`));
  });

  it('to POST sales and to the sending of a message draft gets the first answer', async () => {
    const { company_id, status_id } = furnished.ids;
    const drafted = { modality: 'email', body_html: 'x', to_email: 'g@navy.example' };
    const { draft_id } = await ok(api.post('message-drafts', drafted));
    for (const [path, body] of [
      ['sales', { company_id, status_id }],
      [`message-drafts/${draft_id}/send`, undefined],
    ] as const) {
      const key = unique('key');
      const first = await send(key, 'POST', path, body);
      expect([path, first.status]).toEqual([path, path === 'sales' ? 201 : 200]);
      expectReplay(first, await send(key, 'POST', path, body));
    }
  });

  it('changes nothing', async () => {
    const [key, name] = [unique('key'), unique('Ada')];
    for (let nr = 0; nr < 3; nr++) expect((await create(key, name)).status).toBe(201);
    expect(await named(name)).toBe(1);
  });

  it('gets the first answer although the record has changed since', async () => {
    const key = unique('key');
    const first = await create(key, 'Before');
    await ok(api.patch(`contacts/${first.body.contact_id}`, { name: 'After' }));
    expectReplay(first, await create(key, 'Before'));
    expect((await ok(api.get(`contacts/${first.body.contact_id}`))).name).toBe('After');
  });

  it('keeps the status of what was there before', async () => {
    const body = { modality: 'text', message_direction: 'sent', content: 'x', contact: { name: 'G' } };
    const external_id = unique('external');
    const [first, second] = [unique('key'), unique('key')];
    expect((await send(first, 'POST', 'messages', { ...body, external_id })).status).toBe(201);
    expect((await send(second, 'POST', 'messages', { ...body, external_id })).status).toBe(200);
    expect((await send(first, 'POST', 'messages', { ...body, external_id })).status).toBe(201);
    expect((await send(second, 'POST', 'messages', { ...body, external_id })).status).toBe(200);
  });

  it('is the same though white space and the order of fields differ', async () => {
    const raw = (text: string, key: string) =>
      api.send('POST', 'contacts', {
        raw: text,
        headers: { 'content-type': 'application/json', 'idempotency-key': key },
      });
    const key = unique('key');
    const first = await raw('{"name":"Ada","custom_fields":{"size":1}}', key);
    expectReplay(first, await raw('{ "custom_fields": {"size": 1.0},\n"name": "Ada" }', key));
  });

  it('bears its own X-Request-Id', async () => {
    const key = unique('key');
    const [first, repeat] = [await create(key, 'Ada'), await create(key, 'Ada')];
    expect(repeat.headers.get('x-request-id')).not.toBe(first.headers.get('x-request-id'));
  });
});

describe('an Idempotency-Key', () => {
  it.each<[string, string, string, object]>([
    ['another value', 'POST', 'contacts', { name: 'Other' }],
    ['a further field', 'POST', 'contacts', { name: 'Ada', email: 'ada@navy.example' }],
    ['a body that is wrong', 'POST', 'contacts', { nonsense: 1 }],
    ['no body', 'POST', 'contacts', {}],
  ])('that is used again with %s is refused with 422', async (_, method, path, body) => {
    const key = unique('key');
    await ok(create(key, 'Ada'));
    expectProblem(await send(key, method, path, body), 422, 'idempotency_key_reused');
    expect((await create(key, 'Ada')).headers.get('idempotency-replayed')).toBe('true');
  });

  it('belongs to the API key, the method and the path', async () => {
    const key = unique('key');
    const name = unique('Ada');
    const { contact_id } = (await create(key, name)).body;
    const { api_key } = await ok(newKey(furnished.admin, furnished.organizationId));
    const others = [
      await create(key, name, api.with({ 'x-api-key': api_key })),
      await send(key, 'POST', 'companies', { name }),
      await send(key, 'PATCH', `contacts/${contact_id}`, { name }),
      await send(key, 'PATCH', `contacts/${furnished.ids['contact_id']}`, { name }),
      await create(key, name, (await newWorkspace()).api),
    ];
    for (const { status, headers } of others) {
      expect(status).toBeLessThan(300);
      expect(headers.get('idempotency-replayed')).toBeNull();
    }
  });

  it('belongs to an API key also after that was rotated', async () => {
    const { organizationId, admin } = furnished;
    const { key_id, api_key } = await ok(newKey(admin, organizationId));
    const key = unique('key');
    const first = await create(key, 'Ada', api.with({ 'x-api-key': api_key }));
    const rotated = await ok(admin.post(`api-keys/${key_id}/rotate`));
    expectReplay(first, await create(key, 'Ada', api.with({ 'x-api-key': rotated.api_key })));
  });

  it('names the path however it is written', async () => {
    const key = unique('key');
    const first = await create(key, 'Ada');
    expectReplay(first, await send(key, 'POST', 'contacts/', { name: 'Ada' }));
    const encoded = `/%61pi/v2/organizations/${furnished.organizationId}/contacts`;
    expectReplay(first, await send(key, 'POST', encoded, { name: 'Ada' }));
  });

  it.each(['', 'a'.repeat(256), 'gr\u00e4ce', 'tab\there'])(
    '"%s" is refused on every POST and PATCH, naming the header',
    async (key) => {
      for (const { method, path } of writes)
        expectProblem(
          await send(key, method, filled(path, furnished.ids), {}),
          400,
          'validation_failed',
          'Idempotency-Key',
        );
    },
  );

  it.each(['1', 'two words', 'a'.repeat(255), '"8e03978e-40d5-43e8-bc93-6894a57f9324"', '!~{}\\'])(
    '%s is taken',
    async (word) => {
      const key = word.length < 255 ? word + unique('') : word;
      const first = await create(key, 'Ada');
      expectReplay(first, await create(key, 'Ada'));
    },
  );

  it('of a request that was refused may be used again, with another body too', async () => {
    const [key, name] = [unique('key'), unique('Ada')];
    expectProblem(await send(key, 'POST', 'contacts', { name: 5 }), 400, 'validation_failed');
    const company_id = 'company_01hzy3v7q4e8k9m2n5p6r7s8t9';
    expectProblem(await send(key, 'POST', 'contacts', { name, company_id }), 404, 'company_not_found');
    const first = await create(key, name);
    expect(first.status).toBe(201);
    expectReplay(first, await create(key, name));
    expect(await named(name)).toBe(1);
  });

  it('is forgotten after 24 hours', async () => {
    const [key, name] = [unique('key'), unique('Ada')];
    await ok(create(key, name));
    const age = (time: string) =>
      inDatabase((database) =>
        database.query(
          `UPDATE idempotency SET created_at = now() - $2::interval
            WHERE organization_id = $1 AND body LIKE '%' || $3 || '%'`,
          [furnished.organizationId, time, name],
        ),
      );
    await age('23 hours 59 minutes');
    expect((await create(key, name)).headers.get('idempotency-replayed')).toBe('true');
    await age('24 hours');
    const anew = await create(key, name);
    expect([anew.status, anew.headers.get('idempotency-replayed')]).toEqual([201, null]);
    expect(await named(name)).toBe(2);
    expectReplay(anew, await create(key, name));
  });

  it('is of no account on GET', async () => {
    for (const key of ['', 'same', 'same']) {
      const { status, headers } = await api.send('GET', 'contacts', { headers: { 'idempotency-key': key } });
      expect([status, headers.get('idempotency-replayed')]).toEqual([200, null]);
    }
  });

  it('does not lift any other check', async () => {
    const key = unique('key');
    await ok(create(key, 'Ada'));
    expectProblem(await create(key, 'Ada', api.with({ 'x-api-key': '' })), 401, 'unauthorized');
    expectProblem(await send(key, 'POST', 'contacts?x=1', { name: 'Ada' }), 400, 'validation_failed', 'x');
  });
});

/** Each answer is the one of the request that was carried out, or says that it runs. */
async function expectOne(ask: () => Promise<Answer>): Promise<Answer> {
  const answers = await Promise.all(Array.from({ length: 50 }, ask));
  const done = answers.filter(({ status }) => status < 300);
  for (const answer of answers.filter(({ status }) => status >= 300)) {
    expectProblem(answer, 409, 'idempotency_in_progress');
    expect(Number(answer.headers.get('retry-after'))).toBeGreaterThan(0);
  }
  expect(new Set(done.map(({ text }) => text)).size).toBe(1);
  expect(done.filter(({ headers }) => headers.get('idempotency-replayed') === null)).toHaveLength(1);
  return done[0]!;
}

describe('requests with the same Idempotency-Key at the same moment', () => {
  it('create one record', async () => {
    const [key, name] = [unique('key'), unique('Ada')];
    await expectOne(() => create(key, name));
    expect(await named(name)).toBe(1);
  });

  it('record one message', async () => {
    const key = unique('key');
    const contact = { email: `${unique('m')}@navy.example` };
    const body = { modality: 'text', message_direction: 'received', content: 'x', contact };
    const { body: message } = await expectOne(() => send(key, 'POST', 'messages', body));
    const { data } = await ok(api.get(`conversations/${message.conversation_id}/messages`));
    expect(data).toHaveLength(1);
  });

  it('change a record once', async () => {
    const { contact_id } = await ok(api.post('contacts', { name: 'Ada' }));
    const key = unique('key');
    await expectOne(() => send(key, 'PATCH', `contacts/${contact_id}`, { custom_fields: { size: 2 } }));
    const events = await inDatabase((database) =>
      database.query('SELECT type FROM es_event WHERE stream_id = $1 ORDER BY version', [contact_id]),
    );
    expect(events.rows).toEqual([{ type: 'ContactCreated' }, { type: 'ContactCustomFieldsChanged' }]);
  });

  it('queue one delivery', async () => {
    const { conversation_id } = await ok(
      received(api, { contact: { email: `${unique('q')}@navy.example` } }),
    );
    const key = unique('key');
    const body = { body_html: '<p>Yes</p>', autosend_draft: true, add_notification: false };
    const { body: draft } = await expectOne(() =>
      send(key, 'POST', `conversations/${conversation_id}/response-drafts`, body),
    );
    const events = await inDatabase((database) =>
      database.query(`SELECT count(*) FROM es_event WHERE stream_id = $1 AND type LIKE 'ResponseDraft%'`, [
        draft.response_id,
      ]),
    );
    expect(events.rows).toEqual([{ count: '1' }]);
  });
});

/** `PARLEY_RACE_ROUNDS=200` is the long run; what is left to chance shows in many. */
const ROUNDS = Number(process.env['PARLEY_RACE_ROUNDS'] ?? 6);

it(`50 requests with one Idempotency-Key at the same moment have one effect, ${ROUNDS} times over`, async () => {
  const workspace = await newWorkspace();
  const { organizationId } = workspace;
  const { data: stages } = await ok(workspace.api.get('sale-statuses'));
  const { company_id } = await ok(workspace.api.post('companies', { name: 'Navy' }));
  const contact = { name: 'Visitor' };
  const writes: [path: string, body: object][] = [
    ['contacts', { name: 'Ada' }],
    ['tasks', { title: 'Call back' }],
    ['sales', { status_id: stages[0].status_id, company_id }],
    ['messages', { modality: 'chat', message_direction: 'received', content: 'x', contact }],
  ];
  for (let round = 0; round < ROUNDS; round++)
    for (const [path, body] of writes) {
      const key = unique('race');
      await expectOne(() => send(key, 'POST', path, body, workspace.api));
    }
  const { rows } = await inDatabase((database) =>
    database.query(
      `SELECT split_part(stream_id, '_', 1) AS kind, count(DISTINCT stream_id)::int AS streams, count(*)::int AS events
         FROM es_event WHERE organization_id = $1 AND stream_type <> 'setting' GROUP BY kind ORDER BY kind`,
      [organizationId],
    ),
  );
  const each = (kind: string, streams: number) => ({ kind, streams, events: streams });
  expect(rows).toEqual([
    each('company', 1),
    // Each visitor is one more contact, in a conversation of its own.
    each('contact', 2 * ROUNDS),
    each('conv', ROUNDS),
    each('sale', ROUNDS),
    each('task', ROUNDS),
  ]);
}, 1_800_000);

describe('many requests with Idempotency-Keys of their own', () => {
  it('that change one record all succeed, one after another', async () => {
    const { contact_id } = await ok(api.post('contacts', { name: 'Ada' }));
    const answers = await Promise.all(
      Array.from({ length: 60 }, (_, nr) =>
        send(unique('key'), 'PATCH', `contacts/${contact_id}`, { name: `Ada ${nr}` }),
      ),
    );
    expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 200));
  });

  it('and without any mix, however few connections there are', async () => {
    const contact = { email: `${unique('mix')}@navy.example` };
    const body = { modality: 'text', message_direction: 'received', content: 'x', contact };
    const answers = await Promise.all(
      Array.from({ length: 80 }, (_, nr) =>
        nr % 2 ? send(unique('key'), 'POST', 'messages', body) : api.post('messages', body),
      ),
    );
    expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 201));
    expect(new Set(answers.map((answer) => answer.body.conversation_id)).size).toBe(1);
  });
});

describe('the document', () => {
  it('names the header, its replay and its refusals on every POST and PATCH below /api', () => {
    expect(writes.length).toBeGreaterThan(5);
    for (const { spec, path } of writes) {
      const header = spec.parameters.find((one: Json) => one.name === 'Idempotency-Key');
      expect([path, header]).toEqual([
        path,
        expect.objectContaining({ in: 'header', required: false, description: expect.any(String) }),
      ]);
      expect([path, Object.keys(spec.responses)]).toEqual([path, expect.arrayContaining(['409', '422'])]);
      for (const [status, { headers }] of Object.entries<Json>(spec.responses))
        if (status.startsWith('2')) expect(headers).toHaveProperty('Idempotency-Replayed');
    }
  });
});
