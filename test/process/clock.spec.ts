import { join } from 'node:path';
import { emailChannel, type Json, newWorkspace, ok, type Workspace } from '../support/clients/client.js';
import { removeDataDir } from '../support/server/data-dir.js';
import { autosend, draftsOf, draftWith, promotedMessage, receivedMail } from '../support/data/mail.js';
import { newWebhook, startReceiver, type TestReceiver } from '../support/stand-ins/receiver.js';
import { type Server, startServer } from '../support/server/server.js';
import { startSmtp, type TestSmtp } from '../support/stand-ins/smtp.js';
import { until } from '../support/until.js';

let server: Server;
let smtp: TestSmtp;
let receiver: TestReceiver;
let own: Workspace;
let first: Json;

beforeAll(async () => {
  smtp = await startSmtp();
  receiver = await startReceiver();
  const NODE_OPTIONS = `--import ${join(import.meta.dirname, '../support/server/wrong-clock.mjs')}`;
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
