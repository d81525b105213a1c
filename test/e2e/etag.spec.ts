import { type Answer, type Client, type Json, ok, openApi, unique } from '../support/clients/client.js';
import { expectProblem } from '../support/clients/expectations.js';
import { filled, operationsOf } from '../support/clients/openapi.js';
import { type Furnished, furnishedWorkspace, received } from '../support/data/records.js';

const NOWHERE = '01hzy3v7q4e8k9m2n5p6r7s8t9';
const STRONG = /^"[\x21\x23-\x7e]+"$/;

let furnished: Furnished;
let api: Client;
beforeAll(async () => {
  furnished = await furnishedWorkspace({ bound: true });
  api = furnished.api;
  await ok(furnished.adminApi.post('custom-fields/sales', { label: 'Note', type: 'string' }));
});

const tagOf = ({ headers }: Answer): string => {
  expect(headers.get('etag')).toMatch(STRONG);
  return headers.get('etag')!;
};
const at = (path: string) => filled(path, furnished.ids);
const withTag = (method: string, path: string, tag: string, body: object) =>
  api.send(method, path, { body, headers: { 'if-match': tag } });
const change = () => ({ folder: unique('folder') });

/** Records that have a PATCH, with a body that changes them each time. */
const PATCHED: [string, () => object][] = [
  ['contacts/{contact_id}', () => ({ name: unique('Grace') })],
  ['companies/{company_id}', () => ({ name: unique('Navy') })],
  ['conversations/{conversation_id}', change],
  ['sales/{sale_id}', () => ({ custom_fields: { note: unique('note') } })],
  ['tasks/{task_id}', () => ({ title: unique('Call') })],
  ['tags/{tag_id}', () => ({ name: unique('VIP') })],
  ['comments/{comment_id}', () => ({ body: unique('Hi') })],
  ['templates/{template_id}', () => ({ name: unique('Renewal') })],
  ['agents/{agent_id}', () => ({ signature_html: unique('Ada') })],
  ['webhooks/{webhook_id}', () => ({ description: unique('Warehouse') })],
];

/** Bodies that name what is not there. */
const withUnknown: Record<string, object> = {
  'contacts/{contact_id}': { custom_fields: { nonsense: 1 } },
  'companies/{company_id}': { agent_id: `agent_${NOWHERE}` },
  'conversations/{conversation_id}': { agent_id: `agent_${NOWHERE}` },
  'sales/{sale_id}': { status_id: `stage_${NOWHERE}` },
  'tasks/{task_id}': { agent_id: `agent_${NOWHERE}` },
  'templates/{template_id}': { body_html: '{{nonsense}}' },
};

const DRAFTS = 'conversations/{conversation_id}/response-drafts';
const DRAFT = `${DRAFTS}/{response_id}`;
const overwrite = () => ({ body_html: `<p>${unique('Yes')}</p>` });

describe('the ETag', () => {
  it.each(PATCHED)('of %s is strong, and changes with the record', async (path, body) => {
    const first = tagOf(await api.get(at(path)));
    expect(tagOf(await api.get(at(path)))).toBe(first);
    const changed = tagOf(await api.patch(at(path), body()));
    expect(changed).not.toBe(first);
    expect(tagOf(await api.get(at(path)))).toBe(changed);
  });

  it('of a response draft changes when it is overwritten', async () => {
    const first = tagOf(await api.get(at(DRAFT)));
    const overwritten = await api.post(at(DRAFTS), overwrite());
    expect(overwritten.body.response_id).toBe(furnished.ids['response_id']);
    expect(tagOf(overwritten)).not.toBe(first);
    expect(tagOf(await api.get(at(DRAFT)))).toBe(tagOf(overwritten));
  });

  it.each(['contacts', 'companies'])('is on the answer that creates one of %s', async (path) => {
    const created = await api.post(path, { name: 'Grace' });
    const [id] = Object.values<string>(created.body);
    expect(tagOf(await api.get(`${path}/${id}`))).toBe(tagOf(created));
  });

  it('of a conversation changes with each message', async () => {
    const { conversation_id } = await ok(received(api, { contact: { name: 'Ada' } }));
    const first = tagOf(await api.get(`conversations/${conversation_id}`));
    await ok(received(api, { conversation_id }));
    expect(tagOf(await api.get(`conversations/${conversation_id}`))).not.toBe(first);
  });

  it('stays when a change changes nothing', async () => {
    const path = at('conversations/{conversation_id}');
    const { headers, body } = await api.get(path);
    expect(tagOf(await api.patch(path, { folder: body.folder }))).toBe(headers.get('etag'));
  });

  it('is not in the body, nor on lists', async () => {
    const answer = await api.get(at('contacts/{contact_id}'));
    expect(answer.text).not.toMatch(/version|etag/i);
    expect((await api.get('contacts')).headers.get('etag')).toBeNull();
  });
});

describe('If-Match', () => {
  describe.each(PATCHED)('on PATCH of %s', (path, body) => {
    it('lets the change through when it names the version', async () => {
      const tag = tagOf(await api.get(at(path)));
      const changed = await withTag('PATCH', at(path), tag, body());
      expect(changed.status).toBe(200);
      expect((await withTag('PATCH', at(path), `"x,y", W/"1", ${tagOf(changed)}`, body())).status).toBe(200);
      expect((await withTag('PATCH', at(path), '*', body())).status).toBe(200);
    });

    it('refuses the change with 412 when it names others, and changes nothing', async () => {
      const tag = tagOf(await api.get(at(path)));
      await ok(api.patch(at(path), body()));
      const before = await api.get(at(path));
      for (const stale of [tag, '"nonsense"', '""', `W/${tagOf(before)}`, `${tag}, "999999"`])
        expectProblem(await withTag('PATCH', at(path), stale, body()), 412, 'version_mismatch');
      expectProblem(await withTag('PATCH', at(path), tag, {}), 412, 'version_mismatch');
      const after = await api.get(at(path));
      expect([after.text, tagOf(after)]).toEqual([before.text, tagOf(before)]);
    });

    it.each(['', '3', '"3', 'w/"3"', '"3" "4"', 'stale'])(
      'is not met by what is no entity tag: %s',
      async (tag) => {
        expectProblem(await withTag('PATCH', at(path), tag, body()), 412, 'version_mismatch');
      },
    );

    it('is asked after the record, which may not exist, and after the body', async () => {
      const none = at(path).replace(/_[^_/]+$/, `_${NOWHERE}`);
      for (const tag of ['"1"', '*']) expect((await withTag('PATCH', none, tag, body())).status).toBe(404);
      expectProblem(await withTag('PATCH', at(path), '"999"', { nonsense: 1 }), 400, 'validation_failed');
    });

    const unknown = withUnknown[path];
    if (unknown)
      it('is asked before what the body names', async () => {
        expect((await withTag('PATCH', at(path), '"999"', unknown)).status).toBe(412);
        expect((await api.patch(at(path), unknown)).status).toBeGreaterThanOrEqual(400);
      });

    it('lets one of many through that have seen the same version', async () => {
      const tag = tagOf(await api.get(at(path)));
      const answers = await Promise.all(
        Array.from({ length: 20 }, () => withTag('PATCH', at(path), tag, body())),
      );
      const done = answers.filter(({ status }) => status === 200);
      expect(done).toHaveLength(1);
      expect((await api.get(at(path))).text).toBe(done[0]!.text);
      for (const refused of answers.filter((one) => one !== done[0]))
        expectProblem(refused, 412, 'version_mismatch');
    });
  });

  it('on POST of a response draft is compared with the pending one', async () => {
    const tag = tagOf(await api.get(at(DRAFT)));
    const overwritten = await withTag('POST', at(DRAFTS), tag, overwrite());
    expect(overwritten.status).toBe(200);
    for (const stale of [tag, `W/${tagOf(overwritten)}`, 'x'])
      expectProblem(await withTag('POST', at(DRAFTS), stale, overwrite()), 412, 'version_mismatch');
    expect((await withTag('POST', at(DRAFTS), '*', overwrite())).status).toBe(200);
  });

  it('on POST of a response draft is not met when none is pending', async () => {
    const { conversation_id } = await ok(received(api, { contact: { name: 'Ada' } }));
    const path = `conversations/${conversation_id}/response-drafts`;
    for (const tag of ['"1"', '*'])
      expectProblem(await withTag('POST', path, tag, overwrite()), 412, 'version_mismatch');
    expect((await api.get(path)).body.data).toEqual([]);
    expect(
      (await withTag('POST', `conversations/conv_${NOWHERE}/response-drafts`, '"1"', overwrite())).status,
    ).toBe(404);
  });

  it('on PUT of a quote is compared with the sale', async () => {
    const [sale, quote] = ['sales/{sale_id}', 'sales/{sale_id}/quote'].map(at) as [string, string];
    const body = () => ({
      currency: 'USD',
      products: [{ product_name: unique('Chair'), quantity: 1, unit_price: '1' }],
    });
    const tag = tagOf(await api.get(sale));
    const quoted = await withTag('PUT', quote, tag, body());
    expect([quoted.status, tagOf(quoted)]).toEqual([200, tagOf(await api.get(sale))]);
    expectProblem(await withTag('PUT', quote, tag, body()), 412, 'version_mismatch');
    expect((await api.get(sale)).body).toEqual(quoted.body);
  });

  it('is of no account where nothing is changed, and on creation', async () => {
    expect(
      (await api.send('GET', at('contacts/{contact_id}'), { headers: { 'if-match': 'x' } })).status,
    ).toBe(200);
    expect((await withTag('POST', 'contacts', '"9"', { name: 'Ada' })).status).toBe(201);
  });

  it('does not stand in the way of a repeat with the same Idempotency-Key', async () => {
    const path = at('contacts/{contact_id}');
    const headers = { 'if-match': tagOf(await api.get(path)), 'idempotency-key': unique('key') };
    const body = { name: unique('Grace') };
    const first = await api.send('PATCH', path, { body, headers });
    const repeat = await api.send('PATCH', path, { body, headers });
    expect([repeat.status, repeat.text, tagOf(repeat)]).toEqual([200, first.text, tagOf(first)]);
    const anew = { ...headers, 'idempotency-key': unique('key') };
    expectProblem(await api.send('PATCH', path, { body, headers: anew }), 412, 'version_mismatch');
  });
});

describe('the ETag of what operators set up', () => {
  const ORGANIZATION = 'organizations/{organization_id}';
  const send = (path: string, body: object, tag?: string, method = 'PATCH') =>
    furnished.admin.send(method, at(path), { body, headers: tag === undefined ? {} : { 'if-match': tag } });

  describe.each<[string, () => object]>([
    [ORGANIZATION, () => ({ name: unique('Navy') })],
    [`${ORGANIZATION}/agents/{agent_id}`, () => ({ name: unique('Ada') })],
    [`${ORGANIZATION}/webhooks/{webhook_id}`, () => ({ description: unique('Warehouse') })],
  ])('%s', (path, body) => {
    it('changes with each change, and stays when nothing changes', async () => {
      const tag = tagOf(await send(path, body()));
      expect(tagOf(await send(path, {}))).toBe(tag);
      const changed = await send(path, body(), tag);
      expect([changed.status, tagOf(changed) === tag]).toEqual([200, false]);
      const shown = await api.get(at(`/api/v2/${path}`));
      expect(tagOf(shown)).toBe(tagOf(changed));
    });

    it('refuses a change with 412 when If-Match names another one, and changes nothing', async () => {
      const tag = tagOf(await send(path, body()));
      const before = await send(path, body());
      for (const stale of [tag, `W/${tagOf(before)}`, 'x'])
        expectProblem(await send(path, body(), stale), 412, 'version_mismatch');
      const after = await send(path, {});
      expect([after.text, tagOf(after)]).toEqual([before.text, tagOf(before)]);
    });

    it('lets one of many through that have seen the same one', async () => {
      const tag = tagOf(await send(path, {}));
      const answers = await Promise.all(Array.from({ length: 20 }, () => send(path, body(), tag)));
      expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
      expect(answers.filter(({ status }) => status === 412)).toHaveLength(19);
    });
  });

  it.each<[string, object]>([
    ['organizations', { name: 'Navy' }],
    [`${ORGANIZATION}/agents`, { name: 'Ada' }],
    [`${ORGANIZATION}/webhooks`, { url: 'http://127.0.0.1:1/hook' }],
  ])('is on the answer that creates one of %s', async (path, body) => {
    const created = await send(path, body, undefined, 'POST');
    const { organization_id, agent_id = '', webhook_id = agent_id } = created.body;
    const [id] = [webhook_id, organization_id].filter(Boolean);
    expect(tagOf(await send(`${path}/${id}`, {}))).toBe(tagOf(created));
  });
});

describe('If-None-Match', () => {
  const asked = (path: string, tag: string, method = 'GET') =>
    api.send(method, at(path), { headers: { 'if-none-match': tag } });

  it.each([...PATCHED.map(([path]) => path), DRAFT])(
    'on GET of %s is answered with 304 while it names the latest version',
    async (path) => {
      const { headers, text } = await api.get(at(path));
      const tag = headers.get('etag')!;
      for (const known of [tag, `W/${tag}`, `"x", ${tag}`, '*']) {
        const answer = await asked(path, known);
        expect([answer.status, answer.text, tagOf(answer)]).toEqual([304, '', tag]);
      }
      expect((await asked(path, tag, 'HEAD')).status).toBe(304);
      for (const other of ['"999"', 'nonsense', ''])
        expect([(await asked(path, other)).status, (await asked(path, other)).text]).toEqual([200, text]);
    },
  );

  it('is answered with 404 where there is nothing', async () => {
    const path = `contacts/contact_${NOWHERE}`;
    expectProblem(
      await api.send('GET', path, { headers: { 'if-none-match': '*' } }),
      404,
      'contact_not_found',
    );
  });
});

describe('the document', () => {
  it('names the ETag, the conditions and their answers where they are taken', async () => {
    const operations = operationsOf(await openApi()).filter(({ path }) => /^\/(api|admin)\//.test(path));
    const named = (spec: Json, name: string) => spec.parameters.some((one: Json) => one.name === name);
    const conditional = operations.filter(
      ({ method, path }) =>
        method === 'PATCH' ||
        (method === 'PUT' && path.startsWith('/api/')) ||
        (method === 'POST' && path.endsWith('/response-drafts')),
    );
    expect(conditional.length).toBeGreaterThan(3);
    for (const { method, path, spec } of conditional) {
      const [success] = Object.entries<Json>(spec.responses).find(([status]) => status.startsWith('2'))!;
      expect([method, path, named(spec, 'If-Match'), Object.keys(spec.responses)]).toEqual([
        method,
        path,
        true,
        expect.arrayContaining(['412']),
      ]);
      expect(spec.responses[success].headers).toHaveProperty('ETag');
      if (method !== 'PATCH') continue;
      const read = operations.find((one) => one.method === 'GET' && one.path === path)?.spec;
      // Operators list what the API shows one by one.
      if (!read && path.startsWith('/admin/')) continue;
      expect([path, named(read, 'If-None-Match'), Object.keys(read.responses)]).toEqual([
        path,
        true,
        expect.arrayContaining(['304']),
      ]);
    }
    expect(JSON.stringify(operations)).not.toContain('x-versioned');
  });
});
