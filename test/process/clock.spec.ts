import { join } from 'node:path';
import { emailChannel, type Json, newWorkspace, ok, type Workspace } from '../support/clients/client.js';
import { removeDataDir } from '../support/server/data-dir.js';
import { autosend, draftsOf, draftWith, promotedMessage, receivedMail } from '../support/data/mail.js';
import { firstMessage, openedBy } from '../support/data/message-drafts.js';
import { newWebhook, startReceiver, type TestReceiver } from '../support/stand-ins/receiver.js';
import { databaseUrl, type Server, startServer } from '../support/server/server.js';
import { startSmtp, type TestSmtp } from '../support/stand-ins/smtp.js';
import { until } from '../support/until.js';

const NODE_OPTIONS = `--import ${join(import.meta.dirname, '../support/server/wrong-clock.mjs')}`;

let server: Server;
let smtp: TestSmtp;
let receiver: TestReceiver;
let own: Workspace;
let first: Json;

beforeAll(async () => {
  smtp = await startSmtp();
  receiver = await startReceiver();
  server = await startServer({ env: { NODE_OPTIONS, LOG_LEVEL: 'warn' } });
  own = await newWorkspace({ url: server.url });
  await emailChannel(own, smtp.port);
  first = await receivedMail(own);
});

afterAll(async () => {
  await Promise.all([server.stop(), smtp.close(), receiver.close()]);
  removeDataDir(server.dataDir);
});

async function setClock(how: 'ahead' | 'right'): Promise<void> {
  const times = () => server.output().split(`clock set ${how}`).length;
  const before = times();
  process.kill(server.pid, 'SIGUSR2');
  await until(() => times() > before);
}

const contact = (): Promise<Json> => ok(own.api.post('contacts', { name: 'Grace' }));

it('a clock that was ahead for a while stops neither time nor what is due', async () => {
  smtp.respond.data = () => ({ code: 451 });
  receiver.respond = (_, response) => response.writeHead(400).end();
  await newWebhook(own.adminApi, { url: receiver.url, types: ['ContactCreated'] });
  await setClock('ahead');
  const draft = await ok(own.api.post(draftsOf(first), autosend()));
  const { created_at: wrong } = await contact();
  await draftWith(own, draft, 'retrying');
  await receiver.waitFor(1);
  await setClock('right');
  const { created_at: right } = await contact();
  expect(right < wrong).toBe(true);
  await until(() => server.output().includes('the clock was set back by'));

  smtp.respond.data = undefined;
  receiver.respond = undefined;
  await promotedMessage(own, draft);
  const tries = () => receiver.seen.filter(({ event }) => event.data.created_at === wrong);
  await until(() => tries().length > 1);
});

describe('with two workers whose clocks are 20 seconds apart', () => {
  const workers: Server[] = [];

  beforeAll(async () => {
    const DATABASE_URL = await databaseUrl(server.dataDir);
    for (const PARLEY_TEST_CLOCK_MS of ['10000', '-10000'])
      workers.push(
        await startServer({
          entry: 'worker',
          dataDir: server.dataDir,
          env: { DATABASE_URL, NODE_OPTIONS, PARLEY_TEST_CLOCK_MS },
        }),
      );
  });
  afterAll(() => Promise.all(workers.map((worker) => worker.stop())));

  it('what is to be sent later leaves no earlier than it is due by the clock of the database, and once', async () => {
    const seen = smtp.seen.length;
    const arrivals = new Map<string, number>();
    smtp.respond.data = ({ parsed }) => {
      arrivals.set(parsed.subject!, Date.now());
      return undefined;
    };
    const due = Date.now() + 4_000;
    const subjects = Array.from({ length: 20 }, (_, nr) => `later ${nr}.`);
    const drafts = await Promise.all(
      subjects.map((subject) =>
        ok(
          own.api.post(
            'message-drafts',
            firstMessage({
              subject,
              to_email: `later-${subject.slice(6, -1)}@navy.example`,
              send_at: new Date(due).toISOString(),
            }),
          ),
        ),
      ),
    );
    for (const draft of drafts) await openedBy(own, draft);
    smtp.respond.data = undefined;
    expect([...arrivals.keys()].sort()).toEqual([...subjects].sort());
    expect(smtp.seen).toHaveLength(seen + subjects.length);
    expect(Math.min(...arrivals.values())).toBeGreaterThanOrEqual(due);
  });
});
