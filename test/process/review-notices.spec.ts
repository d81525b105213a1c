import { Client } from 'pg';
import { emailChannel, type Json, newWorkspace, ok, type Workspace } from '../support/clients/client.js';
import { expectProblem } from '../support/clients/expectations.js';
import {
  autosend,
  bounceOf,
  draftsOf,
  messagesOf,
  postMail,
  rawMail,
  receivedMail,
} from '../support/data/mail.js';
import { firstMessage, openedBy } from '../support/data/message-drafts.js';
import { readyDataDir, removeDataDir } from '../support/server/data-dir.js';
import { databaseUrl, type Server, startServer } from '../support/server/server.js';
import { type ReceivedMail, startSmtp, type TestSmtp } from '../support/stand-ins/smtp.js';
import { until } from '../support/until.js';
import { verify } from '../support/server/verify.js';

const TEAM = ['team@acme.example', 'lead@acme.example'];

let smtp: TestSmtp;
let workspace: Workspace;
let channel: Json;

beforeEach(async () => {
  smtp = await startSmtp();
  workspace = await newWorkspace({ organization: { notification_emails: TEAM } });
  channel = await emailChannel(workspace, smtp.port);
});

afterEach(() => smtp.close());

const forReview = (fields: object = {}): object =>
  firstMessage({ autosend_draft: undefined, add_notification: undefined, ...fields });
const draftFor = (fields: object = {}, of = workspace): Promise<Json> =>
  ok(of.api.post('message-drafts', forReview(fields)));
const reply = (of: Json, body_html = '<p>Yes</p>'): Promise<Json> =>
  ok(workspace.api.post(draftsOf(of), { body_html }));
/** The requests for review in the feed, which shows what is younger than no write in progress. */
async function requests(count: number): Promise<Json[]> {
  let found: Json[] = [];
  await until(async () => {
    found = (await ok(workspace.api.get('events', { types: 'ReviewRequested', limit: 200 }))).data;
    return found.length >= count;
  });
  return found;
}

/** Waits until every notice of the organization has ended. */
async function untilNoneIsLeft(dataDir: string): Promise<void> {
  const database = new Client({ connectionString: await databaseUrl(dataDir) });
  await database.connect();
  const text = 'SELECT FROM review_notice WHERE organization_id = $1';
  await until(async () => (await database.query(text, [workspace.organizationId])).rowCount === 0);
  await database.end();
}

/** The next mail; what else would have been sent before it has been by then. */
async function nextNotice(): Promise<ReceivedMail> {
  const { length } = smtp.mails;
  await draftFor({ subject: 'The next' });
  const mails = await smtp.waitFor(length + 1);
  return mails[length]!;
}

describe('a draft that is saved for review', () => {
  it('is told of by e-mail to the addresses of the organization, by its channel', async () => {
    const { draft_id } = await draftFor();
    const [mail] = await smtp.waitFor(1);
    expect(mail).toMatchObject({ from: channel.from_address, to: TEAM });
    expect(mail!.parsed.subject).toBe('Draft to review: "Your renewal" to Grace Hopper (grace@navy.example)');
    expect(mail!.parsed.text).toContain(
      `/api/v2/organizations/${workspace.organizationId}/message-drafts/${draft_id}`,
    );
    expect(mail!.parsed.text).toMatch(/https?:\/\/localhost:\d+\/api\/v2/);
    expect(mail!.parsed.headers.get('auto-submitted')).toBe('auto-generated');
  });

  it('as a reply is told of with the route of the reply', async () => {
    const asked = await receivedMail(workspace);
    const { response_id, conversation_id } = await reply(asked);
    const [mail] = await smtp.waitFor(1);
    expect(mail!.parsed.subject).toMatch(/^Draft to review: reply to Grace Hopper \(grace-/);
    expect(mail!.parsed.text).toContain(`/conversations/${conversation_id}/response-drafts/${response_id}`);
  });

  it('raises an event with whom it tells', async () => {
    const { draft_id } = await draftFor();
    const asked = await receivedMail(workspace);
    const { response_id, conversation_id } = await reply(asked);
    expect((await requests(2)).map(({ data }) => data)).toEqual([
      { draft_id, response_id: null, conversation_id: null, notified_emails: TEAM },
      { draft_id: null, response_id, conversation_id, notified_emails: TEAM },
    ]);
  });

  it('raises the event even where nobody is to be told by e-mail', async () => {
    await ok(workspace.admin.patch(`organizations/${workspace.organizationId}`, { notification_emails: [] }));
    await draftFor();
    expect((await requests(1)).map(({ data }) => data.notified_emails)).toEqual([[]]);
    await ok(
      workspace.admin.patch(`organizations/${workspace.organizationId}`, { notification_emails: TEAM }),
    );
    expect((await nextNotice()).parsed.subject).toContain('The next');
  });

  it('is told of anew when it is overwritten', async () => {
    const asked = await receivedMail(workspace);
    await reply(asked);
    await smtp.waitFor(1);
    await reply(asked, '<p>No</p>');
    const [first, second] = await smtp.waitFor(2);
    expect(second!.messageId).not.toBe(first!.messageId);
    expect(await requests(2)).toHaveLength(2);
  });

  it('keeps its ETag while people are told of it', async () => {
    const asked = await receivedMail(workspace);
    const first = await workspace.api.post(draftsOf(asked), { body_html: '<p>Yes</p>' });
    await smtp.waitFor(1);
    const second = await workspace.api.send('POST', draftsOf(asked), {
      body: { body_html: '<p>No</p>' },
      headers: { 'if-match': first.headers.get('etag')! },
    });
    expect(second.status).toBe(200);
  });

  it.each<[string, object]>([
    ['without add_notification', { add_notification: false }],
    ['with autosend_draft', { autosend_draft: true, add_notification: false }],
  ])('%s is not told of', async (_, fields) => {
    const draft = await draftFor(fields);
    if ('autosend_draft' in fields) await openedBy(workspace, draft);
    await nextNotice();
    expect(smtp.mails.filter(({ parsed }) => /review/.test(parsed.subject ?? ''))).toHaveLength(1);
    expect(await requests(1)).toHaveLength(1);
  });

  it('is not told of by an organization without an e-mail channel', async () => {
    await ok(
      workspace.adminApi.put('channels/text', {
        provider: 'twilio',
        account_sid: 'AC1',
        auth_token: 'x',
        from_number: '+12125550100',
      }),
    );
    await workspace.adminApi.delete('channels/email');
    await draftFor({ modality: 'text' });
    await untilNoneIsLeft(process.env['PARLEY_TEST_DATA_DIR']!);
    expect(await requests(1)).toHaveLength(1);
    expect(smtp.seen).toEqual([]);
  });
});

describe('a notice that was sent', () => {
  it('and comes back as a bounce makes no message and marks nothing', async () => {
    const { draft_id } = await draftFor();
    const [mail] = await smtp.waitFor(1);
    const answer = await postMail(channel, bounceOf(mail!.messageId!, TEAM[0]!));
    expect(answer.status).toBe(202);
    expect(answer.body).toMatchObject({ status: 'bounce', message_id: null });
    expect((await ok(workspace.api.get(`message-drafts/${draft_id}`))).delivery.status).toBe('none');
    expect((await ok(workspace.api.get('conversations'))).data).toEqual([]);
  });

  it.each(['In-Reply-To', 'References'])('and is answered (%s) makes no message', async (header) => {
    await draftFor();
    const [mail] = await smtp.waitFor(1);
    const headers = [`${header}: ${mail!.messageId}`];
    const answer = await postMail(channel, rawMail({ from: TEAM[0], headers }));
    expect(answer.status).toBe(202);
    expect(answer.body).toEqual({ status: 'notice_reply', bounce_id: null, message_id: null });
    expect((await ok(workspace.api.get('conversations'))).data).toEqual([]);
    expect((await ok(workspace.api.get('contacts'))).data).toEqual([]);
  });

  it('and is named in a mail to another organization does not keep that from being a message', async () => {
    await draftFor();
    const [mail] = await smtp.waitFor(1);
    const other = await newWorkspace();
    const itsChannel = await emailChannel(other, smtp.port);
    const headers = [`References: ${mail!.messageId}`];
    expect((await postMail(itsChannel, rawMail({ headers }))).status).toBe(201);
    expect((await postMail(itsChannel, Buffer.from(mail!.raw))).status).toBe(201);
  });

  it('and reaches the organization itself makes no message', async () => {
    await draftFor();
    const [mail] = await smtp.waitFor(1);
    expect((await postMail(channel, Buffer.from(mail!.raw))).status).toBe(202);
  });

  it('does not keep other replies out', async () => {
    await draftFor();
    await smtp.waitFor(1);
    const asked = await receivedMail(workspace);
    await ok(workspace.api.post(draftsOf(asked), autosend()));
    const [, sent] = await smtp.waitFor(2);
    expect((await postMail(channel, rawMail({ inReplyTo: sent!.messageId }))).status).toBe(201);
    // The reply may come before the mail it is to has become a message.
    await until(async () => (await messagesOf(workspace, asked)).length === 3);
  });
});

describe('a notice that cannot leave at once', () => {
  let dataDir: string;
  let server: Server;
  // A notice is tried again when the lease is over. Until then there is time for this process to be held up.
  const start = () =>
    startServer({ dataDir, env: { DELIVERY_LEASE_MS: '5000', DELIVERY_TIMEOUT_MS: '4500' } });

  beforeAll(async () => {
    dataDir = readyDataDir();
    server = await start();
  });
  beforeEach(async () => {
    workspace = await newWorkspace({ url: server.url, organization: { notification_emails: TEAM } });
    await emailChannel(workspace, smtp.port);
  });
  afterAll(async () => {
    await server.stop();
    removeDataDir(dataDir);
  });

  it('is tried again under the same Message-ID, and sent once', async () => {
    smtp.respond.data = () => (smtp.seen.length === 1 ? { code: 451 } : undefined);
    await draftFor();
    await smtp.waitFor(1);
    expect(new Set(smtp.seen.map(({ messageId }) => messageId)).size).toBe(1);
    expect(smtp.seen).toHaveLength(2);
    expect(await verify(dataDir)).not.toContain('DIFFERS');
  });

  it('is not lost with a process that is killed while it sends it', async () => {
    smtp.respond.data = () => (smtp.seen.length === 1 ? 'hang' : undefined);
    await draftFor();
    await until(() => smtp.seen.length > 0);
    await server.kill();
    server = await start();
    await smtp.waitFor(1);
    expect(new Set(smtp.seen.map(({ messageId }) => messageId)).size).toBe(1);
  });

  it('is dropped when the draft was sent meanwhile', async () => {
    smtp.respond.data = ({ parsed }) => (/review/.test(parsed.subject ?? '') ? { code: 451 } : undefined);
    const draft = await draftFor();
    await until(() => smtp.seen.length > 0);
    await ok(workspace.api.post(`message-drafts/${draft.draft_id}/send`));
    await openedBy(workspace, draft);
    await untilNoneIsLeft(dataDir);
    expect(smtp.mails.map(({ parsed }) => parsed.subject)).toEqual(['Your renewal']);
  });
});

describe('PATCH of an organization', () => {
  const path = () => `organizations/${workspace.organizationId}`;

  it('changes the name and the addresses, and leaves alone what is left out', async () => {
    const renamed = await ok(workspace.admin.patch(path(), { name: 'Northwind' }));
    expect(renamed).toMatchObject({ name: 'Northwind', notification_emails: TEAM, timezone: 'UTC' });
    const emails = ['a@acme.example', 'a@acme.example', 'b@acme.example'];
    const changed = await ok(workspace.admin.patch(path(), { notification_emails: emails }));
    expect(changed).toEqual({ ...renamed, notification_emails: ['a@acme.example', 'b@acme.example'] });
    expect(await ok(workspace.admin.patch(path(), {}))).toEqual(changed);
  });

  it.each<[string, unknown]>([
    ['name', ''],
    ['name', null],
    ['notification_emails', null],
    ['notification_emails', 'team@acme.example'],
    ['notification_emails', ['team']],
    ['notification_emails', Array(101).fill('team@acme.example')],
    ['timezone', 'Europe/Berlin'],
    ['business_hours', { days: [1], from: '09:00', to: '17:00' }],
  ])('refuses %s %j', async (field, value) =>
    expectProblem(await workspace.admin.patch(path(), { [field]: value }), 400, 'validation_failed', field),
  );

  it('is 404 for an organization that is not there', async () =>
    expectProblem(
      await workspace.admin.patch('organizations/org_01hzy3v7q4e8k9m2n5p6r7s8t9', { name: 'x' }),
      404,
      'organization_not_found',
    ));
});
