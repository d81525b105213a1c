import { request } from 'node:http';
import { cli } from '../support/server/cli.js';
import {
  type Answer,
  apiOf,
  emailChannel,
  type Json,
  newWorkspace,
  ok,
  type Workspace,
} from '../support/clients/client.js';
import { Cluster } from '../support/server/cluster.js';
import { firstMessage } from '../support/data/message-drafts.js';
import { type Server, startServer } from '../support/server/server.js';
import { startSmtp, type TestSmtp } from '../support/stand-ins/smtp.js';
import { until } from '../support/until.js';

const CLIENTS = 6;
const WORKER = 2;

let cluster: Cluster;
let smtp: TestSmtp;
let workspace: Workspace;

beforeAll(async () => {
  [cluster, smtp] = [new Cluster(), await startSmtp()];
  await cluster.start(['api', 'api', 'worker']);
  workspace = await newWorkspace({ url: cluster.processes[0]!.server.url });
  await emailChannel(workspace, smtp.port);
});

afterAll(async () => {
  await cluster.close();
  await smtp.close();
});

/** Through the balancer, below the organization. */
const send = (method: string, path: string, body?: unknown): Promise<Answer> =>
  cluster.balancer.send(method, workspace.api.path(path), { body, headers: workspace.api.headers });

describe('restarting two APIs and a worker one by one under load', () => {
  const failures: unknown[] = [];
  const contacts: Json[] = [];
  const drafts: Json[] = [];
  const ended: Server[] = [];

  beforeAll(async () => {
    let busy = true;
    const note = ({ status, body, text }: Answer, kept?: Json[]) => {
      if (status < 200 || status > 299) failures.push(`${status} ${text}`);
      else kept?.push(body);
    };
    const clients = Array.from({ length: CLIENTS }, async (_, nr) => {
      for (let round = 0; busy; round++)
        try {
          note(await send('POST', 'contacts', { name: `Contact ${nr}.${round}` }), contacts);
          note(await send('GET', 'contacts'));
          if (round % 5 === 0)
            note(await send('POST', 'message-drafts', firstMessage({ subject: `${nr}.${round}.` })), drafts);
        } catch (error) {
          failures.push(error);
        }
    });
    for (const nr of [0, 1, WORKER]) {
      const written = contacts.length;
      await until(() => contacts.length > written + 20);
      ended.push(await cluster.restart(nr));
    }
    const written = contacts.length;
    await until(() => contacts.length > written + 20);
    busy = false;
    await Promise.all(clients);
  });

  it('fails no request', () => expect(failures).toEqual([]));

  it('ends each process with 0, and without a word', () =>
    expect(ended.map((server) => [server.ended(), server.output()])).toEqual(ended.map(() => [0, ''])));

  it('loses no write that was acknowledged', async () => {
    expect(contacts.length).toBeGreaterThan(80);
    for (const contact of contacts)
      expect((await send('GET', `contacts/${contact.contact_id}`)).body).toEqual(contact);
  });

  it('sends every draft that was accepted, once', async () => {
    expect(drafts.length).toBeGreaterThan(0);
    for (const { draft_id } of drafts)
      await until(async () => (await send('GET', `message-drafts/${draft_id}`)).status === 404);
    expect(smtp.seen).toHaveLength(drafts.length);
  });

  it('leaves rows that are what the events say', async () => {
    const env = { DATABASE_URL: cluster.databaseUrl, PARLEY_DATA_DIR: cluster.dataDir };
    const { code, stdout, stderr } = await cli(['verify'], { env });
    expect([code, stdout + stderr]).toEqual([0, expect.not.stringContaining('DIFFERS')]);
  });
});

describe('a process that was told to end', () => {
  it('says at once that it is not ready, and goes on answering, each time on a last connection', async () => {
    // Time enough to ask it, though this process may be held up.
    const env = { DATABASE_URL: cluster.databaseUrl, DRAIN_MS: '6000' };
    const server = await startServer({ entry: 'api', dataDir: cluster.dataDir, env });
    expect((await fetch(`${server.url}/health/ready`)).status).toBe(200);
    const stopped = server.stop();
    await until(async () => (await fetch(`${server.url}/health/ready`)).status === 503);
    const answer = await headersOf(`${server.url}/health/live`);
    expect(answer).toMatchObject({ status: 200, connection: 'close' });
    const { organizationId, key } = workspace;
    const contact = await ok(apiOf(organizationId, key, server.url).post('contacts', { name: 'Late' }));
    expect(contact.name).toBe('Late');
    await stopped;
    expect(server.ended()).toBe(0);
  });
});

/** Not by fetch, which keeps the header to itself. */
function headersOf(url: string): Promise<{ status?: number; connection?: string }> {
  return new Promise((resolve, reject) =>
    request(url, (answer) => {
      answer.resume();
      resolve({ status: answer.statusCode, connection: answer.headers.connection });
    })
      .on('error', reject)
      .end(),
  );
}
