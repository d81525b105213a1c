import {
  apiOf,
  type Client,
  emailChannel,
  type Json,
  newKey,
  newWorkspace,
  ok,
  unique,
  type Workspace,
} from '../support/clients/client.js';
import { changesOf } from '../support/clients/audit.js';
import { textChannel } from '../support/clients/doors.js';
import { expectProblem } from '../support/clients/expectations.js';
import {
  autosend,
  draftsOf,
  messagesOf,
  postMail,
  promotedMessage,
  receivedMail,
} from '../support/data/mail.js';
import { firstMessage, openedBy } from '../support/data/message-drafts.js';
import { type ReceivedMail, startSmtp, type TestSmtp } from '../support/stand-ins/smtp.js';
import { startTwilio } from '../support/stand-ins/twilio.js';
import { until } from '../support/until.js';

const SIGNATURE = '<p>Ada Byron<br /><a href="https://acme.example/">Acme</a></p>';
const IN_TEXT = /\n-- \nAda Byron\nAcme https:\/\/acme\.example\/\n?$/;
const NOBODY = '01hzy3v7q4e8k9m2n5p6r7s8t9';

let smtp: TestSmtp;
let workspace: Workspace;
let channel: Json;
let api: Client;

beforeAll(async () => {
  smtp = await startSmtp();
});
beforeEach(async () => {
  workspace = await newWorkspace();
  ({ api } = workspace);
  channel = await emailChannel(workspace, smtp.port);
});
afterAll(() => smtp.close());

const sign = (signature_html: string | null = SIGNATURE): Promise<Json> =>
  ok(workspace.adminApi.patch(`agents/${workspace.agentId}`, { signature_html }));
const ownAgent = (): Promise<Json> => ok(api.get(`agents/${workspace.agentId}`));

/** Answers a question and gives what left, and the message that it is now. */
async function answered(fields: object = {}, by = api): Promise<{ mail: ReceivedMail; message: Json }> {
  const before = smtp.mails.length;
  const draft = await ok(by.post(draftsOf(await receivedMail(workspace)), autosend(fields)));
  const message = await promotedMessage(workspace, draft);
  const [mail] = (await smtp.waitFor(before + 1)).slice(before);
  return { mail: mail!, message };
}

describe('an agent', () => {
  it('has no signature until it is given one, sanitised', async () => {
    const before = await ownAgent();
    expect(before.signature_html).toBeNull();
    const after = await sign(`${SIGNATURE}<script>x</script><p onclick="x">.</p>`);
    expect(after).toEqual({
      ...before,
      signature_html: `${SIGNATURE}<p>.</p>`,
      updated_at: after.updated_at,
    });
    expect(after.updated_at > before.updated_at).toBe(true);
    expect(await ownAgent()).toEqual(after);
    expect((await ok(api.get('agents'))).data).toEqual([after]);
    expect((await ok(workspace.adminApi.get('agents'))).data).toEqual([after]);
  });

  it.each(['', '<script>x</script>', ' '])('has none where nothing is left of it: %j', async (signature) => {
    await sign();
    expect((await sign(signature)).signature_html).toBeNull();
  });

  it('changes name and address in what is given, and stays as it is where nothing changes', async () => {
    const before = await sign();
    const { adminApi, agentId } = workspace;
    const email = `${unique('lovelace')}@acme.example`;
    const after = await ok(adminApi.patch(`agents/${agentId}`, { name: 'Ada Lovelace', email }));
    expect(after).toEqual({ ...before, name: 'Ada Lovelace', email, updated_at: after.updated_at });
    expect(await ok(adminApi.patch(`agents/${agentId}`, { name: 'Ada Lovelace' }))).toEqual(after);
    expect(await ok(adminApi.patch(`agents/${agentId}`, {}))).toEqual(after);
    expect((await ok(adminApi.patch(`agents/${agentId}`, { email: null }))).email).toBeNull();
  });

  it('that has changed is listed by updated_since', async () => {
    const { updated_at } = await sign();
    await ok(workspace.adminApi.post('agents', { name: 'Alan' }));
    const changed = await sign(null);
    const { data } = await ok(api.get('agents', { updated_since: updated_at }));
    expect(data.at(-1)).toEqual(changed);
  });

  it.each<[string, object]>([
    ['name', { name: '' }],
    ['name', { name: null }],
    ['email', { email: 'x' }],
    ['signature_html', { signature_html: 1 }],
    ['signature_html', { signature_html: 'x'.repeat(10_001) }],
    ['nonsense', { nonsense: 1 }],
  ])('is not changed by a wrong %s', async (field, body) =>
    expectProblem(
      await workspace.adminApi.patch(`agents/${workspace.agentId}`, body),
      400,
      'validation_failed',
      field,
    ),
  );

  it('is one of the organization', async () => {
    const other = await newWorkspace();
    for (const agent of [other.agentId, `agent_${NOBODY}`, 'x'])
      expectProblem(await workspace.adminApi.patch(`agents/${agent}`, {}), 404, 'agent_not_found');
    expectProblem(await api.patch(`agents/${other.agentId}`, {}), 404, 'agent_not_found');
    expectProblem(
      await workspace.admin.patch(`organizations/org_${NOBODY}/agents/${workspace.agentId}`, {}),
      404,
      'organization_not_found',
    );
  });

  it('changes its own signature, and nothing else, by its key', async () => {
    const path = `agents/${workspace.agentId}`;
    expect((await ok(api.patch(path, { signature_html: '<p>Mine</p>' }))).signature_html).toBe('<p>Mine</p>');
    expect((await ok(api.patch(path, {}))).signature_html).toBe('<p>Mine</p>');
    expect((await ok(api.patch(path, { signature_html: null }))).signature_html).toBeNull();
    for (const field of ['name', 'email'])
      expectProblem(await api.patch(path, { [field]: 'x@acme.example' }), 400, 'validation_failed', field);
  });

  it('is changed by no other key', async () => {
    const { admin, adminApi, organizationId, agentId } = workspace;
    const { agent_id } = await ok(adminApi.post('agents', { name: 'Alan' }));
    const path = `agents/${agentId}`;
    for (const options of [{}, { agent_id }]) {
      const { api_key } = await ok(newKey(admin, organizationId, options));
      const answer = await apiOf(organizationId, api_key).patch(path, { signature_html: 'x' });
      expectProblem(answer, 403, 'not_your_agent');
    }
    const { api_key } = await ok(newKey(admin, organizationId, { agent_id: agentId, read_only: true }));
    expectProblem(await apiOf(organizationId, api_key).patch(path, {}), 403, 'read_only_key');
    expect((await ownAgent()).signature_html).toBeNull();
  });

  it('changes its signature once with an Idempotency-Key', async () => {
    const path = `agents/${workspace.agentId}`;
    const once = api.with({ 'idempotency-key': unique('once') });
    const first = await once.patch(path, { signature_html: '<p>Mine</p>' });
    await sign(null);
    expect((await once.patch(path, { signature_html: '<p>Mine</p>' })).text).toBe(first.text);
    expect((await ownAgent()).signature_html).toBeNull();
  });

  it('leaves a record of each change in the audit log, by whoever made it', async () => {
    const { agentId } = workspace;
    await sign();
    await ok(api.patch(`agents/${agentId}`, { signature_html: null }));
    const query = { record_type: 'agent', record_id: agentId, action_type: 'update' };
    const { data } = await ok(api.get('audit-logs', query));
    expect(data.map((record: Json) => [record.actor.type, changesOf(record)])).toEqual([
      ['agent', { signature_html: [SIGNATURE, null] }],
      ['operator', { signature_html: [null, SIGNATURE] }],
    ]);
  });

  it('is known by its new name at once', async () => {
    await ok(workspace.adminApi.patch(`agents/${workspace.agentId}`, { name: 'Ada Lovelace' }));
    const { mail } = await answered();
    expect(mail.parsed.from!.value[0]!.name).toBe('Ada Lovelace');
  });
});

describe('a mail', () => {
  it('of an agent ends with the signature, which its message does not have', async () => {
    await sign();
    const { mail, message } = await answered();
    expect(mail.parsed.html).toBe(`<p>Yes, we do.</p><div>${SIGNATURE}</div>`);
    expect(mail.parsed.text).toMatch(IN_TEXT);
    expect(mail.raw).toMatch(/\r\n--(?: |=20)\r\nAda Byron\r\n/);
    expect(message).toMatchObject({
      content: 'Yes, we do.',
      new_content: null,
      body_html: '<p>Yes, we do.</p>',
      tracked_links: [],
    });
  });

  it('that comes back as a copy changes nothing of its message', async () => {
    await sign();
    const { mail, message } = await answered();
    await ok(postMail(channel, Buffer.from(mail.raw)));
    const messages = await messagesOf(workspace, message);
    expect(messages.filter(({ message_direction }) => message_direction === 'sent')).toEqual([message]);
  });

  it('has the signature above what it quotes', async () => {
    await sign();
    const quote = '<p>On 1 January 2026, Grace Hopper wrote:</p><blockquote><p>Do you?</p></blockquote>';
    const { mail, message } = await answered({ body_html: `<p>Yes, we do.</p>${quote}` });
    expect(mail.parsed.html).toBe(`<p>Yes, we do.</p><div>${SIGNATURE}</div>${quote}`);
    expect(mail.parsed.text).toMatch(/^Yes, we do\.\n\n-- \nAda Byron\n[^]*\n> Do you\?/);
    expect(message.new_content).toBe('Yes, we do.');
    expect(message.content).not.toContain('Ada');
  });

  it('first of all ends with it, too', async () => {
    await sign();
    const before = smtp.mails.length;
    const { message } = await openedBy(workspace, await ok(api.post('message-drafts', firstMessage())));
    const [mail] = (await smtp.waitFor(before + 1)).slice(before);
    expect(mail!.parsed.text).toMatch(IN_TEXT);
    expect(message.content).toBe('Shall we talk about it?');
  });

  it('of the conversation’s owner has the owner’s, whoever queued it', async () => {
    await sign();
    const question = await receivedMail(workspace);
    await ok(api.patch(`conversations/${question.conversation_id}`, { agent_id: workspace.agentId }));
    const { api_key } = await ok(newKey(workspace.admin, workspace.organizationId));
    const unbound = apiOf(workspace.organizationId, api_key);
    const before = smtp.mails.length;
    await promotedMessage(workspace, await ok(unbound.post(draftsOf(question), autosend())));
    expect((await smtp.waitFor(before + 1)).at(-1)!.parsed.text).toMatch(IN_TEXT);
  });

  it('of nobody has none', async () => {
    await sign();
    const { api_key } = await ok(newKey(workspace.admin, workspace.organizationId));
    const { mail } = await answered({}, apiOf(workspace.organizationId, api_key));
    expect(mail.parsed.html).toBe('<p>Yes, we do.</p>');
  });

  it('has the signature of when it is sent, and not of when it was drafted', async () => {
    await sign('<p>Before</p>');
    const question = await receivedMail(workspace);
    const draft = await ok(api.post(draftsOf(question), { body_html: 'Yes' }));
    await sign('<p>After</p>');
    const before = smtp.mails.length;
    await ok(api.post(`${draftsOf(question)}/${draft.response_id}/send`));
    await promotedMessage(workspace, draft);
    expect((await smtp.waitFor(before + 1)).at(-1)!.parsed.text).toMatch(/^Yes\n\n-- \nAfter\n?$/);
  });

  it('that is tried again is the same mail', async () => {
    await sign();
    const seen = smtp.seen.length;
    let times = 0;
    smtp.respond.data = () => (times++ === 0 ? { code: 451 } : undefined);
    const { mail } = await answered();
    delete smtp.respond.data;
    const tried = smtp.seen
      .slice(seen)
      .map(({ parsed: { html, text, messageId } }) => [html, text, messageId]);
    expect(tried).toHaveLength(2);
    expect(tried[0]).toEqual(tried[1]);
    expect(mail.parsed.text).toMatch(IN_TEXT);
  });

  it('leaves without the signature where its draft says so', async () => {
    await sign();
    const { mail } = await answered({ without_signature: true });
    expect([mail.parsed.html, mail.parsed.text]).toEqual(['<p>Yes, we do.</p>', 'Yes, we do.']);
  });
});

describe('a draft', () => {
  it('shows whether it leaves without the signature: not, unless it says so', async () => {
    const question = await receivedMail(workspace);
    const shown = async (draft: Json) =>
      (await ok(api.get(`${draftsOf(question)}/${draft.response_id}`))).without_signature;
    const save = (fields: object) => ok(api.post(draftsOf(question), { body_html: 'Yes', ...fields }));
    expect(await shown(await save({}))).toBe(false);
    expect(await shown(await save({ without_signature: true }))).toBe(true);
    expect(await shown(await save({}))).toBe(false);
    const first = firstMessage({ autosend_draft: false, without_signature: true });
    const { draft_id } = await ok(api.post('message-drafts', first));
    expect((await ok(api.get(`message-drafts/${draft_id}`))).without_signature).toBe(true);
    const wrong = await api.post(draftsOf(question), { body_html: 'Yes', without_signature: 'no' });
    expectProblem(wrong, 400, 'validation_failed', 'without_signature');
  });

  it('of a text has no signature', async () => {
    await sign();
    const twilio = await startTwilio();
    await textChannel(workspace);
    await ok(
      workspace.adminApi.put('channels/text', {
        provider: 'twilio',
        account_sid: 'AC1',
        auth_token: 'x',
        from_number: '+12125550100',
        base_url: twilio.url,
      }),
    );
    await openedBy(workspace, await ok(api.post('message-drafts', firstMessage({ modality: 'text' }))));
    await until(() => twilio.seen.length > 0);
    expect(JSON.stringify(twilio.seen)).not.toContain('Ada');
    await twilio.close();
  });
});
