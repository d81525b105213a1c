import {
  emailChannel,
  type Json,
  newWorkspace,
  ok,
  openApi,
  unique,
  type Workspace,
} from '../support/clients/client.js';
import { contentsOf, countsOf, FORM_ENCODED, pathOf, push, thirtyTwo } from '../support/clients/doors.js';
import { expectProblem } from '../support/clients/expectations.js';

let workspace: Workspace;
let channel: Json;
beforeEach(async () => {
  workspace = await newWorkspace();
  channel = await emailChannel(workspace, 1);
});

const post = (sent: Parameters<typeof push>[2]) => push(workspace, pathOf(channel, 'form'), sent);
const postJson = (body: unknown) => post({ body });
const postEncoded = (fields: Record<string, string> | string, headers = {}) =>
  post({ raw: new URLSearchParams(fields).toString(), headers: { ...FORM_ENCODED, ...headers } });
async function postMultipart(fields: [string, string | File][], headers = {}) {
  const form = new FormData();
  for (const [name, value] of fields) form.append(name, value);
  const request = new Request('http://x', { method: 'POST', body: form });
  const raw = new Uint8Array(await request.arrayBuffer());
  return post({ raw, headers: { 'content-type': request.headers.get('content-type')!, ...headers } });
}
const contactOf = async ({ conversation_id }: Json): Promise<Json> => {
  const { contact_id } = await ok(workspace.api.get(`conversations/${conversation_id}`));
  return ok(workspace.api.get(`contacts/${contact_id}`));
};

const FORM = {
  name: 'Grace Hopper',
  email: 'grace@navy.example',
  phone: '+1 212 555 0101',
  message: 'Do you have it in blue?',
  size: '43',
  utm_source: 'spring',
  utm_campaign: 'shoes',
  gclid: 'g-1',
  fbclid: 'f-1',
  referrer: 'https://search.example/',
  landing_page: '/shoes',
};

describe('the door for forms', () => {
  it.each([
    ['JSON', postJson],
    ['a url-encoded body', (form: typeof FORM) => postEncoded(form)],
    ['a multipart body', (form: typeof FORM) => postMultipart(Object.entries(form))],
  ])('answers 201 to %s with the message', async (_, send) => {
    const { status, body } = await send(FORM);
    expect(status).toBe(201);
    const { name, email, phone, message, size, ...campaign } = FORM;
    expect(body).toMatchObject({
      modality: 'email',
      message_direction: 'received',
      is_form_request: true,
      content: message,
      agent_id: null,
      form_request_body: { campaign, fields: { name, email, phone, message, size } },
    });
    expect(Object.keys(body.form_request_body).sort()).toEqual(['campaign', 'fields']);
    expect(await contactOf(body)).toMatchObject({ name, email, phone_number: phone });
    const path = `conversations/${body.conversation_id}/messages/${body.message_id}`;
    expect(await ok(workspace.api.get(path))).toEqual(body);
  });

  it.each([
    [{ full_name: 'Grace Hopper', 'e-mail': 'grace@navy.example', tel: '212-555-0101' }],
    [
      {
        first_name: 'Grace',
        last_name: 'Hopper',
        'your-email': 'grace@navy.example',
        mobile: '212-555-0101',
      },
    ],
    [{ 'your-name': 'Grace Hopper', email_address: 'grace@navy.example', phone_number: '212-555-0101' }],
    [{ FirstName: 'Grace', LastName: 'Hopper', Email: 'grace@navy.example', 'Phone Number': '212-555-0101' }],
    [{ name: 'Grace Hopper', Mail: ' grace@navy.example ', telephone: 2125550101 }],
    [{ contact: { name: 'Grace Hopper', email: 'grace@navy.example' }, phone: '212-555-0101' }],
  ])('knows contact fields by their common names: %j', async (form) => {
    const contact = await contactOf(await ok(postJson(form)));
    expect([contact.name, contact.email]).toEqual(['Grace Hopper', 'grace@navy.example']);
    expect(contact.phone_number.replace(/\D/g, '')).toBe('2125550101');
  });

  it('makes a message of a form that does not say whom it is from', async () => {
    const body = await ok(postJson({ message: 'Hello', email: 'not an address', phone: 'call me' }));
    expect(body.form_request_body.fields.email).toBe('not an address');
    expect(await contactOf(body)).toMatchObject({ name: 'Unknown sender', email: '', phone_number: '' });
  });

  it('reads the fields out where there is no message', async () => {
    const body = await ok(
      postJson({
        email: 'grace@navy.example',
        size: 43,
        colours: ['blue', 'red'],
        note: null,
        utm_source: 'x',
      }),
    );
    expect(body.content).toBe('email: grace@navy.example\nsize: 43\ncolours: blue, red');
    expect((await ok(postJson({ utm_source: 'x' }))).content).toBe('utm_source: x');
  });

  it('keeps JSON values as they are, and the values of a name that comes twice as an array', async () => {
    const fields = { a: [1, { b: null }], c: { d: true }, constructor: 'x', toString: 'y' };
    expect((await ok(postJson(fields))).form_request_body.fields).toEqual(fields);
    const { form_request_body } = await ok(
      post({ raw: 'colour=blue&colour=red&empty=&flag&a%5Bb%5D=1&constructor=x', headers: FORM_ENCODED }),
    );
    expect(form_request_body.fields).toEqual({
      colour: ['blue', 'red'],
      empty: '',
      flag: '',
      'a[b]': '1',
      constructor: 'x',
    });
  });

  it('matches the contact and opens a conversation for each form', async () => {
    const one = await ok(postJson(FORM));
    const two = await ok(postJson({ ...FORM, email: 'GRACE@navy.example' }));
    expect(two.conversation_id).not.toBe(one.conversation_id);
    expect(await countsOf(workspace)).toEqual([2, 1, 2]);
  });

  it('answers 200 to a submission_id that comes again with the same content, and changes nothing', async () => {
    const form = { ...FORM, submission_id: unique('s') };
    const first = await postJson(form);
    const again = await postEncoded(form);
    expect([first.status, again.status, again.body]).toEqual([201, 200, first.body]);
    expect(await countsOf(workspace)).toEqual([1, 1, 1]);
  });

  it('records whatever comes with a submission_id that is known, and shows nothing of the other', async () => {
    const submission_id = unique('s');
    const secret = await ok(postJson({ ...FORM, submission_id }));
    const file = new File(['x'], 'x.txt', { type: 'text/plain' });
    const other = new File(['y'], 'x.txt', { type: 'text/plain' });
    const answers = [
      await postJson({ submission_id }),
      await postJson({ ...FORM, submission_id, message: 'changed' }),
      await postJson({ ...FORM, submission_id, utm_source: 'changed' }),
      await postJson({ ...FORM, submission_id, email: 'ada@navy.example' }),
      await postMultipart([...Object.entries({ ...FORM, submission_id }), ['plan', file]]),
      await postMultipart([...Object.entries({ ...FORM, submission_id }), ['plan', other]]),
    ];
    expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 201));
    const made = [secret, ...answers.map(({ body }) => body)];
    for (const id of ['message_id', 'conversation_id', 'external_id'])
      expect(new Set(made.map((message) => message[id])).size).toBe(made.length);
    expect(JSON.stringify(answers[0]!.body)).not.toMatch(/grace|blue/i);
  });

  it('makes one message, contact and conversation of a form that comes 32 times at once', async () => {
    const form = { ...FORM, submission_id: unique('s') };
    expect(await thirtyTwo(() => postJson(form))).toEqual([...Array(31).fill(200), 201]);
    expect(await countsOf(workspace)).toEqual([1, 1, 1]);
  });

  it('makes a message of each of 32 different forms that come with one submission_id at once', async () => {
    const submission_id = unique('s');
    let nr = 0;
    const statuses = await thirtyTwo(() => postJson({ ...FORM, submission_id, message: `${nr++ >> 1}` }));
    expect(statuses).toEqual([...Array(16).fill(200), ...Array(16).fill(201)]);
    expect((await contentsOf(workspace)).messages).toHaveLength(16);
  });

  it('makes one contact of 32 different forms of one person at once', async () => {
    expect(await thirtyTwo(() => postJson(FORM))).toEqual(Array(32).fill(201));
    const { messages, contacts } = await contentsOf(workspace);
    expect([messages.length, contacts.length]).toEqual([32, 1]);
  });

  it('keeps uploaded files as attachments', async () => {
    const file = new File(['<svg/>'], '../drawing.svg', { type: 'image/svg+xml' });
    const body = await ok(
      await postMultipart([
        ['email', 'grace@navy.example'],
        ['plan', file],
      ]),
    );
    expect(body.form_request_body.fields).toEqual({
      email: 'grace@navy.example',
      plan: { file_name: '../drawing.svg', content_type: 'image/svg+xml', size: 6 },
    });
    const [attachment] = body.attachments;
    expect(attachment).toMatchObject({ file_name: 'drawing.svg', content_type: 'image/svg+xml', size: 6 });
    const path = `conversations/${body.conversation_id}/messages/${body.message_id}/attachments/${attachment.attachment_id}`;
    const answer = await workspace.api.get(path);
    expect([answer.status, answer.text]).toEqual([200, '<svg/>']);
    expect(answer.headers.get('content-type')).toMatch(/^application\/octet-stream/);
  });

  it('reads bytes of old pages as windows-1252', async () => {
    const body = await ok(post({ raw: 'message=gr%F6%DFer', headers: FORM_ENCODED }));
    expect(body.content).toBe('größer');
  });
});

describe('a browser that posts a form', () => {
  const BROWSER = { accept: 'text/html,application/xhtml+xml,*/*;q=0.8' };

  it('is shown a page', async () => {
    for (const answer of [
      await postEncoded(FORM, BROWSER),
      await postMultipart(Object.entries(FORM), BROWSER),
    ]) {
      expect(answer.status).toBe(201);
      expect(answer.headers.get('content-type')).toMatch(/^text\/html/);
      expect(answer.text).toContain('Thank you');
    }
    expect((await contentsOf(workspace)).messages).toHaveLength(2);
  });

  it('finds the page in the OpenAPI document, beside the message', async () => {
    const { paths } = await openApi();
    const { responses } = paths['/hooks/v1/channels/{channel_id}/form'].post;
    for (const status of [200, 201])
      expect(Object.keys(responses[status].content).sort()).toEqual(['application/json', 'text/html']);
  });

  it('is sent to the page that the channel names, never to one that the form names', async () => {
    const form_thank_you_url = 'https://www.acme.example/thanks';
    const { adminApi } = workspace;
    const { hooks: _, channel_id: __, modality: ___, ...settings } = channel;
    channel = await ok(adminApi.put('channels/email', { ...settings, form_thank_you_url }));
    expect(channel.form_thank_you_url).toBe(form_thank_you_url);
    const answer = await postEncoded(
      { ...FORM, redirect: 'https://evil.example', next: 'https://evil.example' },
      BROWSER,
    );
    expect([answer.status, answer.headers.get('location')]).toEqual([303, form_thank_you_url]);
    expect((await postJson(FORM)).status).toBe(201);
    await ok(
      adminApi.put('channels/email', { ...settings, form_thank_you_url: 'https://acme.example/お礼' }),
    );
    const elsewhere = await postEncoded(FORM, BROWSER);
    expect(elsewhere.headers.get('location')).toBe('https://acme.example/%E3%81%8A%E7%A4%BC');
  });

  it('is answered in JSON when a program posts for it', async () => {
    expect((await postEncoded(FORM, { accept: '*/*' })).body.message_id).toMatch(/^msg_/);
    expect((await post({ body: FORM, headers: BROWSER })).body.message_id).toMatch(/^msg_/);
  });
});

describe('a form that is refused', () => {
  afterEach(async () => expect(await countsOf(workspace)).toEqual([0, 0, 0]));

  it.each<[string, string, Record<string, string>]>([
    ['a list', '[]', { 'content-type': 'application/json' }],
    ['a string', '"x"', { 'content-type': 'application/json' }],
    ['null', 'null', { 'content-type': 'application/json' }],
    ['no JSON', '{', { 'content-type': 'application/json' }],
    ['without a field', '{}', { 'content-type': 'application/json' }],
    ['without a body', '', { 'content-type': 'application/json' }],
    ['without a field', '', FORM_ENCODED],
    ['with U+0000', '{"a":"\\u0000"}', { 'content-type': 'application/json' }],
    ['with U+0000', 'a=%00', FORM_ENCODED],
    ['with U+0000 in a name', 'a%00=1', FORM_ENCODED],
    ['with half a surrogate', '{"a":"\\ud800"}', { 'content-type': 'application/json' }],
    ['with a name that changes objects', '{"__proto__":{"a":1}}', { 'content-type': 'application/json' }],
    ['with a name that changes objects', '__proto__=1', FORM_ENCODED],
    [
      'with a name that changes objects',
      '{"constructor":{"prototype":{"a":1}}}',
      { 'content-type': 'application/json' },
    ],
    ['nested too deep', `{"a":${'['.repeat(100)}${']'.repeat(100)}}`, { 'content-type': 'application/json' }],
    ['no multipart', 'x', { 'content-type': 'multipart/form-data; boundary=b' }],
    ['multipart without a boundary', 'x', { 'content-type': 'multipart/form-data' }],
    [
      'multipart that breaks off',
      '--b\r\nContent-Disposition: form-data; name="a"\r\n\r\nx',
      { 'content-type': 'multipart/form-data; boundary=b' },
    ],
  ])('is %s (%j)', async (_, raw, headers) => {
    expectProblem(await post({ raw, headers }), 400, 'validation_failed');
  });

  it('has 1,001 fields, in whichever way', async () => {
    const fields = Object.fromEntries(Array.from({ length: 1_001 }, (_, nr) => [`f${nr}`, nr]));
    expectProblem(await post({ body: fields }), 400, 'validation_failed');
    const raw = new URLSearchParams(fields as never).toString();
    expectProblem(await post({ raw, headers: FORM_ENCODED }), 400, 'validation_failed');
  });

  it('is over 2 MiB (413), or of another type (415)', async () => {
    const raw = `a=${'x'.repeat(2 * 1024 * 1024)}`;
    expectProblem(await post({ raw, headers: FORM_ENCODED }), 413, 'body_too_large');
    expectProblem(
      await post({ raw, headers: { 'content-type': 'multipart/form-data; boundary=b' } }),
      413,
      'body_too_large',
    );
    for (const type of ['text/plain', 'message/rfc822', 'application/xml'])
      expectProblem(
        await post({ raw: 'a=b', headers: { 'content-type': type } }),
        415,
        'unsupported_media_type',
      );
  });

  it('has a wrong token (401)', async () => {
    const [path] = pathOf(channel, 'form').split('?');
    for (const query of ['', '?token=', '?token=wrong'])
      for (const sent of [{ body: FORM }, { raw: 'a=b', headers: FORM_ENCODED }])
        expectProblem(await push(workspace, `${path}${query}`, sent), 401, 'unauthorized');
  });

  it('has a token that stands in web pages, and so opens no other door', async () => {
    const [form, email] = ['form', 'email'].map((hook) => new URL(channel.hooks[hook]));
    const mail = { raw: 'From: x@y.example\r\n\r\nx', headers: { 'content-type': 'message/rfc822' } };
    expectProblem(await push(workspace, email!.pathname + form!.search, mail), 401, 'unauthorized');
  });
});

it('a form whose page has the token of the e-mail door, as pages once had, is taken', async () => {
  const [form, email] = ['form', 'email'].map((hook) => new URL(channel.hooks[hook]));
  expect((await push(workspace, form!.pathname + email!.search, { body: FORM })).status).toBe(201);
});
