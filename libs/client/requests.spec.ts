import { createClient, type ClientOptions, etagOf, ParleyError } from './client.js';

const ORGANIZATION = '/api/v2/organizations/{organization_id}';

/** A client, and the requests that it has made; each is answered by a copy of `response`. */
function clientOf(response: Response = new Response('{}', json), options: Partial<ClientOptions> = {}) {
  const requests: Request[] = [];
  const fetch = async (request: Request) => {
    requests.push(request);
    return response.clone();
  };
  const client = createClient({
    baseUrl: 'http://service.example/',
    organizationId: 'org_1',
    fetch,
    ...options,
  });
  return { client, requests };
}

const json = { headers: { 'content-type': 'application/json; charset=utf-8' } };

describe('a request', () => {
  it('has the key of its path and not the other one', async () => {
    const { client, requests } = clientOf(undefined, { apiKey: 'of-a-program', adminKey: 'of-an-operator' });
    await client.GET('/api/v2/organizations');
    await client.GET('/admin/v1/organizations');
    expect(requests.map(({ headers }) => [headers.get('x-api-key'), headers.get('x-admin-key')])).toEqual([
      ['of-a-program', null],
      [null, 'of-an-operator'],
    ]);
  });

  it('carries the cookies of its own origin without a key, and none with one', async () => {
    for (const [options, expected] of [
      [{}, 'same-origin'],
      [{ apiKey: 'key' }, 'omit'],
      [{ adminKey: 'key' }, 'omit'],
    ] as const) {
      const { client, requests } = clientOf(undefined, options);
      await client.GET('/api/v2/me');
      expect(requests[0]!.credentials).toBe(expected);
    }
  });

  it('follows no redirect, which could lead a key to somebody else', async () => {
    const { client, requests } = clientOf();
    await client.GET('/api/v2/me');
    expect(requests[0]!.redirect).toBe('error');
  });

  it('has the headers of the client, and those of the call on top', async () => {
    const { client, requests } = clientOf(undefined, { headers: { 'X-One': '1', 'X-Two': '1' } });
    await client.GET('/api/v2/me', { headers: { 'x-two': '2' } });
    const { headers } = requests[0]!;
    expect([headers.get('x-one'), headers.get('x-two')]).toEqual(['1', '2']);
  });

  it('is of the client’s organization unless it is given another, and is not made without one', async () => {
    const { client, requests } = clientOf();
    await client.GET(`${ORGANIZATION}/tasks`);
    await client.GET(`${ORGANIZATION}/tasks`, { params: { path: { organization_id: 'org_2' } } });
    expect(requests.map(({ url }) => new URL(url).pathname)).toEqual([
      '/api/v2/organizations/org_1/tasks',
      '/api/v2/organizations/org_2/tasks',
    ]);
    const nobodys = createClient({ baseUrl: 'http://service.example' });
    await expect(nobodys.GET(`${ORGANIZATION}/tasks`)).rejects.toThrow('organizationId');
  });

  it('has lists separated by commas, and custom fields in brackets', async () => {
    const { client, requests } = clientOf();
    await client.GET(`${ORGANIZATION}/contacts`, {
      params: { query: { tag_id: ['tag_1', 'tag_2'], custom_fields: { region: 'north' } } },
    });
    expect(decodeURIComponent(new URL(requests[0]!.url).search)).toBe(
      '?tag_id=tag_1,tag_2&custom_fields[region]=north',
    );
  });

  it.each([
    ['a Blob with a type', new Blob(['x'], { type: 'image/png' }), 'image/png'],
    ['a Blob without', new Blob(['x']), 'application/octet-stream'],
    ['bytes', new TextEncoder().encode('x'), 'application/octet-stream'],
    ['a string', 'x', 'application/octet-stream'],
  ])('takes %s as it is', async (_, body, type) => {
    const { client, requests } = clientOf();
    await client.POST(`${ORGANIZATION}/files`, { params: { query: { file_name: 'a.png' } }, body });
    expect(requests[0]!.headers.get('content-type')).toBe(type);
    expect(await requests[0]!.text()).toBe('x');
  });
});

describe('an answer', () => {
  it('is data, with its version kept beside it', async () => {
    const headers = { ...json.headers, etag: '"7"' };
    const { client } = clientOf(new Response('{"task_id":"task_1"}', { headers }));
    const task = await client.GET(`${ORGANIZATION}/tasks/{task_id}`, {
      params: { path: { task_id: 'task_1' } },
    });
    expect(task).toEqual({ task_id: 'task_1' });
    expect(etagOf(task)).toBe('"7"');
    expect(etagOf({ ...task })).toBeUndefined();
  });

  const given = (response: Response) =>
    clientOf(response).client.GET(`${ORGANIZATION}/messages/{message_id}/raw`, {
      params: { path: { message_id: 'msg_1' } },
    });
  const csv = (response: Response) => clientOf(response).client.GET(`${ORGANIZATION}/audit-logs`);

  it('is nothing for 204, and a string for text', async () => {
    const { client } = clientOf(new Response(null, { status: 204 }));
    const path = { task_id: 'task_1' };
    expect(await client.DELETE(`${ORGANIZATION}/tasks/{task_id}`, { params: { path } })).toBeUndefined();
    expect(await csv(new Response('a,b', { headers: { 'content-type': 'text/csv' } }))).toBe('a,b');
  });

  it.each([
    ['a mail', 'message/rfc822', 'From: x'],
    ['text in another charset', 'text/plain; charset=utf-16', '\xff\xfeA\0'],
    ['text with a mark of its charset', 'text/csv', '\xef\xbb\xbfa;b'],
    ['JSON of numbers with many digits', 'application/json', '{ "id": 9007199254740993 }'],
    ['JSON that is none', 'application/json', '{'],
    ['nothing', 'application/json', ''],
  ])('of a route that gives bytes is a Blob as it came, also where it is %s', async (_, type, bytes) => {
    const blob = await given(
      new Response(Buffer.from(bytes, 'latin1'), { headers: { 'content-type': type } }),
    );
    expect(blob).toBeInstanceOf(Blob);
    expect(blob.type.replace('; ', ';')).toBe(type.replace('; ', ';'));
    expect(Buffer.from(await blob.arrayBuffer()).toString('latin1')).toBe(bytes);
  });

  it('that is not the JSON it is said to be is thrown as an error of the client', async () => {
    const broken = await csv(new Response('{', json)).catch((thrown: unknown) => thrown);
    expect(broken).toBeInstanceOf(ParleyError);
    expect(broken).toMatchObject({ status: 200, code: 'no_json', cause: expect.any(SyntaxError) as Error });
  });

  it('that is a problem is thrown with all that it says', async () => {
    const problem = {
      code: 'wrong_draft_kind',
      detail: 'It is a reply.',
      errors: [{ field: 'a', detail: 'b' }],
      hint: { method: 'GET', route: '/x' },
      request_id: 'r-1',
    };
    const { client } = clientOf(new Response(JSON.stringify(problem), { status: 404 }));
    const error = (await client.GET('/api/v2/me').catch((thrown: unknown) => thrown)) as ParleyError;
    expect(error).toBeInstanceOf(ParleyError);
    const { status, code, detail, errors, hint, requestId, message } = error;
    expect({ status, code, detail, errors, hint, request_id: requestId }).toEqual({
      status: 404,
      ...problem,
    });
    expect(message).toBe('404 wrong_draft_kind: It is a reply.');
  });

  it.each([
    ['a page of a proxy', '<h1>Teapot</h1>'],
    ['other JSON', '{"message":"Teapot"}'],
    ['nothing', ''],
  ])('that is %s is thrown as unknown', async (_, body) => {
    const { client } = clientOf(new Response(body, { status: 418 }));
    await expect(client.GET('/api/v2/me')).rejects.toMatchObject({
      status: 418,
      code: 'unknown',
      detail: body,
      errors: [],
    });
  });
});
