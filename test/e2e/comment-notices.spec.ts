import { Client } from 'pg';
import {
  apiOf,
  type Client as ApiClient,
  emailChannel,
  type Json,
  newKey,
  newWorkspace,
  ok,
  unique,
  type Workspace,
} from '../support/clients/client.js';
import { postMail, rawMail } from '../support/data/mail.js';
import { received } from '../support/data/records.js';
import { readyDataDir, removeDataDir } from '../support/server/data-dir.js';
import { databaseUrl, type Server, startServer } from '../support/server/server.js';
import { verify } from '../support/server/verify.js';
import { startSmtp, type TestSmtp } from '../support/stand-ins/smtp.js';
import { until } from '../support/until.js';

let own: Workspace;
let other: Json;

beforeAll(async () => {
  own = await newWorkspace();
  other = await agent('Alan');
});

const agent = (name: string): Promise<Json> =>
  ok(own.adminApi.post('agents', { name, email: `${unique('agent')}@acme.example` }));
const conversation = async (): Promise<string> =>
  `conversations/${(await ok(received(own.api, { contact: { name: 'Grace' } }))).conversation_id}`;
const contact = async (): Promise<string> =>
  `contacts/${(await ok(own.api.post('contacts', { name: 'Grace' }))).contact_id}`;
const comment = (on: string, body: object = {}, api: ApiClient = own.api): Promise<Json> =>
  ok(api.post(`${on}/comments`, { body: 'She asked last year', ...body }));

/** Waits until every notice of the organization has ended. */
async function untilNoneIsLeft(
  organizationId = own.organizationId,
  dataDir = process.env['PARLEY_TEST_DATA_DIR']!,
): Promise<void> {
  const database = new Client({ connectionString: await databaseUrl(dataDir) });
  await database.connect();
  const text = 'SELECT FROM review_notice WHERE organization_id = $1';
  await until(async () => (await database.query(text, [organizationId])).rowCount === 0);
  await database.end();
}

describe('a mentioned agent', () => {
  let smtp: TestSmtp;
  let channel: Json;
  beforeEach(async () => {
    smtp = await startSmtp();
    channel = await emailChannel(own, smtp.port);
  });
  afterEach(() => smtp.close());

  /** The next mail; what else would have been sent before it has been by then. */
  const nextTo = async (on: string): Promise<string[]> => {
    const { length } = smtp.mails;
    const last = await agent('Last');
    await comment(on, { mentioned_agent_ids: [last['agent_id']] });
    await until(() => smtp.mails.some(({ to }) => to.includes(last['email'])));
    return smtp.mails.slice(length).flatMap(({ to }) => to.filter((one) => one !== last['email']));
  };

  it('is told by e-mail who mentions them and where, without what is said', async () => {
    const on = await conversation();
    const body = unique('secret');
    const { comment_id } = await comment(on, { body, mentioned_agent_ids: [other['agent_id']] });
    const [mail] = await smtp.waitFor(1);
    expect(mail).toMatchObject({ from: channel['from_address'], to: [other['email']] });
    expect(mail!.parsed.subject).toBe('Ada Byron mentions you in a comment on a conversation');
    expect(mail!.parsed.text).toContain(`/organizations/${own.organizationId}/comments/${comment_id}`);
    expect(mail!.parsed.text).toContain(`/organizations/${own.organizationId}/${on}`);
    expect(mail!.parsed.headers.get('auto-submitted')).toBe('auto-generated');
    expect(mail!.raw).not.toContain(body);
  });

  it('is told once, also by a request that is repeated, and not of their own comment', async () => {
    const on = await contact();
    const again = own.api.with({ 'idempotency-key': unique('once') });
    const mentioned_agent_ids = [other['agent_id'], own.agentId];
    for (let nr = 0; nr < 2; nr++) await comment(on, { mentioned_agent_ids }, again);
    expect(await nextTo(on)).toEqual([other['email']]);
  });

  it('is told when an edit mentions them for the first time, and not again', async () => {
    const on = await contact();
    const { email, agent_id } = await agent('New');
    const { comment_id } = await comment(on, { mentioned_agent_ids: [other['agent_id']] });
    const mentioned_agent_ids = [other['agent_id'], agent_id];
    await ok(own.api.patch(`comments/${comment_id}`, { mentioned_agent_ids }));
    await ok(own.api.patch(`comments/${comment_id}`, { body: 'Once more', mentioned_agent_ids }));
    expect(await nextTo(on)).toEqual([other['email'], email]);
  });

  it('without an address is not told', async () => {
    const on = await contact();
    const { agent_id } = await ok(own.adminApi.post('agents', { name: 'Shy' }));
    await comment(on, { mentioned_agent_ids: [agent_id] });
    expect(await nextTo(on)).toEqual([]);
  });

  it('is not told by an organization without an e-mail channel, whose comments are made all the same', async () => {
    const on = await contact();
    await own.adminApi.delete('channels/email');
    const { comment_id } = await comment(on, { mentioned_agent_ids: [other['agent_id']] });
    await untilNoneIsLeft();
    expect(smtp.seen).toEqual([]);
    await ok(own.api.get(`comments/${comment_id}`));
  });

  it('whose address is refused keeps nobody else from being told, and never the comment', async () => {
    const on = await contact();
    const refused = await agent('Gone');
    smtp.respond.rcptTo = (address) => (address === refused['email'] ? { code: 550 } : undefined);
    const mentioned_agent_ids = [refused['agent_id'], other['agent_id']];
    const { comment_id } = await comment(on, { mentioned_agent_ids });
    expect(await nextTo(on)).toEqual([other['email']]);
    await ok(own.api.get(`comments/${comment_id}`));
  });

  it('reads no header that a name or a comment brings', async () => {
    const { agent_id } = await ok(
      own.adminApi.post('agents', { name: 'Eve\r\nBcc: all@acme.example\r\n\r\nHi' }),
    );
    const { api_key } = await ok(newKey(own.admin, own.organizationId, { agent_id }));
    const on = await contact();
    await comment(
      on,
      { body: 'x\r\nBcc: all@acme.example', mentioned_agent_ids: [other['agent_id']] },
      apiOf(own.organizationId, api_key),
    );
    const [mail] = await smtp.waitFor(1);
    expect(mail!.to).toEqual([other['email']]);
    expect(mail!.parsed.headers.has('bcc')).toBe(false);
    expect(mail!.parsed.subject).toMatch(/^Eve Bcc: all@acme\.example Hi mentions you/);
  });

  it('who answers the notice makes no message, nor does the notice that comes back', async () => {
    const on = await contact();
    await comment(on, { mentioned_agent_ids: [other['agent_id']] });
    const [mail] = await smtp.waitFor(1);
    const before = (await ok(own.api.get('conversations', { limit: 200 }))).data.length;
    const headers = [`In-Reply-To: ${mail!.messageId}`];
    const answer = await postMail(channel, rawMail({ from: other['email'], headers }));
    expect([answer.status, answer.body.status]).toEqual([202, 'notice_reply']);
    expect((await postMail(channel, Buffer.from(mail!.raw))).status).toBe(202);
    expect((await ok(own.api.get('conversations', { limit: 200 }))).data).toHaveLength(before);
  });
});

describe('a notice that cannot leave at once', () => {
  let dataDir: string;
  let server: Server;
  let smtp: TestSmtp;
  let workspace: Workspace;

  beforeAll(async () => {
    dataDir = readyDataDir();
    // It is tried again when the lease is over.
    server = await startServer({ dataDir, env: { DELIVERY_LEASE_MS: '5000', DELIVERY_TIMEOUT_MS: '4500' } });
    workspace = await newWorkspace({ url: server.url });
    smtp = await startSmtp();
    await emailChannel(workspace, smtp.port);
  });
  afterAll(async () => {
    await server.stop();
    await smtp.close();
    removeDataDir(dataDir);
  });

  it('is sent later, or dropped where its comment was deleted meanwhile', async () => {
    const { api, adminApi } = workspace;
    const { contact_id } = await ok(api.post('contacts', { name: 'Grace' }));
    const made: Json[] = [];
    smtp.respond.data = () => (smtp.seen.length <= 2 ? { code: 451 } : undefined);
    for (const name of ['One', 'Two']) {
      const { agent_id } = await ok(
        adminApi.post('agents', { name, email: `${unique('agent')}@acme.example` }),
      );
      made.push(await comment(`contacts/${contact_id}`, { mentioned_agent_ids: [agent_id] }, api));
    }
    await until(() => smtp.seen.length === 2);
    await ok(api.delete(`comments/${made[0]!.comment_id}`));
    await untilNoneIsLeft(workspace.organizationId, dataDir);
    expect(smtp.mails.map(({ parsed }) => parsed.text)).toEqual([
      expect.stringContaining(made[1]!.comment_id),
    ]);
    expect(await verify(dataDir)).not.toContain('DIFFERS');
  });
});
