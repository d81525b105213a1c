import {
  apiOf,
  emailChannel,
  type Json,
  newKey,
  newWorkspace,
  ok,
  unique,
  type Workspace,
} from '../support/clients/client.js';
import { textChannel } from '../support/clients/doors.js';
import { expectProblem, INSTANT } from '../support/clients/expectations.js';
import {
  autosend,
  draftsOf,
  messagesOf,
  postMail,
  promotedMessage,
  rawMail,
  receivedMail,
} from '../support/data/mail.js';
import { firstMessage, messageDraftWith, openedBy } from '../support/data/message-drafts.js';
import { startSmtp, type TestSmtp } from '../support/stand-ins/smtp.js';
import { until } from '../support/until.js';

const UNKNOWN = '01hzy3v7q4e8k9m2n5p6r7s8t9';
const NOT_TRIED = { status: 'none', attempts: 0, last_error: null, next_attempt_at: null };

let smtp: TestSmtp;
let workspace: Workspace;
let channel: Json;

beforeAll(async () => {
  smtp = await startSmtp();
  workspace = await newWorkspace();
  channel = await emailChannel(workspace, smtp.port);
  await textChannel(workspace);
});

afterAll(() => smtp.close());

const review = (fields: object = {}): object =>
  firstMessage({ autosend_draft: undefined, add_notification: undefined, ...fields });
const create = (body: object, of = workspace) => of.api.post('message-drafts', body);
const saved = (fields: object = {}): Promise<Json> => ok(create(review(fields)));
const pathOf = ({ draft_id }: Json): string => `message-drafts/${draft_id}`;
const shown = (draft: Json): Promise<Json> => ok(workspace.api.get(pathOf(draft)));
const listed = async (of = workspace): Promise<Json[]> =>
  (await ok(of.api.get('message-drafts', { limit: 200 }))).data;

describe('creating a message draft', () => {
  it('answers 201 and keeps it for review when autosend_draft is false, as by default', async () => {
    const answer = await create(review({ autosend_draft: false, folder: 'Spring Campaign' }));
    expect(answer.status).toBe(201);
    expect(answer.body).toEqual({
      draft_id: expect.stringMatching(/^draft_/),
      scheduled_to_send: false,
      scheduled_send_at: null,
      folder: 'spring-campaign',
    });
    expect((await create(review())).body).toMatchObject({
      scheduled_to_send: false,
      scheduled_send_at: null,
    });
  });

  it('answers 201 and queues it with autosend_draft, with the instant it was queued at', async () => {
    const answer = await create(firstMessage());
    expect(answer.status).toBe(201);
    expect(answer.body).toEqual({
      draft_id: expect.stringMatching(/^draft_/),
      scheduled_to_send: true,
      scheduled_send_at: expect.stringMatching(INSTANT),
      folder: 'drafts',
    });
    await openedBy(workspace, answer.body);
  });

  it.each<[string, object, object]>([
    ['email', {}, {}],
    ['text', { modality: 'text', subject: undefined }, { modality: 'text', subject: null }],
  ])('keeps every field of an %s', async (_, fields, expected) => {
    const cc_emails = ['boss@navy.example'];
    const bcc_emails = ['archive@acme.example', 'b@acme.example'];
    const draft = await saved({ cc_emails, bcc_emails, ...fields });
    expect(await shown(draft)).toEqual({
      draft_id: draft.draft_id,
      subject: 'Your renewal',
      body_html: '<p>Shall we talk about it?</p>',
      modality: 'email',
      agent_id: workspace.agentId,
      recipient_name: 'Grace Hopper',
      recipient_email: 'grace@navy.example',
      recipient_emails: ['grace@navy.example'],
      recipient_phone_number: '+1 212 555 0101',
      cc_emails,
      bcc_emails,
      files: [],
      without_signature: false,
      scheduled_send_at: null,
      folder: 'drafts',
      created_at: expect.stringMatching(INSTANT),
      updated_at: expect.stringMatching(INSTANT),
      delivery: NOT_TRIED,
      ...expected,
    });
  });

  it.each<[string, object, object]>([
    ['subject alone', { body_html: undefined }, { body_html: null }],
    ['body_html alone', { subject: undefined }, { subject: null }],
    ['a null subject', { subject: null }, { subject: null }],
    ['a null body_html', { body_html: null }, { body_html: null }],
    ['nulls for the recipient', { to_user_name: null, to_email: null, to_phone_number: null }, {}],
    ['no recipient', { to_user_name: undefined, to_email: undefined, to_phone_number: undefined }, {}],
    [
      'empty texts for what is left out',
      { to_user_name: '', to_email: '', to_phone_number: '', subject: '' },
      {},
    ],
    ['no copies', { cc_emails: [], bcc_emails: [] }, { cc_emails: [], bcc_emails: [] }],
    ['a notification', { add_notification: true }, {}],
    ['no notification', { add_notification: false }, {}],
  ])('takes %s for a draft to review', async (_, fields, expected) => {
    const answer = await create(review(fields));
    expect(answer.status).toBe(201);
    expect(await shown(answer.body)).toMatchObject(expected);
  });

  it.each([
    ['neither', {}],
    ['nulls', { subject: null, body_html: null }],
    ['empty texts', { subject: '', body_html: '' }],
    ['what leaves nothing to be shown', { subject: null, body_html: '<script>alert(1)</script>' }],
  ])('refuses %s for subject and body_html with 400 naming them', async (_, fields) => {
    const answer = await create({ modality: 'email', to_email: 'a@b.example', ...fields });
    expectProblem(answer, 400, 'validation_failed', 'subject');
    expect(answer.body.detail).toContain('body_html');
  });

  it.each([
    ['modality', { modality: undefined }],
    ['modality', { modality: null }],
    ['modality', { modality: 'call' }],
    ['modality', { modality: 'live_chat' }],
    ['modality', { modality: 'Email' }],
    ['subject', { subject: 7 }],
    ['subject', { subject: 'x'.repeat(1_001) }],
    ['body_html', { body_html: ['x'] }],
    ['body_html', { body_html: 'x'.repeat(1_000_001) }],
    ['body_html', { body_html: 'a\u0000b' }],
    ['to_user_name', { to_user_name: 7 }],
    ['to_email', { to_email: 'nobody' }],
    ['to_email', { to_email: 'a@b.example, c@d.example' }],
    ['to_phone_number', { to_phone_number: 'call me' }],
    ['to_phone_number', { to_phone_number: '123' }],
    ['cc_emails', { cc_emails: 'a@b.example' }],
    ['cc_emails', { cc_emails: ['nobody'] }],
    ['cc_emails', { cc_emails: null }],
    ['bcc_emails', { bcc_emails: [null] }],
    ['autosend_draft', { autosend_draft: 'true' }],
    ['autosend_draft', { autosend_draft: null }],
    ['add_notification', { add_notification: 1 }],
    ['folder', { folder: 7 }],
    ['agent_id', { agent_id: 'agent_x' }],
    ['recipient_email', { recipient_email: 'a@b.example' }],
    ['scheduled_send_at', { scheduled_send_at: '2030-01-01T00:00:00Z' }],
  ])('refuses a bad %s with 400 naming it (%#)', async (field, fields) => {
    const before = await listed();
    expectProblem(await create(review(fields)), 400, 'validation_failed', field);
    expect(await listed()).toEqual(before);
  });

  it.each([
    ['true', { add_notification: true }],
    ['left out, which means true', { add_notification: undefined }],
  ])('refuses autosend_draft while add_notification is %s, with 400', async (_, fields) => {
    expectProblem(await create(firstMessage(fields)), 400, 'validation_failed', 'add_notification');
  });

  it.each([
    ['email', 'to_email'],
    ['text', 'to_phone_number'],
  ])('refuses autosend of an %s without %s, with recipient_missing', async (modality, field) => {
    for (const none of [undefined, null, ''])
      expectProblem(await create(firstMessage({ modality, [field]: none })), 400, 'recipient_missing', field);
  });

  it.each(['email', 'text'])('refuses an %s without a channel for it, autosend or not', async (modality) => {
    const other = await newWorkspace();
    await (modality === 'email' ? textChannel(other) : emailChannel(other, smtp.port));
    for (const body of [review({ modality }), firstMessage({ modality })])
      expectProblem(await create(body, other), 400, 'channel_not_configured');
    expect(await listed(other)).toEqual([]);
  });

  it.each([
    ['Spring Campaign', 'spring-campaign'],
    ['  VIP / Größe 2 -- neu!  ', 'vip-größe-2-neu'],
    ['a_b.c', 'a-b-c'],
    ['ABC', 'abc'],
    ['---', 'drafts'],
    ['!?', 'drafts'],
    ['', 'drafts'],
    ['   ', 'drafts'],
    [null, 'drafts'],
    [undefined, 'drafts'],
  ])('files it in folder %j as %j', async (folder, normalized) => {
    const draft = await saved({ folder });
    expect(draft.folder).toBe(normalized);
    expect((await shown(draft)).folder).toBe(normalized);
  });

  it('takes scripts and handlers out of the HTML', async () => {
    const body_html = '<p onclick="a()">Hi</p><script>b()</script><a href="javascript:c()">x</a>';
    expect((await shown(await saved({ body_html }))).body_html).toBe('<p>Hi</p><a>x</a>');
  });

  it('bears the agent of the key, and none for a key without one', async () => {
    const { api_key } = await ok(newKey(workspace.admin, workspace.organizationId));
    const unbound = { ...workspace, api: apiOf(workspace.organizationId, api_key) };
    expect((await shown(await saved())).agent_id).toBe(workspace.agentId);
    expect((await shown(await ok(create(review(), unbound)))).agent_id).toBeNull();
  });

  it('is refused to a read-only key, as are sending and deleting', async () => {
    const draft = await saved();
    const { api_key } = await ok(newKey(workspace.admin, workspace.organizationId, { read_only: true }));
    const reader = apiOf(workspace.organizationId, api_key);
    expectProblem(await reader.post('message-drafts', review()), 403, 'read_only_key');
    expectProblem(await reader.post(`${pathOf(draft)}/send`), 403, 'read_only_key');
    expectProblem(await reader.delete(pathOf(draft)), 403, 'read_only_key');
    expect((await reader.get(pathOf(draft))).status).toBe(200);
    expect((await reader.get('message-drafts')).status).toBe(200);
  });
});

describe('the list of message drafts', () => {
  it('holds those not sent yet, newest first, filtered by created_at', async () => {
    const own = await newWorkspace();
    await emailChannel(own, smtp.port);
    const ids: string[] = [];
    for (const subject of ['1', '2', '3']) ids.unshift((await ok(create(review({ subject }), own))).draft_id);
    await openedBy(own, await ok(create(firstMessage(), own)));
    const all = await listed(own);
    expect(all.map(({ draft_id }) => draft_id)).toEqual(ids);
    const [newest, middle] = all;
    const between = { start_date: middle.created_at, end_date: newest.created_at };
    expect((await ok(own.api.get('message-drafts', between))).data).toEqual([middle]);
  });

  it('holds no response drafts, and none of another organization', async () => {
    const own = await newWorkspace();
    await ok(own.api.post(draftsOf(await receivedMail(own)), { body_html: 'x' }));
    await saved();
    expect((await ok(own.api.get('message-drafts'))).data).toEqual([]);
  });
});

describe('a message draft of another organization', () => {
  it.each<[string, string]>([
    ['GET', ''],
    ['DELETE', ''],
    ['POST', '/send'],
  ])('is answered to %s as one that does not exist', async (method, suffix) => {
    const draft = await saved();
    const other = await newWorkspace();
    for (const id of [draft.draft_id, `draft_${UNKNOWN}`, 'nonsense', `contact_${UNKNOWN}`])
      expectProblem(
        await other.api.send(method, `message-drafts/${id}${suffix}`),
        404,
        'message_draft_not_found',
      );
    expect((await shown(draft)).delivery).toEqual(NOT_TRIED);
  });
});

describe('deleting a message draft', () => {
  it('answers 204 without a body, and it is gone', async () => {
    const draft = await saved();
    const answer = await workspace.api.delete(pathOf(draft));
    expect([answer.status, answer.text]).toEqual([204, '']);
    for (const method of ['get', 'delete'] as const)
      expectProblem(await workspace.api[method](pathOf(draft)), 404, 'message_draft_not_found');
    expectProblem(await workspace.api.post(`${pathOf(draft)}/send`), 404, 'message_draft_not_found');
  });

  it('answers 204 to one of several who do it at the same time, and 404 to the others', async () => {
    for (let round = 0; round < 5; round++) {
      const draft = await saved();
      const answers = await Promise.all(Array.from({ length: 5 }, () => workspace.api.delete(pathOf(draft))));
      const refused = answers.filter(({ status }) => status !== 204);
      expect(refused).toHaveLength(4);
      for (const answer of refused) expectProblem(answer, 404, 'message_draft_not_found');
    }
  });
});

describe('sending a saved message draft after review', () => {
  it('answers 200 as autosend does, again the same, and it leaves once', async () => {
    const seen = smtp.seen.length;
    const draft = await saved({ to_email: `${unique('g')}@navy.example` });
    const answers = await Promise.all(
      Array.from({ length: 10 }, () => workspace.api.post(`${pathOf(draft)}/send`)),
    );
    const queued = answers.filter(({ status }) => status === 200).map(({ body }) => body);
    expect(queued.length).toBeGreaterThan(0);
    for (const body of queued)
      expect(body).toEqual({
        ...draft,
        scheduled_to_send: true,
        scheduled_send_at: queued[0].scheduled_send_at,
      });
    // The rest came when it had left already.
    for (const answer of answers.filter(({ status }) => status !== 200))
      expectProblem(answer, 404, 'draft_promoted');
    await openedBy(workspace, draft);
    expect(smtp.seen).toHaveLength(seen + 1);
  });

  it('answers 400 without a recipient or a channel, and leaves it saved', async () => {
    const nobodys = await saved({ to_email: null });
    expectProblem(await workspace.api.post(`${pathOf(nobodys)}/send`), 400, 'recipient_missing', 'to_email');
    const own = await newWorkspace();
    await emailChannel(own, smtp.port);
    const draft = await ok(create(review(), own));
    await own.adminApi.delete('channels/email');
    expectProblem(await own.api.post(`${pathOf(draft)}/send`), 400, 'channel_not_configured');
    expect((await ok(own.api.get(pathOf(draft)))).delivery).toEqual(NOT_TRIED);
  });

  it('makes the agent of the key that sends it the sender', async () => {
    const { agent_id } = await ok(workspace.adminApi.post('agents', { name: 'Alan Turing' }));
    const { api_key } = await ok(newKey(workspace.admin, workspace.organizationId, { agent_id }));
    const draft = await saved();
    await ok(apiOf(workspace.organizationId, api_key).post(`${pathOf(draft)}/send`));
    expect((await openedBy(workspace, draft)).message.agent_id).toBe(agent_id);
  });
});

describe('a draft of the other kind', () => {
  const all = [
    ['GET', ''],
    ['DELETE', ''],
    ['POST', '/send'],
  ] as const;

  it.each(all)('is answered to %s with 404 and a hint whose route works', async (method, suffix) => {
    const question = await receivedMail(workspace);
    const response = await ok(workspace.api.post(draftsOf(question), { body_html: 'x' }));
    const draft = await saved();
    const asMessage = await workspace.api.send(method, `message-drafts/${response.response_id}${suffix}`);
    expectProblem(asMessage, 404, 'wrong_draft_kind');
    expect(asMessage.body.detail).toContain('response-drafts');
    expect((await ok(workspace.api.get(asMessage.body.hint.route))).response_id).toBe(response.response_id);
    const asResponse = await workspace.api.send(method, `${draftsOf(question)}/${draft.draft_id}${suffix}`);
    expectProblem(asResponse, 404, 'wrong_draft_kind');
    expect(asResponse.body.detail).toContain('message-drafts');
    expect((await ok(workspace.api.get(asResponse.body.hint.route))).draft_id).toBe(draft.draft_id);
  });

  it.each(all)('that was sent is answered to %s with the hint to its own kind', async (method, suffix) => {
    const question = await receivedMail(workspace);
    const response = await ok(workspace.api.post(draftsOf(question), autosend()));
    await promotedMessage(workspace, response);
    const draft = await ok(create(firstMessage()));
    await openedBy(workspace, draft);
    for (const path of [`message-drafts/${response.response_id}`, `${draftsOf(question)}/${draft.draft_id}`])
      expectProblem(await workspace.api.send(method, `${path}${suffix}`), 404, 'wrong_draft_kind');
  });

  it.each(all)(
    'that was sent is answered to %s on its own route with what it became',
    async (method, suffix) => {
      const draft = await ok(create(firstMessage()));
      const { conversation } = await openedBy(workspace, draft);
      const answer = await workspace.api.send(method, `${pathOf(draft)}${suffix}`);
      expectProblem(answer, 404, 'draft_promoted');
      expect(answer.body.hint).toEqual({
        method: 'GET',
        route: `${workspace.api.base}/conversations/${conversation.conversation_id}`,
      });
      expect(answer.body.detail).toContain('conversation');
      expect((await listed()).map(({ draft_id }) => draft_id)).not.toContain(draft.draft_id);
    },
  );
});

describe('a message draft that was sent', () => {
  it('opened a conversation with a new contact of its recipient, and is its only message', async () => {
    const to_email = `${unique('New')}@Navy.example`;
    const cc_emails = ['boss@navy.example'];
    const draft = await ok(create(firstMessage({ to_email, cc_emails, bcc_emails: ['b@acme.example'] })));
    const { conversation, message } = await openedBy(workspace, draft);
    const { created_at } = await ok(workspace.api.get(`contacts/${conversation.contact_id}`));
    expect(created_at).toMatch(INSTANT);
    expect(await ok(workspace.api.get(`contacts/${conversation.contact_id}`))).toMatchObject({
      name: 'Grace Hopper',
      email: to_email,
    });
    const mail = smtp.mails.find(({ to }) => to.includes(to_email))!;
    expect(message).toMatchObject({
      conversation_id: conversation.conversation_id,
      agent_id: workspace.agentId,
      modality: 'email',
      message_direction: 'sent',
      subject: 'Your renewal',
      content: 'Shall we talk about it?',
      sent_at: conversation.start_at,
      drafted_at: expect.stringMatching(INSTANT),
      email_metadata: {
        email_message_id: mail.messageId!.slice(1, -1),
        cc_emails,
        bcc_emails: ['b@acme.example'],
      },
    });
    expect(conversation).toMatchObject({ is_read: true, last_activity_at: message.sent_at });
    expect(mail.parsed.subject).toBe('Your renewal');
    expect(mail.parsed.inReplyTo).toBeUndefined();
    expect(mail.to.toSorted()).toEqual([to_email, 'b@acme.example', ...cc_emails].toSorted());
  });

  it('opened it with the contact of that address, whatever its case', async () => {
    const email = `${unique('grace')}@navy.example`;
    const { contact_id } = await ok(workspace.api.post('contacts', { name: 'G', email }));
    const draft = await ok(create(firstMessage({ to_email: email.toUpperCase() })));
    const { conversation } = await openedBy(workspace, draft);
    expect(conversation.contact_id).toBe(contact_id);
    expect((await ok(workspace.api.get(`contacts/${contact_id}`))).name).toBe('G');
  });

  it("is from the agent of its contact's company, who owns what it opened, when the key has none", async () => {
    const { agent_id } = await ok(workspace.adminApi.post('agents', { name: 'Alan Turing' }));
    const { company_id } = await ok(workspace.api.post('companies', { name: 'Navy', agent_id }));
    const email = `${unique('grace')}@navy.example`;
    await ok(workspace.api.post('contacts', { email, company_id }));
    const { api_key } = await ok(newKey(workspace.admin, workspace.organizationId));
    const byNobody = apiOf(workspace.organizationId, api_key);
    const draft = await ok(byNobody.post('message-drafts', firstMessage({ to_email: email })));
    const { conversation, message } = await openedBy(workspace, draft);
    expect([conversation.agent_id, message.agent_id]).toEqual([agent_id, agent_id]);
  });

  it('is from the owner, too, of the conversation that an answer opened before it was known to have left', async () => {
    const { agent_id } = await ok(workspace.adminApi.post('agents', { name: 'Alan Turing' }));
    const { company_id } = await ok(workspace.api.post('companies', { name: 'Navy', agent_id }));
    const email = `${unique('grace')}@navy.example`;
    await ok(workspace.api.post('contacts', { email, company_id }));
    const { api_key } = await ok(newKey(workspace.admin, workspace.organizationId));
    let answered: Promise<Json> | undefined;
    smtp.respond.data = ({ messageId }) => {
      answered = ok(postMail(channel, rawMail({ from: email, inReplyTo: messageId })));
      return { acceptAfter: 1_500 };
    };
    const byNobody = apiOf(workspace.organizationId, api_key);
    const draft = await ok(byNobody.post('message-drafts', firstMessage({ to_email: email })));
    let promoted: Json = {};
    await until(async () => {
      promoted = (await workspace.api.get(pathOf(draft))).body;
      return promoted.code === 'draft_promoted';
    });
    smtp.respond.data = undefined;
    const { conversation_id } = await answered!;
    const conversation = await ok(workspace.api.get(promoted.hint.route));
    expect(conversation).toMatchObject({ conversation_id, agent_id });
    const messages = await messagesOf(workspace, conversation);
    expect(messages.find(({ message_direction }) => message_direction === 'sent')?.agent_id).toBe(agent_id);
  });

  it('opened a conversation of its own, even if there is one with the contact', async () => {
    const to_email = `${unique('grace')}@navy.example`;
    const earlier = await receivedMail(workspace, { contact: { email: to_email } });
    const drafts = [];
    for (let nr = 0; nr < 3; nr++) drafts.push(await ok(create(firstMessage({ to_email }))));
    const opened = [];
    for (const draft of drafts) opened.push((await openedBy(workspace, draft)).conversation);
    expect(new Set([earlier, ...opened].map(({ conversation_id }) => conversation_id)).size).toBe(4);
    expect(new Set(opened.map(({ contact_id }) => contact_id)).size).toBe(1);
  });

  it('opened with one new contact, when many drafts to one address left at once', async () => {
    const to_email = `${unique('grace')}@navy.example`;
    const drafts = await Promise.all(
      Array.from({ length: 10 }, () => ok(create(firstMessage({ to_email })))),
    );
    const opened = await Promise.all(drafts.map((draft) => openedBy(workspace, draft)));
    expect(new Set(opened.map(({ conversation }) => conversation.contact_id)).size).toBe(1);
    expect((await ok(workspace.api.get('contacts', { email: to_email }))).data).toHaveLength(1);
    expect(new Set(opened.map(({ conversation }) => conversation.conversation_id)).size).toBe(10);
  });

  it('is answered by a mail that joins its conversation', async () => {
    const draft = await ok(create(firstMessage()));
    const { conversation, message } = await openedBy(workspace, draft);
    const in_reply_to = message.email_metadata.email_message_id;
    const answer = await receivedMail(workspace, { email_metadata: { in_reply_to } });
    expect(answer.conversation_id).toBe(conversation.conversation_id);
  });

  it("is in the audit log as the draft's delete and the conversation's insert", async () => {
    const draft = await ok(create(firstMessage()));
    const { conversation } = await openedBy(workspace, draft);
    const logged = async (record_id: string): Promise<Json[]> =>
      (await ok(workspace.api.get('audit-logs', { record_id }))).data.toReversed();
    const [inserted, deleted, ...more] = await logged(draft.draft_id);
    expect(more).toEqual([]);
    expect(inserted).toMatchObject({
      action_type: 'insert',
      agent_id: workspace.agentId,
      record: { type: 'message_draft', id: draft.draft_id },
    });
    expect(deleted).toMatchObject({
      action_type: 'delete',
      agent_id: null,
      record: { type: 'message_draft' },
    });
    expect(deleted.changes.every(({ to }: Json) => to === null)).toBe(true);
    expect(deleted.changes).toContainEqual({
      field: 'recipient_email',
      from: 'grace@navy.example',
      to: null,
    });
    expect(deleted.changes).toContainEqual({
      field: 'scheduled_send_at',
      from: draft.scheduled_send_at,
      to: null,
    });
    const opened = await logged(conversation.conversation_id);
    expect(opened).toHaveLength(1);
    expect(opened[0]).toMatchObject({
      action_type: 'insert',
      agent_id: null,
      record: { type: 'conversation', id: conversation.conversation_id },
    });
  });
});

describe('the delivery of a message draft', () => {
  let own: Workspace;
  let server: TestSmtp;

  beforeEach(async () => {
    server = await startSmtp();
    own = await newWorkspace();
    await emailChannel(own, server.port);
  });

  afterEach(() => server.close());

  it('shows as sending while the provider has it: then it is neither deleted nor sent again', async () => {
    server.respond.data = () => 'hang';
    const draft = await ok(create(firstMessage(), own));
    await until(() => server.seen.length === 1);
    const sending = await messageDraftWith(own, draft, 'sending');
    expect(sending.delivery).toEqual({
      status: 'sending',
      attempts: 1,
      last_error: null,
      next_attempt_at: null,
    });
    expect(sending.scheduled_send_at).toBe(draft.scheduled_send_at);
    expect(sending.created_at <= sending.scheduled_send_at).toBe(true);
    expectProblem(await own.api.delete(pathOf(draft)), 400, 'draft_sending');
    expect((await own.api.post(`${pathOf(draft)}/send`)).body).toEqual(draft);
    expect(await listed(own)).toHaveLength(1);
  });

  it('shows as retrying after a temporary failure, as failed after a permanent one, with the reason', async () => {
    server.respond.data = () => ({ code: 451, text: 'come back later' });
    const retried = await ok(create(firstMessage(), own));
    expect((await messageDraftWith(own, retried, 'retrying')).delivery).toMatchObject({
      last_error: expect.stringContaining('come back later'),
      next_attempt_at: expect.stringMatching(INSTANT),
    });
    server.respond.data = () => ({ code: 550, text: 'go away' });
    const failed = await messageDraftWith(own, retried, 'failed');
    expect(failed.delivery).toMatchObject({
      last_error: expect.stringContaining('go away'),
      next_attempt_at: null,
    });
    expect(failed.scheduled_send_at).toBeNull();
    server.respond.data = undefined;
    await ok(own.api.post(`${pathOf(failed)}/send`));
    await openedBy(own, failed);
    expect(new Set(server.seen.map(({ messageId }) => messageId)).size).toBe(1);
  });
});
