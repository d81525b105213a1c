import { Client, type Json, newKey, ok, openApi, sharedUrl } from '../support/clients/client.js';
import { expectProblem } from '../support/clients/expectations.js';
import {
  type Document,
  filled,
  type Operation,
  operationsOf,
  takesList,
} from '../support/clients/openapi.js';
import { type Furnished, furnishedWorkspace, received } from '../support/data/records.js';

let furnished: Furnished;
let document: Document;
let operations: Operation[];
beforeAll(async () => {
  furnished = await furnishedWorkspace();
  document = await openApi();
  operations = operationsOf(document).filter(({ path }) => /^\/(api|admin)\//.test(path));
});

/** Ids that are nobody's. */
const NOBODY = Object.fromEntries(
  ['agent', 'comment', 'company', 'contact', 'conv', 'sale', 'stage', 'task'].map((kind) => [
    kind,
    `${kind}_01hzy3v7q4e8k9m2n5p6r7s8t9`,
  ]),
) as Record<'agent' | 'comment' | 'company' | 'contact' | 'conv' | 'sale' | 'stage' | 'task', string>;

const JSON_TYPE = { 'content-type': 'application/json' };
const clientOf = ({ path }: { path: string }): Client =>
  path.startsWith('/admin') ? furnished.admin : furnished.api;
const at = ({ path }: Operation): string => filled(path, furnished.ids);
const withBody = (): Operation[] =>
  operations.filter(({ spec }) => spec.requestBody?.content['application/json']);
/** What the route takes as it is: the object, or where the body is a list, a list of it. */
const asBody = (operation: Operation, body: unknown): unknown => (takesList(operation) ? [body] : body);
/** The name of a field in problems with what `asBody` gives. */
const named = (operation: Operation, field: string): string => (takesList(operation) ? `0.${field}` : field);
const contacts = (raw: string | Uint8Array<ArrayBuffer>, headers: Record<string, string> = JSON_TYPE) =>
  furnished.api.send('POST', 'contacts', { raw, headers });

/** What the table of every route is told of: not a 5xx, whatever else it is. */
const expectNoFailure = (operation: string, status: number, sent: unknown) =>
  expect([operation, status >= 500 ? status : 'no failure', sent]).toEqual([operation, 'no failure', sent]);

describe('a body', () => {
  it.each([
    ['a list', '[]'],
    ['a list of objects', '[{"name":"Grace"}]'],
  ])('that is %s is refused by every route that takes an object', async (_, raw) => {
    for (const operation of withBody().filter((one) => !takesList(one)))
      expectProblem(
        await clientOf(operation).send(operation.method, at(operation), { raw, headers: JSON_TYPE }),
        400,
        'validation_failed',
        'body',
      );
  });

  it.each([
    ['an object', '{"label":"Won"}'],
    ['an empty list', '[]'],
  ])('that is %s is refused by every route that takes a list', async (_, raw) => {
    const lists = withBody().filter(takesList);
    expect(lists.length).toBeGreaterThan(0);
    for (const operation of lists)
      expectProblem(
        await clientOf(operation).send(operation.method, at(operation), { raw, headers: JSON_TYPE }),
        400,
        'validation_failed',
        'body',
      );
  });

  it.each([['a text'], [1], [true], [null], [[]]])('that is a list of %j is refused', async (one) => {
    for (const operation of withBody().filter(takesList))
      expectProblem(
        await clientOf(operation).send(operation.method, at(operation), { body: [one] }),
        400,
        'validation_failed',
        '0',
      );
  });

  it.each([
    ['a string', '"Grace"'],
    ['a number', '1'],
    ['a truth value', 'true'],
    ['null', 'null'],
  ])('that is %s is refused by every route that takes one', async (_, raw) => {
    for (const operation of withBody())
      expectProblem(
        await clientOf(operation).send(operation.method, at(operation), { raw, headers: JSON_TYPE }),
        400,
        'validation_failed',
        'body',
      );
  });

  it.each([
    ['unfinished', '{"name":"Grace"'],
    ['with a trailing comma', '{"name":"Grace",}'],
    ['with single quotes', "{'name':'Grace'}"],
    ['with a comment', '{"name":"Grace"/* */}'],
    ['followed by more', '{"name":"Grace"}{}'],
    ['of white space', '  '],
    ['with NaN', '{"name":NaN}'],
    ['with a raw line break in a string', '{"name":"a\nb"}'],
    ['in UTF-16', '\uFEFF{\u0000"\u0000'],
  ])('that is no JSON, %s, is refused', async (_, raw) => {
    for (const operation of withBody())
      expectProblem(
        await clientOf(operation).send(operation.method, at(operation), { raw, headers: JSON_TYPE }),
        400,
        'validation_failed',
      );
  });

  it('that is no UTF-8 is refused, not read as something else', async () => {
    const latin1 = Buffer.from('{"name":"Gr\u00e4ce"}', 'latin1');
    expectProblem(await contacts(new Uint8Array(latin1)), 400, 'validation_failed', 'body');
  });

  it('that is empty lacks every required field', async () => {
    for (const raw of ['', '{}']) {
      expectProblem(await contacts(raw), 400, 'validation_failed');
      expectProblem(
        await furnished.api.send('POST', 'companies', { raw, headers: JSON_TYPE }),
        400,
        'validation_failed',
        'name',
      );
    }
    expectProblem(await furnished.api.send('POST', 'companies'), 400, 'validation_failed', 'name');
  });

  it('may be left out, whatever the type says, where a route needs none', async () => {
    const { key_id } = await ok(newKey(furnished.admin, furnished.organizationId));
    const asked = (method: string, path: string) =>
      furnished.admin.send(method, path, { headers: JSON_TYPE });
    expect((await asked('POST', `api-keys/${key_id}/rotate`)).status).toBe(200);
    expect((await asked('DELETE', `api-keys/${key_id}`)).status).toBe(204);
    expect((await furnished.api.send('GET', 'contacts', { headers: JSON_TYPE })).status).toBe(200);
  });

  it.each([
    'text/plain',
    'application/x-www-form-urlencoded',
    'multipart/form-data; boundary=x',
    'application/xml',
    'application/jsonx',
    'application/problem+json',
    'message/rfc822',
    'application/octet-stream',
    'text/plain; application/json',
    'json',
    '*/*',
  ])('of type %s is refused with 415 by every route that takes one', async (type) => {
    for (const operation of withBody())
      expectProblem(
        await clientOf(operation).send(operation.method, at(operation), {
          raw: 'name=Grace',
          headers: { 'content-type': type },
        }),
        415,
        'unsupported_media_type',
      );
  });

  it('that is compressed is refused with 415 by every route that takes one', async () => {
    for (const operation of withBody()) {
      const answer = await clientOf(operation).send(operation.method, at(operation), {
        raw: '{"name":"Grace"}',
        headers: { ...JSON_TYPE, 'content-encoding': 'gzip' },
      });
      expectProblem(answer, 415, 'unsupported_media_type');
      expect(answer.headers.get('accept-encoding')).toBe('identity');
    }
    const identity = { ...JSON_TYPE, 'content-encoding': 'identity' };
    expect((await contacts('{"name":"Grace"}', identity)).status).toBe(201);
  });

  it('without a type is refused with 415', async () => {
    const raw = new Uint8Array(Buffer.from('{"name":"Grace"}'));
    expectProblem(await contacts(raw, {}), 415, 'unsupported_media_type');
  });

  it.each(['application/json', 'application/json; charset=utf-8', 'Application/JSON;charset="UTF-8"'])(
    'of type %s is taken',
    async (type) => {
      expect((await contacts('{"name":"Grace"}', { 'content-type': type })).status).toBe(201);
    },
  );

  it('over 2 MiB is refused with 413, one of 2 MiB is read', async () => {
    const sized = (bytes: number) => `{"name":"Grace"${' '.repeat(bytes - 16)}}`;
    const largest = 2 * 1024 * 1024;
    expect((await contacts(sized(largest))).status).toBe(201);
    expectProblem(await contacts(sized(largest + 1)), 413, 'body_too_large');
    expectProblem(await contacts('x'.repeat(5_000_000)), 413, 'body_too_large');
  });
});

describe('unknown names', () => {
  it('in the body are refused by every route, each of them named', async () => {
    for (const operation of withBody()) {
      const body = { nonsense: 1, constructor: 1, toString: 1, Name: 'x' };
      const answer = await clientOf(operation).send(operation.method, at(operation), {
        body: asBody(operation, body),
      });
      const fields = Object.keys(body).map((field) => named(operation, field));
      expectProblem(answer, 400, 'validation_failed', ...fields);
    }
  });

  it('in the body of a route that takes none are refused, each of them named', async () => {
    const bodiless = operations.filter(({ method, spec }) => method !== 'GET' && !spec.requestBody);
    expect(bodiless.map(({ method }) => method)).toEqual(expect.arrayContaining(['POST', 'DELETE']));
    for (const operation of bodiless) {
      const send = (body: unknown) => clientOf(operation).send(operation.method, at(operation), { body });
      expectProblem(
        await send({ nonsense: 1, constructor: 1 }),
        400,
        'validation_failed',
        'nonsense',
        'constructor',
      );
      expectProblem(await send(['nonsense']), 400, 'validation_failed', 'body');
    }
  });

  it('in an object inside the body are refused with their path', async () => {
    const body = { contact: { name: 'Grace', nickname: 'G' }, email_metadata: { cc: [] } };
    const answer = await received(furnished.api, body);
    expectProblem(answer, 400, 'validation_failed', 'contact.nickname', 'email_metadata.cc');
  });

  it('in the query are refused by every route, each of them named', async () => {
    for (const operation of operations) {
      const path = `${at(operation)}?nonsense=1&constructor=2&__proto__=3&limit%5B%5D=4`;
      const answer = await clientOf(operation).send(operation.method, path);
      expect([operation.path, answer.status]).toEqual([operation.path, 400]);
      expectProblem(answer, 400, 'validation_failed', 'nonsense', 'constructor', '__proto__', 'limit[]');
    }
  });

  it.each([
    ['{"name":"Grace","__proto__":{"email":"x@y.example"}}', '__proto__'],
    ['{"__proto__":{"name":"Grace"}}', '__proto__'],
    ['{"name":"Grace","custom_fields":{"__proto__":{"size":2}}}', '__proto__'],
    ['{"name":"Grace","custom_fields":{"constructor":{"prototype":{"size":2}}}}', 'constructor.prototype'],
    ['{"name":"Grace","constructor":{"prototype":{"email":"x@y.example"}}}', 'constructor.prototype'],
    ['{"name":"Grace","\\u005f_proto__":null}', '__proto__'],
  ])('that mean something to JavaScript are refused by name: %s', async (raw, field) => {
    expectProblem(await contacts(raw), 400, 'validation_failed', field);
    const { body } = await contacts('{"name":"Grace"}');
    expect(body).toMatchObject({ email: '', custom_fields: { size: 1 } });
  });

  it('in a free object are kept, those that mean something to JavaScript included', async () => {
    const form_request_body = { constructor: 1, toString: { valueOf: null }, hasOwnProperty: [] };
    const message = await ok(
      received(furnished.api, { contact: { name: 'G' }, is_form_request: true, form_request_body }),
    );
    expect(message.form_request_body).toEqual(form_request_body);
  });
});

describe('a PATCH', () => {
  it('without a body is refused on every route, since nobody means to ask for nothing', async () => {
    for (const operation of operations.filter(({ method }) => method === 'PATCH')) {
      const answer = await clientOf(operation).send('PATCH', at(operation));
      expect([operation.path, answer.status]).toEqual([operation.path, 400]);
      expectProblem(answer, 400, 'validation_failed', 'body');
    }
  });
});

describe('a body with too much in it', () => {
  it.each([
    [
      '700,000 objects in a list',
      `{"name":"a","custom_fields":null,"x":[${'{},'.repeat(690_000)}{}]}`,
      'body',
    ],
    ['a million brackets', '['.repeat(1_000_000), 'body'],
    ['9,000 objects in a list', `{"name":"a","x":[${'{},'.repeat(9_000)}{}]}`, 'x'],
    [
      '180,000 fields',
      `{"name":"a",${Array.from({ length: 180_000 }, (_, nr) => `"k${nr}":1`).join()}}`,
      'body',
    ],
    ['10,000 fields', `{"name":"a",${Array.from({ length: 10_000 }, (_, nr) => `"k${nr}":1`).join()}}`, 'k0'],
  ])('as of %s is refused', async (_, raw, field) => {
    const answer = await contacts(raw);
    expectProblem(answer, 400, 'validation_failed', field);
    expect(answer.body.errors.length).toBeLessThanOrEqual(1_000);
  });

  it('is refused naming the list that has more than 1,000 items', async () => {
    const raw = JSON.stringify({ associated_contacts: Array.from({ length: 1_001 }, () => ({})) });
    const answer = await furnished.api.send('POST', 'sales', { raw, headers: JSON_TYPE });
    expectProblem(answer, 400, 'validation_failed', 'status_id', 'associated_contacts');
    expect(answer.body.errors).toHaveLength(2);
  });
});

describe('what cannot be stored', () => {
  const NUL = '\\u0000';
  it.each([
    ['a NUL character', `{"name":"a${NUL}b"}`, 'name'],
    [
      'a NUL character in a nested text',
      `{"name":"a","custom_fields":{"x":{"y":["${NUL}"]}}}`,
      'custom_fields.x.y.0',
    ],
    ['a NUL character in a name', `{"name":"a","custom_fields":{"x${NUL}":1}}`, 'custom_fields'],
    ['a lone high surrogate', '{"name":"\\ud83d"}', 'name'],
    ['a lone low surrogate', '{"name":"\\ude00x"}', 'name'],
    ['surrogates in the wrong order', '{"name":"\\ude00\\ud83d"}', 'name'],
    ['a lone surrogate in a name', '{"name":"a","custom_fields":{"\\ud83d":1}}', 'custom_fields'],
    ['a number beyond a double', '{"name":"a","custom_fields":{"size":1e999}}', 'custom_fields.size'],
    [
      'a negative number beyond a double',
      '{"name":"a","custom_fields":{"size":-1e999}}',
      'custom_fields.size',
    ],
  ])('%s is refused, naming the field', async (_, raw, field) => {
    expectProblem(await contacts(raw), 400, 'validation_failed', field);
  });

  it('is named beside all else that is wrong', async () => {
    const raw = `{"name":"a${NUL}","email":"x${NUL}","phone_number":"call me","rank":1}`;
    const answer = await contacts(raw);
    expectProblem(answer, 400, 'validation_failed');
    expect(answer.body.errors.map(({ field }: Json) => field).sort()).toEqual([
      'email',
      'name',
      'phone_number',
      'rank',
    ]);
  });

  it('is refused in every body, a NUL character and an unpaired surrogate alike', async () => {
    for (const operation of withBody())
      for (const raw of [`{"x":"${NUL}"}`, '{"x":["\\ud83d"]}', `{"${NUL}":1}`]) {
        const answer = await clientOf(operation).send(operation.method, at(operation), {
          raw,
          headers: JSON_TYPE,
        });
        expectProblem(answer, 400, 'validation_failed');
      }
  });

  it('is refused in a query', async () => {
    for (const query of ['email=%00', 'company_id=a%00b', 'cursor=%00'])
      expectProblem(
        await furnished.api.get(`contacts?${query}`),
        400,
        'validation_failed',
        query.split('=')[0]!,
      );
    expectProblem(await furnished.api.get('contacts?%00=1'), 400, 'validation_failed');
  });

  it.each([100, 10_000, 500_000])('such as %i levels of nesting is refused', async (depth) => {
    for (const [open, close] of [
      ['{"a":', '}'],
      ['[', ']'],
    ] as const) {
      if (depth * open.length > 1_900_000) continue;
      const nested = `${open.repeat(depth)}1${close.repeat(depth)}`;
      for (const raw of [nested, `{"name":"a","custom_fields":{"size":${nested}}}`].filter(
        (one) => one.length < 2_000_000,
      ))
        expectProblem(await contacts(raw), 400, 'validation_failed');
    }
  });

  it('is not what is merely unusual', async () => {
    const name =
      '\u{1F468}\u200D\u{1F469}\uFE0F \u202Ereversed\u202C \uFFFF\uFFFE\u0001\u007F\u2028 \u{10FFFF} % \\0 $1 \'"';
    expect((await ok(furnished.api.post('contacts', { name }))).name).toBe(name);
    const free = { a: { b: { c: [[[1.5e300, -0.1, 9007199254740991, true, null, '', {}]]] } } };
    const message = { contact: { name: 'G' }, is_form_request: true, form_request_body: free };
    expect((await ok(received(furnished.api, message))).form_request_body).toEqual(free);
  });

  it('such as a text longer than its index entry is kept or refused, but no failure', async () => {
    const longest = Array.from({ length: 1_000 }, (_, i) =>
      String.fromCodePoint(0x20000 + ((i * 7919) % 40_000)),
    ).join('');
    const contact = { name: 'G' };
    for (const body of [{ external_id: longest }, { email_metadata: { email_message_id: longest } }]) {
      const answer = await received(furnished.api, { contact, ...body });
      expectNoFailure('record a message', answer.status, Object.keys(body));
    }
  });

  it('such as a text of combining characters counts them all', async () => {
    expectProblem(
      await furnished.api.post('contacts', { name: '\uFE0F'.repeat(1_001) }),
      400,
      'validation_failed',
      'name',
    );
    expectProblem(
      await furnished.api.post('contacts', { name: 'e\u0301'.repeat(501) }),
      400,
      'validation_failed',
      'name',
    );
  });
});

describe('a number', () => {
  it.each([['"5"'], ['true'], ['1.5'], ['{}']])(
    'that is %s is said to be none, not too great',
    async (quantity) => {
      const product = `{"product_name": "Chair", "unit_price": "1", "quantity": ${quantity}}`;
      const answer = await furnished.api.send('PUT', `sales/${furnished.ids.sale_id}/quote`, {
        raw: `{"currency": "EUR", "products": [${product}]}`,
        headers: JSON_TYPE,
      });
      expectProblem(answer, 400, 'validation_failed', 'products.0.quantity');
      expect(answer.body.detail).toMatch(/whole number/);
    },
  );
});

describe('an id in a body that is malformed or of another kind', () => {
  const NOBODY = '01h455vb4pex5vsknk084sn02q';

  it('is answered as one that does not exist, whatever else is wrong with the request', async () => {
    const { contact_id, company_id } = furnished.ids;
    const task = await ok(furnished.api.post('tasks', { title: 'Call', company_id }));
    const unnamed = { name: null, email: null, phone_number: null };
    const requests: [kind: string, method: string, path: string, body: (id: string) => object][] = [
      ['sale', 'PATCH', `tasks/${task.task_id}`, (sale_id) => ({ sale_id })],
      ['sale', 'POST', 'tasks', (sale_id) => ({ title: 'Call', company_id, sale_id })],
      ['contact', 'PATCH', `tasks/task_${NOBODY}`, (contact_id) => ({ contact_id })],
      ['company', 'PATCH', `sales/sale_${NOBODY}`, (company_id) => ({ company_id })],
      ['conv', 'PATCH', `sales/sale_${NOBODY}`, (id) => ({ conversation_ids: [id] })],
      ['contact', 'PATCH', `sales/sale_${NOBODY}`, (id) => ({ associated_contacts: [{ contact_id: id }] })],
      ['company', 'PATCH', `contacts/contact_${NOBODY}`, (company_id) => ({ company_id })],
      ['company', 'PATCH', `contacts/${contact_id}`, (company_id) => ({ ...unnamed, company_id })],
    ];
    for (const [kind, method, path, bodyWith] of requests) {
      const answerTo = async (id: string) => {
        const { status, body } = await furnished.api.send(method, path, { body: bodyWith(id) });
        return { path, status, code: body.code, detail: body.detail.replaceAll(id, 'ID') };
      };
      const expected = await answerTo(`${kind}_${NOBODY}`);
      for (const id of ['nothing', task.task_id]) expect(await answerTo(id)).toEqual(expected);
    }
  });
});

describe('a path', () => {
  it.each([
    ['with half a percent sign', '%'],
    ['with a percent sign and no digits', '%zz'],
    ['with bytes that are no UTF-8', '%E0%A4%A'],
    ['with an unpaired surrogate', '%ED%A0%80'],
    ['with an overlong slash', '%C0%AF'],
    ['with a NUL character', '%00'],
    ['with a NUL character among others', 'a%00b'],
  ])('%s is refused with 400', async (_, id) => {
    expectProblem(await furnished.api.get(`contacts/${id}`), 400, 'validation_failed', 'path');
  });

  it('with a NUL character is refused with 400 on every route, and beside them, whoever asks', async () => {
    for (const operation of operations)
      for (const [, name] of operation.path.matchAll(/\{(\w+)\}/g)) {
        const path = filled(operation.path, { ...furnished.ids, [name!]: 'a%00b' });
        const answer = await clientOf(operation).send(operation.method, path);
        expectProblem(answer, 400, 'validation_failed', 'path');
      }
    for (const path of ['/%00', '/api/v2/%00', '/api/v2/me/%00', '/docs/%00', '/console/%00'])
      expectProblem(await new Client(sharedUrl(), '').get(path), 400, 'validation_failed', 'path');
  });

  it('is taken as it is: one with an escaped percent sign, or U+FFFD, names another record', async () => {
    const company = (id: string) => `companies/by-external-id/${id}`;
    const ids = ['a%2500b', 'a%EF%BF%BDb', 'ab'];
    const made = await Promise.all(ids.map((id) => ok(furnished.api.put(company(id), { name: id }))));
    expect(made.map(({ external_id }: Json) => external_id)).toEqual(['a%00b', 'a\ufffdb', 'ab']);
    expectProblem(await furnished.api.put(company('a%00b'), { name: 'x' }), 400, 'validation_failed', 'path');
  });

  it.each([
    ['a slash', 'a%2Fb'],
    ['dots', 'x%2e%2e'],
    ['a line break', '%0d%0aX-Injected:%201'],
    ['an emoji', '%F0%9F%98%80'],
    ['a quote', "'%20OR%20'1'='1"],
    ['a thousand letters', 'a'.repeat(1_000)],
    ['ten thousand letters', 'a'.repeat(10_000)],
    ['white space', '%20'],
    ['a question mark', '%3Flimit=1'],
    ['the name of a property', 'constructor'],
  ])('with %s in place of an id is not found, on every route', async (_, id) => {
    for (const operation of operations) {
      const names = [...operation.path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name!);
      for (const name of names) {
        const path = filled(operation.path, { ...furnished.ids, [name]: id });
        if (path.length > 15_000) continue;
        const answer = await clientOf(operation).send(
          operation.method,
          path,
          withBody().includes(operation) ? { body: {} } : {},
        );
        expect(answer.headers.get('x-injected')).toBeNull();
        expect([
          operation.method,
          operation.path,
          [400, 404].includes(answer.status) || answer.status,
        ]).toEqual([operation.method, operation.path, true]);
        if (operation.method === 'GET')
          expect([operation.path, answer.status]).toEqual([operation.path, 404]);
      }
    }
  });

  it.each<[string, object]>([
    ['contact', { company_id: NOBODY.company }],
    ['contact', { custom_fields: { nowhere: 1 } }],
    ['company', { agent_id: NOBODY.agent }],
    ['company', { custom_fields: { nowhere: 1 } }],
    ['sale', { status_id: NOBODY.stage }],
    ['sale', { owner_id: NOBODY.agent }],
    ['sale', { conversation_ids: [NOBODY.conv] }],
    ['task', { agent_id: NOBODY.agent }],
    ['task', { sale_id: NOBODY.sale }],
    ['conversation', { agent_id: NOBODY.agent }],
    ['comment', { mentioned_agent_ids: [NOBODY.agent] }],
  ])('of a %s that is not there is looked at before %j that is not there either', async (what, body) => {
    const kind = what === 'conversation' ? 'conv' : (what as keyof typeof NOBODY);
    const records = what === 'company' ? 'companies' : `${what}s`;
    const answer = await furnished.api.patch(`${records}/${NOBODY[kind]}`, body);
    expectProblem(answer, 404, `${what}_not_found`);
    const there = await furnished.api.patch(`${records}/${furnished.ids[`${what}_id`]}`, body);
    expect([400, 404]).toContain(there.status);
    expect(there.body.code).not.toBe(`${what}_not_found`);
  });

  it('that does not exist is not found', async () => {
    for (const path of [
      '/nothing',
      '/api',
      '/api/v2',
      '/api/v2/nothing',
      '/admin/v1/nothing',
      '/hooks/v1',
      '/favicon.ico',
    ]) {
      const answer = await clientOf({ path }).get(path);
      expectProblem(answer, 404, 'not_found');
    }
  });

  it('may end with a slash', async () => {
    expect((await furnished.api.get('contacts/')).status).toBe(200);
  });
});

describe('a method that a path does not have', () => {
  it('is refused with 405 and what it does have', async () => {
    const methods = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'];
    for (const path of new Set(operations.map((one) => one.path))) {
      const known = operations.filter((one) => one.path === path).map(({ method }) => method);
      const expected = [...known, ...(known.includes('GET') ? ['HEAD'] : [])].sort();
      for (const method of methods.filter((one) => !known.includes(one))) {
        const answer = await clientOf({ path }).send(method, filled(path, furnished.ids));
        expectProblem(answer, 405, 'method_not_allowed');
        expect((answer.headers.get('allow') ?? '').split(', ').sort()).toEqual(expected);
      }
    }
  });

  it('is refused with 405 by every route, also when hardly anybody knows it', async () => {
    for (const path of new Set(operations.map((one) => one.path)))
      for (const method of ['PROPFIND', 'LOCK', 'M-SEARCH', 'PURGE'])
        expectProblem(
          await clientOf({ path }).send(method, filled(path, furnished.ids)),
          405,
          'method_not_allowed',
        );
  });

  it.each(['/openapi.json', '/metrics', '/health/live', '/l/link_x'])(
    'is refused with 405 at %s',
    async (path) => expectProblem(await furnished.api.send('DELETE', path), 405, 'method_not_allowed'),
  );

  it('is refused with 405 whatever its body holds', async () => {
    for (const headers of [JSON_TYPE, { 'content-type': 'text/plain' }])
      expectProblem(
        await furnished.api.send('PUT', 'contacts', { raw: '{', headers }),
        405,
        'method_not_allowed',
      );
  });

  it('is never taken from a header or a parameter', async () => {
    const contact = `contacts/${furnished.ids['contact_id']}`;
    const headers = {
      'x-http-method-override': 'PATCH',
      'x-http-method': 'PATCH',
      'x-method-override': 'PATCH',
    };
    const answer = await furnished.api.send('POST', contact, { body: { name: 'Ada' }, headers });
    expectProblem(answer, 405, 'method_not_allowed');
    expectProblem(
      await furnished.api.post(`${contact}?_method=PATCH`, { name: 'Ada' }),
      405,
      'method_not_allowed',
    );
  });

  it('HEAD is answered like GET without a body where there is GET, and refused elsewhere', async () => {
    const head = await furnished.api.send('HEAD', 'contacts');
    expect([head.status, head.text]).toEqual([200, '']);
    expect((await furnished.api.send('HEAD', `contacts/contact_x`)).status).toBe(404);
    expect((await furnished.api.send('HEAD', 'messages')).status).toBe(405);
  });
});

describe('a date-time', () => {
  const record = (sent_at: unknown) => received(furnished.api, { contact: { name: 'Grace' }, sent_at });
  const issue = (expires_at: unknown) => newKey(furnished.admin, furnished.organizationId, { expires_at });

  it.each([
    ['2026-01-02T03:04:05Z', '2026-01-02T03:04:05.000000Z'],
    ['2026-01-02T03:04:05.6Z', '2026-01-02T03:04:05.600000Z'],
    ['2026-01-02T03:04:05.678901Z', '2026-01-02T03:04:05.678901Z'],
    ['2026-01-02T03:04:05.000001+02:00', '2026-01-02T01:04:05.000001Z'],
    ['2026-01-02T03:04:05-05:30', '2026-01-02T08:34:05.000000Z'],
    ['2026-12-31T23:59:59.999999-00:01', '2027-01-01T00:00:59.999999Z'],
    ['2026-01-01T00:00:00+00:01', '2025-12-31T23:59:00.000000Z'],
    ['2026-01-02T03:04:05-00:00', '2026-01-02T03:04:05.000000Z'],
    ['2026-01-02t03:04:05z', '2026-01-02T03:04:05.000000Z'],
    ['2024-02-29T12:00:00Z', '2024-02-29T12:00:00.000000Z'],
    ['2000-02-29T12:00:00Z', '2000-02-29T12:00:00.000000Z'],
    ['1969-12-31T23:59:59.999999Z', '1969-12-31T23:59:59.999999Z'],
    ['0099-01-01T00:00:00Z', '0099-01-01T00:00:00.000000Z'],
    ['0001-01-01T00:00:00Z', '0001-01-01T00:00:00.000000Z'],
    ['9999-12-31T23:59:59.999999Z', '9999-12-31T23:59:59.999999Z'],
  ])('%s is taken and answered as %s, to the microsecond', async (given, answered) => {
    const { message_id, conversation_id, sent_at } = await ok(record(given));
    expect(sent_at).toBe(answered);
    const conversation = `conversations/${conversation_id}`;
    expect((await ok(furnished.api.get(`${conversation}/messages/${message_id}`))).sent_at).toBe(answered);
    expect(await ok(furnished.api.get(conversation))).toMatchObject({
      start_at: answered,
      last_activity_at: answered,
    });
    const { data } = await ok(furnished.api.get(`${conversation}/messages`, { start_date: given }));
    expect(data.map((one: Json) => one.message_id)).toEqual([message_id]);
    expect((await ok(issue(given))).expires_at).toBe(answered);
  });

  it.each([
    '2026-01-02',
    '2026-01-02T03:04:05',
    '2026-01-02T03:04Z',
    '2026-01-02T03Z',
    '2026-02-30T00:00:00Z',
    '2026-02-29T00:00:00Z',
    '1900-02-29T00:00:00Z',
    '2026-04-31T00:00:00Z',
    '2026-13-01T00:00:00Z',
    '2026-00-01T00:00:00Z',
    '2026-01-00T00:00:00Z',
    '2026-01-32T00:00:00Z',
    '2026-01-02T24:00:00Z',
    '2026-01-02T25:00:00Z',
    '2026-01-02T03:60:00Z',
    '2026-01-02T03:04:61Z',
    '2026-01-02T03:04:05.1234567Z',
    '2026-01-02T03:04:05.Z',
    '2026-01-02T03:04:05,5Z',
    '2026-01-02T03:04:05+24:00',
    '2026-01-02T03:04:05+02:60',
    '2026-01-02T03:04:05+0200',
    '2026-01-02T03:04:05+02',
    '2026-01-02T03:04:05 Z',
    '2026-01-02T03:04:05Z ',
    ' 2026-01-02T03:04:05Z',
    '2026-01-02T03:04:05Z\n',
    '2026-1-2T03:04:05Z',
    '20260102T030405Z',
    '0000-01-01T00:00:00Z',
    '0001-01-01T00:00:00+00:01',
    '9999-12-31T23:59:59-00:01',
    '12026-01-02T03:04:05Z',
    '+012026-01-02T03:04:05Z',
    '-2026-01-02T03:04:05Z',
    '٢٠٢٦-01-02T03:04:05Z',
    'Fri, 02 Jan 2026 03:04:05 GMT',
    '1767323045',
    'now',
    'infinity',
    '',
  ])('"%s" is refused in a body and in a query', async (given) => {
    expectProblem(await record(given), 400, 'validation_failed', 'sent_at');
    expectProblem(await issue(given), 400, 'validation_failed', 'expires_at');
    for (const name of ['start_date', 'end_date'])
      expectProblem(
        await furnished.api.get('conversations', { [name]: given }),
        400,
        'validation_failed',
        name,
      );
  });

  it.each([[1767323045], [true], [{}], [['2026-01-02T03:04:05Z']]])('%j is refused', async (given) => {
    expectProblem(await record(given), 400, 'validation_failed', 'sent_at');
  });

  it('given twice in a query is refused', async () => {
    const twice = 'start_date=2026-01-02T03:04:05Z&start_date=2026-01-02T03:04:05Z';
    expectProblem(await furnished.api.get(`conversations?${twice}`), 400, 'validation_failed', 'start_date');
  });
});

describe('a filter', () => {
  it('given twice is refused', async () => {
    for (const [path, name] of [
      ['contacts', 'email'],
      ['contacts', 'company_id'],
      ['companies', 'domain'],
      ['audit-logs', 'agent_id'],
      ['audit-logs', 'record_type'],
      ['sales', 'status_id'],
      ['sales', 'owner_id'],
      ['sales', 'company_id'],
      ['tasks', 'agent_id'],
      ['tasks', 'open'],
      ['tasks', 'sale_id'],
      ['tasks', 'contact_id'],
      ['tasks', 'company_id'],
    ] as const)
      expectProblem(await furnished.api.get(`${path}?${name}=a&${name}=b`), 400, 'validation_failed', name);
  });

  it('with a word that is none of its words is refused', async () => {
    for (const [name, value] of [
      ['record_type', 'message'],
      ['record_type', ''],
      ['action_type', 'INSERT'],
    ] as const)
      expectProblem(await furnished.api.get('audit-logs', { [name]: value }), 400, 'validation_failed', name);
  });

  it('by an id that does not exist gives an empty list', async () => {
    for (const query of [
      { agent_id: 'agent_x' },
      { record_id: 'x' },
      { agent_id: furnished.ids['contact_id']! },
    ])
      expect((await ok(furnished.api.get('audit-logs', query))).data).toEqual([]);
  });
});
