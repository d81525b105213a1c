import {
  type Answer,
  apiOf,
  emailChannel,
  type Json,
  newWorkspace,
  ok,
  type Workspace,
} from '../support/clients/client.js';
import { firstMessage } from '../support/data/message-drafts.js';
import {
  type Primary,
  replicateSynchronously,
  type Standby,
  startPrimary,
  startStandby,
} from '../support/database/standby.js';
import { cli } from '../support/server/cli.js';
import { type Server, startServer } from '../support/server/server.js';
import { startSmtp, type TestSmtp } from '../support/stand-ins/smtp.js';
import { until } from '../support/until.js';

const CLIENTS = 6;
const SOME = 40;

describe('a primary that is killed under load, and a standby that takes its place', () => {
  let primary: Primary;
  let standby: Standby;
  let smtp: TestSmtp;
  let env: Record<string, string>;
  const servers: Server[] = [];
  let workspace: Workspace;

  const contacts: Json[] = [];
  const drafts: Json[] = [];
  const followed: Json[] = [];
  const refusals: Answer[] = [];

  /** The organization's API on one of the two processes. */
  const api = (nr: number) => apiOf(workspace.organizationId, workspace.key, servers[nr % 2]!.url);

  beforeAll(async () => {
    primary = await startPrimary();
    standby = await startStandby(primary);
    await replicateSynchronously(primary);
    smtp = await startSmtp();
    const url = new URL(primary.url);
    env = {
      DATABASE_URL: primary.url.replace(url.host, `${url.host},${standby.host}`),
      PARLEY_SECRET_KEY: 'ab'.repeat(32),
      // What is not known to be sent is not sent again: so no mail may come twice.
      DELIVERY_ON_UNCERTAIN_EMAIL: 'hold',
      LOG_LEVEL: 'fatal',
    };
    for (const entry of ['api', 'api', 'worker'] as const)
      servers.push(await startServer({ entry, dataDir: primary.dataDir, env }));
    workspace = await newWorkspace({ url: servers[0]!.url });
    await emailChannel(workspace, smtp.port);
    await failOver();
  }, 300_000);

  afterAll(async () => {
    await Promise.all(servers.map((server) => server.stop()));
    await smtp.close();
    await standby.close();
    await primary.close();
  });

  async function failOver(): Promise<void> {
    let busy = true;
    const write = async (nr: number) => {
      for (let round = 0; busy; round++) {
        await noted(api(nr).post('contacts', { name: `Contact ${nr}.${round}` }), contacts);
        if (round % 3 === 0) {
          const draft = firstMessage({
            subject: `${nr}.${round}.`,
            to_email: `c${nr}.${round}@navy.example`,
          });
          await noted(api(nr).post('message-drafts', draft), drafts);
        }
      }
    };
    const follow = async () => {
      for (let turn = 0; busy; turn++) await page(api(turn), followed);
    };
    const work = [follow(), ...Array.from({ length: CLIENTS }, (_, nr) => write(nr))];
    const more = async () => {
      const written = contacts.length;
      await until(() => contacts.length > written + SOME);
    };
    await more();
    await primary.kill();
    await until(() => refusals.length > SOME);
    const promoting = performance.now();
    await standby.promote();
    const written = contacts.length;
    await until(() => contacts.length > written);
    const wait = ((performance.now() - promoting) / 1_000).toFixed(1);
    process.stdout.write(
      `\nThe first write was answered ${wait} s after the standby was told to take over.\n`,
    );
    await more();
    busy = false;
    await Promise.all(work);
  }

  async function noted(asked: Promise<Answer>, kept: Json[]): Promise<void> {
    const answer = await asked;
    if (answer.status === 201) kept.push(answer.body);
    else refusals.push(answer);
  }

  /** Reads the next page of the feed after what is there; tells whether there was anything. */
  async function page({ get }: ReturnType<typeof api>, events: Json[]): Promise<boolean> {
    const after = events.at(-1)?.position;
    const answer = await get('events', { limit: 50, ...(after !== undefined && { after }) });
    if (answer.status !== 200) return refusals.push(answer) > 0;
    events.push(...answer.body.data);
    return answer.body.data.length > 0;
  }

  it('is told to clients as 503 with Retry-After, and as nothing else', () => {
    expect(new Set(refusals.map(({ status }) => status))).toEqual(new Set([503]));
    expect(refusals.filter(({ headers }) => headers.get('retry-after') === null)).toEqual([]);
  });

  it('loses nothing that was acknowledged', async () => {
    for (const contact of contacts)
      expect(await ok(api(0).get(`contacts/${contact.contact_id}`))).toEqual(contact);
  });

  it('leaves every draft sent once, or held where nobody can know', async () => {
    const held: string[] = [];
    for (const { draft_id } of drafts)
      await until(async () => {
        const { body } = await api(1).get(`message-drafts/${draft_id}`);
        if (body.delivery?.status === 'uncertain') held.push(draft_id);
        return body.code === 'draft_promoted' || body.delivery?.status === 'uncertain';
      });
    const sent = smtp.seen.map(({ messageId }) => messageId);
    expect(new Set(sent).size).toBe(sent.length);
    process.stdout.write(`\nOf ${drafts.length} drafts ${held.length} are held.\n`);
  });

  it('leaves no gap for a client that follows the feed, and tells nothing twice', async () => {
    while (await page(api(0), followed));
    const whole: Json[] = [];
    while (await page(api(1), whole));
    expect(followed.map(({ event_id }) => event_id)).toEqual(whole.map(({ event_id }) => event_id));
    const created = new Set(
      whole.filter(({ type }) => type === 'ContactCreated').map(({ stream }) => stream.id),
    );
    expect(contacts.filter(({ contact_id }) => !created.has(contact_id))).toEqual([]);
  });

  it('leaves rows that are exactly what the events say', async () => {
    const { code, stdout, stderr } = await cli(['verify'], {
      env: { ...env, PARLEY_DATA_DIR: primary.dataDir },
    });
    expect([code, stdout, stderr]).toEqual([0, expect.not.stringContaining('DIFFERS'), '']);
  });

  it('is not taken for the database by a process that starts when it is back', async () => {
    await primary.restart();
    const server = await startServer({ entry: 'api', dataDir: primary.dataDir, env });
    const { organizationId, key } = workspace;
    const last = contacts.at(-1)!;
    expect(await ok(apiOf(organizationId, key, server.url).get(`contacts/${last.contact_id}`))).toEqual(last);
    await server.stop();
  });
});
