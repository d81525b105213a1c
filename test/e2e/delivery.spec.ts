import { createPostgresBackend, Queue, setDefaultBackendFactory } from 'bullmq';
import { Client as Database } from 'pg';
import { emailChannel, type Json, newWorkspace, ok, type Workspace } from '../support/clients/client.js';
import { Cluster } from '../support/server/cluster.js';
import { expectProblem, INSTANT } from '../support/clients/expectations.js';
import { autosend, bounceOf, draftsOf, draftWith, messagesOf, postMail } from '../support/data/mail.js';
import { promotedMessage, receivedMail } from '../support/data/mail.js';
import { firstMessage, messageDraftWith, openedBy } from '../support/data/message-drafts.js';
import { removeDataDir } from '../support/server/data-dir.js';
import { databaseUrl, freePort, type Server, startServer } from '../support/server/server.js';
import { type ReceivedMail, type Refusal, startSmtp, type TestSmtp } from '../support/stand-ins/smtp.js';
import { until } from '../support/until.js';
import { verify } from '../support/server/verify.js';

let smtp: TestSmtp;
let workspace: Workspace;

beforeEach(async () => {
  smtp = await startSmtp();
  workspace = await newWorkspace();
  await emailChannel(workspace, smtp.port);
});

afterEach(() => smtp.close());

const pathOf = (draft: Json): string => `${draftsOf(draft)}/${draft.response_id}`;

/** Answers a new conversation; gives the draft. */
const reply = async (of = workspace, fields: object = {}): Promise<Json> =>
  ok(of.api.post(draftsOf(await receivedMail(of)), autosend(fields)));

const shown = (draft: Json, of = workspace): Promise<Json> => ok(of.api.get(pathOf(draft)));

const sentIn = async (draft: Json, of = workspace): Promise<Json[]> =>
  (await messagesOf(of, draft)).filter(({ message_direction }) => message_direction === 'sent');

/** Refuses with these, one after the other, then accepts. */
function refuseFirst(...refusals: Refusal[]): () => Refusal | undefined {
  const left = [...refusals];
  return () => left.shift();
}

describe('a temporary failure', () => {
  it('after DATA is tried again under the same Message-ID until it is sent, once', async () => {
    smtp.respond.data = refuseFirst({ code: 451 }, { code: 421 }, { code: 452 });
    const draft = await reply();
    const message = await promotedMessage(workspace, draft);
    expect(smtp.mails).toHaveLength(1);
    expect(smtp.seen).toHaveLength(4);
    expect(new Set(smtp.seen.map(({ messageId }) => messageId))).toEqual(
      new Set([`<${message.email_metadata.email_message_id}>`]),
    );
    expect(await sentIn(draft)).toEqual([message]);
  });

  it.each<[string, 'connect' | 'mailFrom' | 'rcptTo']>([
    ['at the greeting', 'connect'],
    ['of the sender', 'mailFrom'],
    ['of the recipient', 'rcptTo'],
  ])('%s is tried again until it is sent', async (_, step) => {
    smtp.respond[step] = refuseFirst({ code: 450 });
    await promotedMessage(workspace, await reply());
    expect(smtp.seen).toHaveLength(1);
  });

  it('of the login is tried again, with the credentials of the channel', async () => {
    const logins: string[] = [];
    smtp.respond.auth = (user, password) => {
      logins.push(`${user}:${password}`);
      return logins.length === 1 ? { code: 454 } : undefined;
    };
    await emailChannel(workspace, smtp.port, { username: 'acme', password: 'pä55 word' });
    await promotedMessage(workspace, await reply());
    expect(logins).toEqual(['acme:pä55 word', 'acme:pä55 word']);
  });

  it('shows in the draft, with the next attempt', async () => {
    smtp.respond.data = () => ({ code: 451, text: 'greylisted, come back later' });
    const { delivery, scheduled_send_at } = await draftWith(workspace, await reply(), 'retrying');
    expect(delivery).toMatchObject({
      status: 'retrying',
      last_error: expect.stringContaining('greylisted'),
      next_attempt_at: expect.stringMatching(INSTANT),
    });
    expect(delivery.attempts).toBeGreaterThanOrEqual(1);
    expect(scheduled_send_at).toMatch(INSTANT);
  });

  it('is a refused connection, too; the draft leaves when the server is back', async () => {
    await emailChannel(workspace, await freePort());
    const draft = await reply();
    const { delivery } = await draftWith(workspace, draft, 'retrying');
    expect(delivery.last_error).toMatch(/ECONNREFUSED|refused/i);
    await emailChannel(workspace, smtp.port);
    await promotedMessage(workspace, draft);
    expect(smtp.mails).toHaveLength(1);
  });

  it('is a connection that breaks off before the mail was handed over', async () => {
    smtp.respond.rcptTo = refuseFirst('drop');
    const draft = await reply();
    await promotedMessage(workspace, draft);
    expect(smtp.seen).toHaveLength(1);
  });
});

describe('a permanent failure', () => {
  it.each<[string, object]>([
    ['after DATA', { data: () => ({ code: 554, text: 'not wanted' }) }],
    ['of the recipient', { rcptTo: () => ({ code: 550, text: 'not wanted' }) }],
    ['of the sender', { mailFrom: () => ({ code: 553, text: 'not wanted' }) }],
    ['at the greeting', { connect: () => ({ code: 554, text: 'not wanted' }) }],
  ])('%s ends at once: the draft is saved again, with the reason', async (_, refusal) => {
    Object.assign(smtp.respond, refusal);
    const draft = await reply();
    const failed = await draftWith(workspace, draft, 'failed');
    expect(failed.delivery).toEqual({
      status: 'failed',
      attempts: 1,
      last_error: expect.stringContaining('not wanted'),
      next_attempt_at: null,
    });
    expect(failed.scheduled_send_at).toBeNull();
    expect((await ok(workspace.api.get(draftsOf(draft)))).data).toEqual([failed]);
    expect(await sentIn(draft)).toEqual([]);
  });

  it('of the login ends at once', async () => {
    smtp.respond.auth = () => ({ code: 535 });
    await emailChannel(workspace, smtp.port, { username: 'acme', password: 'wrong' });
    expect((await draftWith(workspace, await reply(), 'failed')).delivery.attempts).toBe(1);
  });

  it.each([
    ['the recipient', { to_email: 'grüße@navy.example' }],
    ['one in blind copy', { bcc_emails: ['grüße@navy.example'] }],
  ])(
    'is an address of %s beyond ASCII where the server does not take those (RFC 6531)',
    async (_, fields) => {
      const plain = await startSmtp({ hideSMTPUTF8: true });
      await emailChannel(workspace, plain.port);
      const draft = await ok(workspace.api.post('message-drafts', firstMessage(fields)));
      const { delivery } = await messageDraftWith(workspace, draft, 'failed');
      expect(delivery).toMatchObject({ attempts: 1, last_error: expect.stringContaining('SMTPUTF8') });
      expect(plain.seen).toEqual([]);
      await plain.close();
    },
  );

  it('is a channel that was removed', async () => {
    await emailChannel(workspace, await freePort());
    const draft = await reply();
    await draftWith(workspace, draft, 'retrying');
    await workspace.adminApi.delete('channels/email');
    await draftWith(workspace, draft, 'failed');
    expectProblem(await workspace.api.post(`${pathOf(draft)}/send`), 400, 'channel_not_configured');
  });

  it('leaves a draft that can be deleted', async () => {
    smtp.respond.data = () => ({ code: 554 });
    const draft = await reply();
    await draftWith(workspace, draft, 'failed');
    expect((await workspace.api.delete(pathOf(draft))).status).toBe(204);
  });

  it('leaves a draft that is sent again by hand, under the same Message-ID', async () => {
    smtp.respond.data = refuseFirst({ code: 554 });
    const draft = await reply();
    await draftWith(workspace, draft, 'failed');
    expect((await workspace.api.post(`${pathOf(draft)}/send`)).body).toMatchObject({
      scheduled_to_send: true,
    });
    const { email_metadata } = await promotedMessage(workspace, draft);
    expect(smtp.seen.map(({ messageId }) => messageId)).toEqual(
      Array(2).fill(`<${email_metadata.email_message_id}>`),
    );
  });
});

describe('a connection that breaks off after the mail was handed over', () => {
  it('has the mail sent again under the same Message-ID, and makes one message', async () => {
    smtp.respond.data = refuseFirst('drop', 'drop');
    const draft = await reply();
    const message = await promotedMessage(workspace, draft);
    expect(smtp.seen.map(({ messageId }) => messageId)).toEqual(
      Array(3).fill(`<${message.email_metadata.email_message_id}>`),
    );
    expect(await sentIn(draft)).toEqual([message]);
  });

  it('has it sent under the same Message-ID, too, when a client that lost its answer asks again', async () => {
    smtp.respond.data = () => 'drop';
    const draft = await reply();
    await draftWith(workspace, draft, 'retrying');
    // 400 while it is being sent.
    await until(async () => (await workspace.api.post(draftsOf(draft), autosend())).status === 200);
    smtp.respond.data = undefined;
    const { email_metadata } = await promotedMessage(workspace, draft);
    expect(new Set(smtp.seen.map(({ messageId }) => messageId))).toEqual(
      new Set([`<${email_metadata.email_message_id}>`]),
    );
  });
});

describe('deleting a draft that is to be tried again', () => {
  it('answers 204, and it never leaves', async () => {
    smtp.respond.data = () => ({ code: 451 });
    const draft = await reply();
    await until(async () => {
      await draftWith(workspace, draft, 'retrying');
      return (await workspace.api.delete(pathOf(draft))).status === 204;
    });
    smtp.respond.data = undefined;
    expectProblem(await workspace.api.get(pathOf(draft)), 404, 'response_draft_not_found');
    const tries = smtp.seen.length;
    // Others are delivered meanwhile, one of them after a retry of its own.
    for (const response of [undefined, refuseFirst({ code: 451 })]) {
      smtp.respond.data = response;
      await promotedMessage(workspace, await reply());
    }
    const left = new Set(smtp.seen.slice(0, tries).map(({ messageId }) => messageId));
    expect(smtp.seen.slice(tries).filter(({ messageId }) => left.has(messageId))).toEqual([]);
    expect(await sentIn(draft)).toEqual([]);
  });
});

/** The same workspace, on another process. */
const on = ({ url }: Server, { api, adminApi, ...rest }: Workspace): Workspace => ({
  ...rest,
  api: Object.assign(api.with({}), { url }),
  adminApi: Object.assign(adminApi.with({}), { url }),
});

const workspaceOn = async ({ url }: Server): Promise<Workspace> => {
  const own = await newWorkspace({ url });
  await emailChannel(own, smtp.port);
  return own;
};

describe('a process that ends', () => {
  const env = { DELIVERY_RETRY_BASE_MS: '200' };
  let server: Server;

  beforeAll(async () => {
    server = await startServer({ env });
  });

  afterAll(async () => {
    await server.stop();
    removeDataDir(server.dataDir);
  });

  const restart = async (): Promise<void> => {
    server = await startServer({ env, dataDir: server.dataDir });
  };

  it('leaves what it had in hand and in the queue to the next, even when it is killed', async () => {
    smtp.respond.data = refuseFirst('hang');
    const sending = await workspaceOn(server);
    const inHand = await reply(sending);
    await until(() => smtp.seen.length === 1);
    expect((await shown(inHand, sending)).delivery.status).toBe('sending');
    const waiting = await newWorkspace({ url: server.url });
    await emailChannel(waiting, await freePort());
    const queued = await Promise.all(Array.from({ length: 10 }, () => reply(waiting)));
    await server.kill();

    await restart();
    await emailChannel(on(server, waiting), smtp.port);
    const message = await promotedMessage(on(server, sending), inHand);
    const under = `<${message.email_metadata.email_message_id}>`;
    expect(smtp.seen.filter(({ messageId }) => messageId === under)).toHaveLength(2);
    expect(await sentIn(inHand, on(server, sending))).toEqual([message]);
    for (const draft of queued) await promotedMessage(on(server, waiting), draft);
    expect(smtp.mails).toHaveLength(11);
    expect(new Set(smtp.mails.map(({ messageId }) => messageId)).size).toBe(11);
    expect(await verify(server.dataDir)).not.toContain('DIFFERS');
  });

  it('finishes what it is sending when it is told to end, and leaves the rest to the next', async () => {
    const own = await workspaceOn(server);
    const drafts = await Promise.all(Array.from({ length: 10 }, () => reply(own)));
    await server.stop();
    expect(server.ended()).toBe(0);

    await restart();
    for (const draft of drafts) await promotedMessage(on(server, own), draft);
    expect(smtp.seen).toHaveLength(10);
  });
});

describe('a queue that takes wake-ups and gives none out', () => {
  let server: Server;
  let queue: Queue;
  beforeEach(async () => {
    server = await startServer({ env: { REDIS_URL: undefined } });
    setDefaultBackendFactory(createPostgresBackend);
    const connectionString = await databaseUrl(server.dataDir);
    const connection = { connectionString, schema: 'bullmq' };
    // Its tables are made by the first process on a new database.
    await until(async () => {
      queue = new Queue('delivery', { connection });
      const isPaused = await queue.pause().then(
        () => true,
        () => false,
      );
      if (!isPaused) await queue.close();
      return isPaused;
    });
  });
  afterEach(async () => {
    await queue.close();
    await server.stop();
    removeDataDir(server.dataDir);
  });

  it('delays what is to be tried again by seconds', async () => {
    const own = await workspaceOn(server);
    smtp.respond.data = refuseFirst({ code: 451 });
    await promotedMessage(own, await reply(own));
    expect(smtp.mails).toHaveLength(1);
  });
});

/** Pushes a report that this mail did not arrive. */
async function bounce({ adminApi }: Workspace, { messageId, to }: ReceivedMail): Promise<void> {
  const channel = await ok(adminApi.get('channels/email'));
  const report = bounceOf(messageId!, to[0]!);
  expect((await postMail(channel, report, adminApi.url)).status).toBe(202);
}

describe('with DELIVERY_ON_UNCERTAIN_EMAIL=hold', () => {
  const env = { DELIVERY_ON_UNCERTAIN_EMAIL: 'hold', DELIVERY_MAX_ATTEMPTS: '3' };
  let server: Server;
  let own: Workspace;

  beforeAll(async () => {
    server = await startServer({ env });
  });

  beforeEach(async () => {
    own = await workspaceOn(server);
  });

  afterAll(async () => {
    await server.stop();
    removeDataDir(server.dataDir);
  });

  it('a mail of unknown outcome waits for a person, who may send it again under the same Message-ID', async () => {
    smtp.respond.data = refuseFirst('drop');
    const draft = await reply(own);
    const { delivery, scheduled_send_at } = await draftWith(own, draft, 'uncertain');
    expect(delivery).toMatchObject({ attempts: 1, last_error: expect.any(String), next_attempt_at: null });
    expect(scheduled_send_at).toBeNull();
    expect(smtp.seen).toHaveLength(1);
    await ok(own.api.post(`${pathOf(draft)}/send`));
    const { email_metadata } = await promotedMessage(own, draft);
    expect(smtp.seen.map(({ messageId }) => messageId)).toEqual(
      Array(2).fill(`<${email_metadata.email_message_id}>`),
    );
  });

  it('a known failure is tried again all the same, up to DELIVERY_MAX_ATTEMPTS, and then kept', async () => {
    smtp.respond.data = () => ({ code: 451, text: 'still greylisted' });
    const { delivery, scheduled_send_at } = await draftWith(own, await reply(own), 'failed');
    expect(delivery).toEqual({
      status: 'failed',
      attempts: 3,
      last_error: expect.stringContaining('still greylisted'),
      next_attempt_at: null,
    });
    expect(scheduled_send_at).toBeNull();
    expect(smtp.seen).toHaveLength(3);
  });

  it('a mail that a killed process was sending waits, too', async () => {
    smtp.respond.data = refuseFirst('hang');
    const draft = await reply(own);
    await until(() => smtp.seen.length === 1);
    await server.kill();
    server = await startServer({ env, dataDir: server.dataDir });
    await draftWith(on(server, own), draft, 'uncertain');
    expect(smtp.seen).toHaveLength(1);
  });

  it('a mail of unknown outcome that bounces has failed, for the reason of the report', async () => {
    smtp.respond.data = refuseFirst('drop');
    const draft = await reply(own);
    await draftWith(own, draft, 'uncertain');
    await bounce(own, smtp.seen[0]!);
    const { delivery } = await shown(draft, own);
    expect(delivery).toMatchObject({ status: 'failed', last_error: expect.stringContaining('no such user') });
  });

  it('so has one that bounces before its outcome is lost, and no report about others hides that', async () => {
    smtp.respond.data = async (mail): Promise<Refusal> => {
      await bounce(own, { ...mail, to: ['mallory@evil.example'] });
      await bounce(own, mail);
      return 'drop';
    };
    const { delivery } = await draftWith(own, await reply(own), 'failed');
    expect(delivery.last_error).toContain('no such user');
    expect(delivery.last_error).not.toContain('mallory');
  });

  it('an old bounce says nothing of a mail that a person has sent again', async () => {
    smtp.respond.data = refuseFirst('drop');
    const draft = await reply(own);
    await draftWith(own, draft, 'uncertain');
    await bounce(own, smtp.seen[0]!);
    // The person knows better, and says so.
    for (const { suppression_id } of (await ok(own.api.get('suppressions'))).data)
      await own.api.delete(`suppressions/${suppression_id}`);
    await ok(own.api.post(`${pathOf(draft)}/send`));
    await promotedMessage(own, draft);
    const { data } = await ok(own.admin.get('deliveries?status=failed'));
    expect(data.filter(({ draft_id }: Json) => draft_id === draft.response_id)).toEqual([]);
  });
});

it('a mail has the name of its recipient on one line', async () => {
  const draft = firstMessage({ to_user_name: 'Grace\r\nBcc: eve@evil.example' });
  await openedBy(workspace, await ok(workspace.api.post('message-drafts', draft)));
  expect(smtp.mails[0]!.parsed.to).toMatchObject({ value: [{ name: 'Grace Bcc: eve@evil.example' }] });
});

describe('two processes that deliver', () => {
  const cluster = new Cluster();

  beforeAll(() => cluster.start(['api', 'worker', 'worker']));

  afterAll(() => cluster.close());

  it('do not take over from each other what is under way when one loses its connections', async () => {
    const own = await newWorkspace({ url: cluster.processes[0]!.server.url });
    await emailChannel(own, smtp.port);
    smtp.respond.data = () => ({ acceptAfter: 4_000 });
    const draft = await reply(own);
    await until(() => smtp.seen.length === 1);
    const database = new Database({ connectionString: cluster.databaseUrl });
    await database.connect();
    // Those by which the processes give their signs of life.
    const lost = await database.query(
      `SELECT pg_terminate_backend(pid) FROM pg_locks JOIN pg_database d ON d.oid = database
        WHERE datname = current_database() AND locktype = 'advisory' AND objsubid = 2`,
    );
    await database.end();
    expect(lost.rowCount).toBeGreaterThan(0);
    await promotedMessage(own, draft);
    expect(smtp.seen).toHaveLength(1);
  });
});

describe('a worker that ends with a mail in hand, alone', () => {
  const cluster = new Cluster({ DELIVERY_ON_UNCERTAIN_EMAIL: 'hold' });

  beforeAll(() => cluster.start(['api', 'worker']));

  afterAll(() => cluster.close());

  it('leaves one that has failed if it bounces before the next worker comes', async () => {
    const own = await newWorkspace({ url: cluster.processes[0]!.server.url });
    await emailChannel(own, smtp.port);
    smtp.respond.data = refuseFirst('hang');
    const draft = await reply(own);
    await until(() => smtp.seen.length === 1);
    await cluster.processes[1]!.server.kill();
    await bounce(own, smtp.seen[0]!);
    expect((await shown(draft, own)).delivery.status).toBe('sending');
    await cluster.restart(1);
    const { delivery } = await draftWith(own, draft, 'failed');
    expect(delivery.last_error).toContain('no such user');
  });
});
