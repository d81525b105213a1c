import {
  type Answer,
  apiOf,
  emailChannel,
  type Json,
  newKey,
  newWorkspace,
  ok,
  unique,
  type Workspace,
} from '../support/clients/client.js';
import { expectProblem, INSTANT } from '../support/clients/expectations.js';
import { readFeed } from '../support/clients/feed.js';
import {
  autosend,
  draftsOf,
  draftWith,
  messagesOf,
  newMessageId,
  promotedMessage,
  receivedMail,
} from '../support/data/mail.js';
import { startSmtp, type TestSmtp } from '../support/stand-ins/smtp.js';
import { until } from '../support/until.js';

const UNKNOWN = '01hzy3v7q4e8k9m2n5p6r7s8t9';

let workspace: Workspace;
let smtp: TestSmtp;
let question: Json;

beforeAll(async () => {
  smtp = await startSmtp();
  workspace = await newWorkspace();
  await emailChannel(workspace, smtp.port);
});

afterAll(() => smtp.close());

beforeEach(async () => {
  question = await receivedMail(workspace);
});

const save = (body: object, of: Workspace = workspace, message = question): Promise<Answer> =>
  of.api.post(draftsOf(message), body);
const saved = (body: object = { body_html: '<p>Soon.</p>' }): Promise<Json> => ok(save(body));
const pathOf = (draft: Json): string => `${draftsOf(draft)}/${draft.response_id}`;
const shown = (draft: Json): Promise<Json> => ok(workspace.api.get(pathOf(draft)));
const listed = async (message = question): Promise<Json[]> =>
  (await ok(workspace.api.get(draftsOf(message)))).data;

describe('saving a response draft', () => {
  it('answers 201 and keeps it for review when autosend_draft is false, as by default', async () => {
    const answer = await save({ body_html: '<p>Soon.</p>' });
    expect(answer.status).toBe(201);
    expect(answer.body).toEqual({
      response_id: expect.stringMatching(/^response_/),
      conversation_id: question.conversation_id,
      scheduled_to_send: false,
      scheduled_send_at: null,
    });
  });

  it('answers 200 when it overwrites the pending one, which keeps its id', async () => {
    const first = await saved({ body_html: '<p>One</p>', cc_emails: ['cc@navy.example'] });
    const second = await save({ body_html: '<p>Two</p>', bcc_emails: ['bcc@navy.example'] });
    expect(second.status).toBe(200);
    expect(second.body).toEqual(first);
    expect(await shown(first)).toMatchObject({
      body_html: '<p>Two</p>',
      cc_emails: [],
      bcc_emails: ['bcc@navy.example'],
    });
  });

  it('answers 201 again after the pending one was deleted', async () => {
    const first = await saved();
    await workspace.api.delete(pathOf(first));
    const second = await save({ body_html: '<p>Again</p>' });
    expect(second.status).toBe(201);
    expect(second.body.response_id).not.toBe(first.response_id);
  });

  it('answers 201 again after the pending one was sent', async () => {
    const first = await saved(autosend());
    await promotedMessage(workspace, first);
    expect((await save({ body_html: '<p>One more thing</p>' })).status).toBe(201);
  });

  it('takes add_notification true or false for a draft to review', async () => {
    expect((await save({ body_html: 'a', add_notification: false })).status).toBe(201);
    expect((await save({ body_html: 'b', add_notification: true })).status).toBe(200);
  });

  it('takes a draft without a channel, and for a contact without an address', async () => {
    const other = await newWorkspace();
    const message = await receivedMail(other, { contact: { name: 'Grace' } });
    expect((await save({ body_html: '<p>Soon.</p>' }, other, message)).status).toBe(201);
  });

  it.each([
    ['true', { add_notification: true }],
    ['left out, which means true', {}],
  ])('refuses autosend_draft while add_notification is %s, with 400', async (_, fields) => {
    const answer = await save({ body_html: 'x', autosend_draft: true, ...fields });
    expectProblem(answer, 400, 'validation_failed', 'add_notification');
    expect(await listed()).toEqual([]);
  });

  it('refuses autosend without a channel for the modality, with channel_not_configured', async () => {
    const other = await newWorkspace();
    const message = await receivedMail(other);
    expectProblem(await save(autosend(), other, message), 400, 'channel_not_configured');
    expect((await ok(other.api.get(draftsOf(message)))).data).toEqual([]);
  });

  it('refuses autosend to a contact without an address, with recipient_missing', async () => {
    const message = await receivedMail(workspace, { contact: { phone_number: '+1 212 555 0155' } });
    expectProblem(await save(autosend(), workspace, message), 400, 'recipient_missing');
    expect(await listed(message)).toEqual([]);
  });

  it.each(['text', 'call'])('answers a %s by text, for which the channel is another', async (modality) => {
    const fields = { modality, email_metadata: undefined };
    const { conversation_id } = await receivedMail(workspace);
    await receivedMail(workspace, { ...fields, contact: undefined, conversation_id });
    expectProblem(await save(autosend(), workspace, { conversation_id }), 400, 'channel_not_configured');
  });

  it('goes by the latest inbound message, whatever was sent after it', async () => {
    const { conversation_id } = question;
    const fields = { modality: 'text', message_direction: 'sent', contact: undefined, conversation_id };
    await receivedMail(workspace, { ...fields, email_metadata: undefined });
    const draft = await saved(autosend());
    expect(await promotedMessage(workspace, draft)).toMatchObject({ modality: 'email' });
  });

  it.each<[string, object]>([
    ['body_html', { body_html: undefined }],
    ['body_html', { body_html: null }],
    ['body_html', { body_html: '' }],
    ['body_html', { body_html: '<script>x</script><!-- y -->' }],
    ['body_html', { body_html: 7 }],
    ['body_html', { body_html: 'x'.repeat(1_000_001) }],
    ['body_html', { body_html: 'a\u0000b' }],
    ['cc_emails', { cc_emails: 'a@navy.example' }],
    ['cc_emails', { cc_emails: ['nobody'] }],
    ['cc_emails', { cc_emails: null }],
    ['bcc_emails', { bcc_emails: [7] }],
    ['autosend_draft', { autosend_draft: 'yes' }],
    ['autosend_draft', { autosend_draft: null }],
    ['add_notification', { add_notification: 1 }],
    ['subject', { subject: 'Re: Blue' }],
    ['to_email', { to_email: 'a@navy.example' }],
  ])('refuses a bad %s with 400 and keeps what was saved (%#)', async (field, fields) => {
    const draft = await saved();
    const before = await shown(draft);
    expectProblem(await save({ body_html: 'x', ...fields }), 400, 'validation_failed', field);
    expect(await shown(draft)).toEqual(before);
  });

  it('answers 404 for a conversation that is unknown or of another organization', async () => {
    const other = await newWorkspace();
    const foreign = await receivedMail(other);
    for (const message of [foreign, { conversation_id: `conv_${UNKNOWN}` }, { conversation_id: 'nonsense' }])
      expectProblem(await save({ body_html: 'x' }, workspace, message), 404, 'conversation_not_found');
  });

  it('is refused to a read-only key', async () => {
    const { api_key } = await ok(newKey(workspace.admin, workspace.organizationId, { read_only: true }));
    const reader = apiOf(workspace.organizationId, api_key);
    expectProblem(await reader.post(draftsOf(question), { body_html: 'x' }), 403, 'read_only_key');
  });

  it.each<[string, string, string[], string[]]>([
    ['scripts', '<p>Hi</p><script>alert(1)</script><style>p{}</style>', ['<p>Hi</p>'], ['script', 'alert']],
    [
      'handlers',
      '<p onclick="a()" class="x">Hi</p><img src="x" onerror="b()">',
      ['class="x"'],
      ['onclick', 'onerror'],
    ],
    [
      'script links',
      '<a href="javascript:a()">x</a><a href=" java\tscript:b()">y</a>',
      ['x', 'y'],
      ['script:'],
    ],
    [
      'frames and forms',
      '<iframe src="https://x"></iframe><form action="/x"><input></form>ok',
      ['ok'],
      ['<iframe', '<form', '<input'],
    ],
    [
      'what hides in SVG',
      '<svg><script>a()</script><a xlink:href="javascript:b()">z</a></svg>ok',
      ['ok'],
      ['script', '<svg'],
    ],
    [
      'base and meta',
      '<base href="https://x"><meta http-equiv="refresh" content="0"><link rel="x">ok',
      ['ok'],
      ['<base', '<meta', '<link'],
    ],
  ])('takes %s out of the HTML', async (_, body_html, kept, gone) => {
    const { body_html: clean } = await shown(await saved({ body_html }));
    for (const part of kept) expect(clean).toContain(part);
    for (const part of gone) expect(clean.toLowerCase()).not.toContain(part);
  });

  it('keeps the HTML people write: headings, lists, tables, links and pictures', async () => {
    const body_html =
      '<h2>Hello</h2><ul><li>one</li></ul><table><tbody><tr><td colspan="2">cell</td></tr></tbody></table>' +
      '<p>See <a href="https://acme.example/?a=1&amp;b=2">here</a> <b>now</b> – größer</p>';
    expect((await shown(await saved({ body_html }))).body_html).toBe(body_html);
  });

  it('takes HTML nested tens of thousands deep, and sends its text', async () => {
    const draft = await saved(autosend({ body_html: `${'<div>'.repeat(50_000)}deep down` }));
    expect((await promotedMessage(workspace, draft)).content).toBe('deep down');
  });

  it('leaves one pending draft, created once, of fifty overwrites at once', async () => {
    const answers = await Promise.all(
      Array.from({ length: 50 }, (_, nr) => save({ body_html: `<p>${nr}</p>` })),
    );
    expect(answers.map(({ status }) => status).sort()).toEqual([...Array(49).fill(200), 201]);
    expect(new Set(answers.map(({ body }) => body.response_id)).size).toBe(1);
    expect(await listed()).toHaveLength(1);
  });
});

describe('response drafts of a conversation', () => {
  it('are a list of the pending one', async () => {
    expect(await listed()).toEqual([]);
    const draft = await saved();
    await ok(save({ body_html: '<p>Elsewhere</p>' }, workspace, await receivedMail(workspace)));
    const { data, pagination } = await ok(workspace.api.get(draftsOf(question)));
    expect(data).toEqual([await shown(draft)]);
    expect(pagination).toEqual({ limit: 50, cursor: null, next_cursor: null, has_more: false });
  });

  it('are filtered by created_at, start included, end excluded', async () => {
    const { created_at } = await shown(await saved());
    const list = async (query: object) =>
      (await ok(workspace.api.get(draftsOf(question), query as Record<string, string>))).data.length;
    expect(await list({ start_date: created_at })).toBe(1);
    expect(await list({ end_date: created_at })).toBe(0);
    expect(await list({ end_date: '2100-01-01T00:00:00Z' })).toBe(1);
  });

  it('refuse bad parameters with 400 naming them', async () => {
    for (const [field, value] of Object.entries({ limit: 0, cursor: 'x', start_date: 'x', status: 'x' }))
      expectProblem(
        await workspace.api.get(draftsOf(question), { [field]: value }),
        400,
        'validation_failed',
        field,
      );
  });

  it('are shown one by one with recipient and delivery', async () => {
    const { conversation_id } = question;
    const { contact_id } = await ok(workspace.api.get(`conversations/${conversation_id}`));
    const contact = await ok(workspace.api.get(`contacts/${contact_id}`));
    const draft = await saved({ body_html: '<p>Soon.</p>', cc_emails: ['cc@navy.example'] });
    expect(await shown(draft)).toEqual({
      response_id: draft.response_id,
      conversation_id,
      body_html: '<p>Soon.</p>',
      recipient_name: 'Grace Hopper',
      recipient_email: contact.email,
      recipient_emails: [contact.email],
      recipient_phone_number: null,
      cc_emails: ['cc@navy.example'],
      bcc_emails: [],
      files: [],
      without_signature: false,
      scheduled_send_at: null,
      updated_at: expect.stringMatching(INSTANT),
      created_at: expect.stringMatching(INSTANT),
      delivery: { status: 'none', attempts: 0, last_error: null, next_attempt_at: null },
      cancel_on_reply: false,
      close_after_send: false,
    });
  });

  it.each(['get', 'delete'] as const)(
    'answer 404 to a %s of one that is unknown, malformed, or of another conversation or organization',
    async (method) => {
      const draft = await saved();
      const other = await newWorkspace();
      const elsewhere = await receivedMail(workspace);
      const { response_id } = draft;
      for (const [path, code] of [
        [`${draftsOf(question)}/response_${UNKNOWN}`, 'response_draft_not_found'],
        [`${draftsOf(question)}/nonsense`, 'response_draft_not_found'],
        [`${draftsOf(elsewhere)}/${response_id}`, 'response_draft_not_found'],
        [`${draftsOf({ conversation_id: `conv_${UNKNOWN}` })}/${response_id}`, 'conversation_not_found'],
      ] as const)
        expectProblem(await workspace.api[method](path), 404, code);
      expectProblem(await other.api[method](pathOf(draft)), 404, 'conversation_not_found');
      expect(await listed()).toHaveLength(1);
    },
  );
});

describe('deleting a response draft', () => {
  it('answers 204 without a body; it is gone then', async () => {
    const draft = await saved();
    const answer = await workspace.api.delete(pathOf(draft));
    expect([answer.status, answer.text]).toEqual([204, '']);
    expect(await listed()).toEqual([]);
    expectProblem(await workspace.api.get(pathOf(draft)), 404, 'response_draft_not_found');
    expectProblem(await workspace.api.delete(pathOf(draft)), 404, 'response_draft_not_found');
  });

  it('is refused to a read-only key', async () => {
    const draft = await saved();
    const { api_key } = await ok(newKey(workspace.admin, workspace.organizationId, { read_only: true }));
    expectProblem(await apiOf(workspace.organizationId, api_key).delete(pathOf(draft)), 403, 'read_only_key');
  });
});

describe('sending a saved response draft after review', () => {
  const send = (draft: Json) => workspace.api.post(`${pathOf(draft)}/send`);

  it('answers 200 like autosend, and the draft leaves as it was saved last', async () => {
    const draft = await saved({ body_html: '<p>One</p>' });
    await save({ body_html: '<p>Two</p>' });
    const answer = await send(draft);
    expect(answer.status).toBe(200);
    expect(answer.body).toEqual({
      ...draft,
      scheduled_to_send: true,
      scheduled_send_at: expect.stringMatching(INSTANT),
    });
    expect(await promotedMessage(workspace, draft)).toMatchObject({ content: 'Two' });
  });

  it('refuses without a channel, with channel_not_configured, and leaves the draft saved', async () => {
    const other = await newWorkspace();
    const draft = await ok(save({ body_html: 'x' }, other, await receivedMail(other)));
    expectProblem(await other.api.post(`${pathOf(draft)}/send`), 400, 'channel_not_configured');
    expect((await ok(other.api.get(pathOf(draft)))).scheduled_send_at).toBeNull();
  });

  it('refuses without an address, with recipient_missing', async () => {
    const message = await receivedMail(workspace, { contact: { name: 'Grace' } });
    const draft = await ok(save({ body_html: 'x' }, workspace, message));
    expectProblem(await send(draft), 400, 'recipient_missing');
  });

  it('goes where the mail came from, when the contact has no address', async () => {
    const phone_number = '+12125550171';
    const { contact_id } = await ok(workspace.api.post('contacts', { name: 'Grace', phone_number }));
    const email = `${unique('grace')}@navy.example`;
    const message = await receivedMail(workspace, { contact: { email, phone_number } });
    expect(message.from).toMatchObject({ email, contact_id });
    const draft = await ok(save(autosend(), workspace, message));
    await promotedMessage(workspace, draft);
    expect(smtp.mails.at(-1)!.to).toEqual([email]);
  });

  it('to a message recorded by the API goes to the address that its contact has at that moment', async () => {
    const [typo, mended] = [`${unique('grace')}@nvy.example`, `${unique('grace')}@navy.example`];
    const message = await receivedMail(workspace, { contact: { name: 'Grace', email: typo } });
    const draft = await ok(save({ body_html: 'x' }, workspace, message));
    const { contact_id } = await ok(workspace.api.get(`conversations/${message.conversation_id}`));
    await ok(workspace.api.patch(`contacts/${contact_id}`, { email: mended }));
    await ok(send(draft));
    await promotedMessage(workspace, draft);
    expect(smtp.mails.at(-1)!.to).toEqual([mended]);
    const { data } = await readFeed(workspace.api, { types: 'DraftQueued', limit: 200 });
    const queued = data.find(({ stream }: Json) => stream.id === draft.response_id);
    expect(queued.data.recipient_email).toBe(mended);
  });

  it('is possible as soon as the contact has an address', async () => {
    const message = await receivedMail(workspace, { contact: { name: 'Grace' } });
    const draft = await ok(save({ body_html: 'x' }, workspace, message));
    expectProblem(await send(draft), 400, 'recipient_missing');
    const { contact_id } = await ok(workspace.api.get(`conversations/${message.conversation_id}`));
    await ok(workspace.api.patch(`contacts/${contact_id}`, { email: `${unique('grace')}@navy.example` }));
    await ok(send(draft));
    await promotedMessage(workspace, draft);
  });

  it('makes a message of the owner of that moment, where neither key is an agent’s', async () => {
    const nobody = await ok(newKey(workspace.admin, workspace.organizationId));
    const api = apiOf(workspace.organizationId, nobody.api_key);
    const message = await receivedMail(workspace);
    await ok(api.patch(`conversations/${message.conversation_id}`, { agent_id: workspace.agentId }));
    const draft = await ok(api.post(draftsOf(message), { body_html: 'x' }));
    const { agent_id } = await ok(
      workspace.admin.post(`organizations/${workspace.organizationId}/agents`, { name: 'Bob' }),
    );
    await ok(api.patch(`conversations/${message.conversation_id}`, { agent_id }));
    await ok(api.post(`${pathOf(draft)}/send`));
    expect((await promotedMessage(workspace, draft)).agent_id).toBe(agent_id);
  });

  it('answers 404 for a draft that is unknown or of another conversation', async () => {
    const draft = await saved();
    const elsewhere = await receivedMail(workspace);
    expectProblem(
      await send({ ...question, response_id: `response_${UNKNOWN}` }),
      404,
      'response_draft_not_found',
    );
    expectProblem(
      await send({ ...elsewhere, response_id: draft.response_id }),
      404,
      'response_draft_not_found',
    );
  });

  it('is refused to a read-only key', async () => {
    const draft = await saved();
    const { api_key } = await ok(newKey(workspace.admin, workspace.organizationId, { read_only: true }));
    const reader = apiOf(workspace.organizationId, api_key);
    expectProblem(await reader.post(`${pathOf(draft)}/send`), 403, 'read_only_key');
  });

  it('sends one mail of twenty requests at once', async () => {
    const draft = await saved();
    const answers = await Promise.all(Array.from({ length: 20 }, () => send(draft)));
    for (const { status, body } of answers)
      expect([status, body.scheduled_to_send ?? body.code]).toEqual(
        status === 200 ? [200, true] : [404, 'draft_promoted'],
      );
    const message = await promotedMessage(workspace, draft);
    const id = message.email_metadata.email_message_id;
    expect(smtp.seen.filter(({ messageId }) => messageId === `<${id}>`)).toHaveLength(1);
  });
});

describe('a response draft that is being sent', () => {
  let hanging: TestSmtp;
  let slow: Workspace;
  let draft: Json;

  beforeAll(async () => {
    hanging = await startSmtp();
    hanging.respond.data = () => 'hang';
    slow = await newWorkspace();
    await emailChannel(slow, hanging.port);
    const message = await receivedMail(slow);
    draft = await ok(save(autosend(), slow, message));
    await until(() => hanging.seen.length > 0);
  });

  afterAll(() => hanging.close());

  it('says so', async () => {
    const { delivery, scheduled_send_at } = await ok(slow.api.get(pathOf(draft)));
    expect(delivery).toEqual({ status: 'sending', attempts: 1, last_error: null, next_attempt_at: null });
    expect(scheduled_send_at).toBe(draft.scheduled_send_at);
  });

  it('cannot be deleted: 400 draft_sending', async () => {
    expectProblem(await slow.api.delete(pathOf(draft)), 400, 'draft_sending');
  });

  it('cannot be overwritten: 400 draft_sending', async () => {
    expectProblem(await slow.api.post(draftsOf(draft), { body_html: 'x' }), 400, 'draft_sending');
    expectProblem(await slow.api.post(draftsOf(draft), autosend()), 400, 'draft_sending');
  });

  it('is answered by send as when it was queued', async () => {
    const answer = await slow.api.post(`${pathOf(draft)}/send`);
    expect([answer.status, answer.body]).toEqual([200, draft]);
  });

  it('is still in the list', async () => {
    expect((await ok(slow.api.get(draftsOf(draft)))).data).toHaveLength(1);
  });
});

describe('a response draft that was sent', () => {
  it('answers get, delete and send with 404 draft_promoted and a hint to its message', async () => {
    const draft = await saved(autosend());
    const message = await promotedMessage(workspace, draft);
    const path = pathOf(draft);
    for (const answer of [
      await workspace.api.get(path),
      await workspace.api.delete(path),
      await workspace.api.post(`${path}/send`),
    ]) {
      expectProblem(answer, 404, 'draft_promoted');
      expect(answer.body.hint).toEqual({
        method: 'GET',
        route: workspace.api.path(`conversations/${draft.conversation_id}/messages/${message.message_id}`),
      });
    }
    expect(await ok(workspace.api.get(`conversations/${draft.conversation_id}/messages`))).toMatchObject({
      data: [message, question],
    });
  });

  it('is a message with the HTML as text, drafted when it was saved', async () => {
    const draft = await saved({ body_html: '<h1>Hello</h1><p>One<br>two &amp; <i>three</i></p>' });
    const { created_at } = await shown(draft);
    await ok(workspace.api.post(`${pathOf(draft)}/send`));
    const message = await promotedMessage(workspace, draft);
    expect(message.content).toMatch(/^Hello\s+One\ntwo & three$/);
    expect(message.drafted_at).toBe(created_at);
    expect(message.sent_at > message.drafted_at).toBe(true);
  });

  it('bears the agent of the key that saved it', async () => {
    expect((await promotedMessage(workspace, await saved(autosend()))).agent_id).toBe(workspace.agentId);
  });

  it('bears the owner of the conversation when the key has no agent, and nobody when there is no owner', async () => {
    const { api_key } = await ok(newKey(workspace.admin, workspace.organizationId));
    const unbound = { ...workspace, api: apiOf(workspace.organizationId, api_key) };
    const first = await ok(save(autosend(), unbound));
    expect((await promotedMessage(unbound, first)).agent_id).toBeNull();
    const { agent_id } = await ok(workspace.adminApi.post('agents', { name: 'Alan Turing' }));
    await ok(workspace.api.patch(`conversations/${question.conversation_id}`, { agent_id }));
    const second = await ok(save(autosend(), unbound));
    expect((await promotedMessage(unbound, second)).agent_id).toBe(agent_id);
  });

  it.each([
    ['Blue', 'Re: Blue'],
    ['Re: Blue', 'Re: Blue'],
    ['RE: Re: Blue', 'RE: Re: Blue'],
    ['Größe 🎉 '.repeat(30).trim(), `Re: ${'Größe 🎉 '.repeat(30).trim()}`],
  ])('answers a subject with a single Re: before it (%#)', async (subject, answered) => {
    question = await receivedMail(workspace, { subject });
    const { email_metadata } = await promotedMessage(workspace, await saved(autosend()));
    const mail = smtp.mails.find(({ messageId }) => messageId === `<${email_metadata.email_message_id}>`)!;
    expect(mail.parsed.subject).toBe(answered);
  });

  it('names the whole thread in References, the answered mail last', async () => {
    const references = ['<a@x.example>', '<b@x.example>'];
    const id = newMessageId();
    question = await receivedMail(workspace, { email_metadata: { email_message_id: id, references } });
    const { email_metadata } = await promotedMessage(workspace, await saved(autosend()));
    const mail = smtp.mails.find(({ messageId }) => messageId === `<${email_metadata.email_message_id}>`)!;
    expect([mail.parsed.inReplyTo, mail.parsed.references]).toEqual([id, [...references, id]]);
  });

  it('smuggles no header in through names, subjects and Message-IDs', async () => {
    const evil = 'x\r\nBcc: victim@x.example\r\nX-Evil: 1\r\n\r\nbody';
    question = await receivedMail(workspace, {
      subject: evil,
      contact: { name: `Grace${evil}`, email: `${unique('g')}@navy.example` },
      email_metadata: { email_message_id: `<a@b>${evil}`, references: [`<c@d>${evil}`] },
    });
    const { email_metadata } = await promotedMessage(workspace, await saved(autosend()));
    const mail = smtp.mails.find(({ messageId }) => messageId === `<${email_metadata.email_message_id}>`)!;
    expect(mail.parsed.headers.has('x-evil')).toBe(false);
    expect(mail.parsed.headers.has('bcc')).toBe(false);
    expect(mail.to).toHaveLength(1);
  });

  it('went to each recipient once, however often they are named', async () => {
    const { conversation_id } = question;
    const { contact_id } = await ok(workspace.api.get(`conversations/${conversation_id}`));
    const { email } = await ok(workspace.api.get(`contacts/${contact_id}`));
    const draft = await saved(autosend({ cc_emails: [email, 'cc@x.example'], bcc_emails: ['cc@x.example'] }));
    const { email_metadata } = await promotedMessage(workspace, draft);
    const mail = smtp.mails.find(({ messageId }) => messageId === `<${email_metadata.email_message_id}>`)!;
    expect(mail.to.toSorted()).toEqual(['cc@x.example', email].toSorted());
  });
});

describe('many who save, send and delete at once', () => {
  it('send as many mails as there are sent messages, each under its own Message-ID', async () => {
    const before = smtp.mails.length;
    const answers = await Promise.all(
      Array.from({ length: 60 }, async (_, nr) => {
        if (nr % 3 === 0) return save(autosend({ body_html: `<p>${nr}</p>` }));
        if (nr % 3 === 1) return save({ body_html: `<p>${nr}</p>` });
        const [draft] = await listed();
        return draft
          ? nr % 2
            ? workspace.api.delete(pathOf(draft))
            : workspace.api.post(`${pathOf(draft)}/send`)
          : null;
      }),
    );
    const expected = new Set([
      '200',
      '201',
      '204',
      '400 draft_sending',
      '404 draft_promoted',
      '404 response_draft_not_found',
    ]);
    for (const answer of answers)
      if (answer) expect(expected).toContain(`${answer.status} ${answer.body?.code ?? ''}`.trim());
    const [left] = await listed();
    if (left && left.delivery.status !== 'none') await promotedMessage(workspace, left);
    const sent = (await messagesOf(workspace, question)).filter(
      ({ message_direction }) => message_direction === 'sent',
    );
    const ids = sent.map(({ email_metadata }) => `<${email_metadata.email_message_id}>`);
    const mails = smtp.mails.slice(before).map(({ messageId }) => messageId);
    expect(mails.toSorted()).toEqual(ids.toSorted());
    expect(new Set(ids).size).toBe(ids.length);
  });
});

describe('a delivery that failed', () => {
  it('leaves the draft saved, to be read, changed and sent again', async () => {
    smtp.respond.data = () => ({ code: 550, text: 'not wanted here' });
    const draft = await saved(autosend());
    const failed = await draftWith(workspace, draft, 'failed');
    smtp.respond.data = undefined;
    expect(failed.scheduled_send_at).toBeNull();
    expect((await save({ body_html: '<p>Other words</p>' })).status).toBe(200);
    expect(await shown(draft)).toMatchObject({ delivery: { status: 'none' } });
    await ok(workspace.api.post(`${pathOf(draft)}/send`));
    expect(await promotedMessage(workspace, draft)).toMatchObject({ content: 'Other words' });
  });
});
