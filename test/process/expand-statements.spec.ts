import { setTimeout as sleep } from 'node:timers/promises';
import { Client as Database } from 'pg';
import { type EmbeddedPostgres, startEmbeddedPostgres } from '#embedded-postgres/postgres.js';
import { Client, type Json, newWorkspace, ok } from '../support/clients/client.js';
import { expectProblem } from '../support/clients/expectations.js';
import { received } from '../support/data/records.js';
import { LOGGING_PLANS, PlanLog } from '../support/database/plans.js';
import { newDataDir, removeDataDir } from '../support/server/data-dir.js';
import { type Server, startServer } from '../support/server/server.js';

const COUNT = 50;
/** A statement is logged a moment after its answer. */
const SETTLED_MS = 150;

let dataDir: string;
let postgres: EmbeddedPostgres;
let server: Server;
let api: Client;
let ids: { contact_id: string; conversation_id: string; agent_id: string; sale_id: string; task_id: string };

beforeAll(async () => {
  dataDir = newDataDir();
  postgres = await startEmbeddedPostgres({ dataDir, settings: { ...LOGGING_PLANS, fsync: 'off' } });
  const env = { DATABASE_URL: postgres.url, PARLEY_DATA_DIR: dataDir, LOG_LEVEL: 'fatal' };
  const first = await startServer({ dataDir, env });
  const workspace = await newWorkspace({ url: first.url });
  await furnish(workspace);
  await first.stop();
  // Another process, which has no agent in memory yet.
  server = await startServer({ dataDir, env });
  api = new Client(server.url, workspace.api.base, workspace.api.headers);
  await ok(api.get('sale-statuses'));
});

afterAll(async () => {
  await server?.stop();
  await postgres?.stop();
  removeDataDir(dataDir);
});

/** So many records of each kind, each with others of its own. */
async function furnish({ api, adminApi }: Awaited<ReturnType<typeof newWorkspace>>): Promise<void> {
  const [{ status_id }] = (await ok(api.get('sale-statuses'))).data;
  const made = await Promise.all(
    Array.from({ length: COUNT }, async (_, nr) => {
      const { agent_id } = await ok(adminApi.post('agents', { name: `Agent ${nr}` }));
      const { company_id } = await ok(api.post('companies', { name: `Company ${nr}`, agent_id }));
      const { contact_id } = await ok(api.post('contacts', { name: `Contact ${nr}`, company_id }));
      const { conversation_id } = await ok(received(api, { contact: { contact_id } }));
      const { sale_id } = await ok(
        api.post('sales', {
          status_id,
          company_id,
          owner_id: agent_id,
          associated_contacts: [{ contact_id }],
        }),
      );
      const { task_id } = await ok(api.post('tasks', { title: `Task ${nr}`, agent_id, sale_id }));
      return { agent_id, contact_id, conversation_id, sale_id, task_id };
    }),
  );
  ids = made[0]!;
  const { agent_id, contact_id, conversation_id } = ids;
  for (const one of made.slice(1)) {
    await ok(api.patch(`conversations/${one.conversation_id}`, { agent_id }));
    await ok(api.patch(`sales/${one.sale_id}`, { owner_id: agent_id }));
    await ok(received(api, { conversation_id, agent_id: one.agent_id, message_direction: 'sent' }));
    await ok(received(api, { contact: { contact_id }, conversation_id }));
  }
}

/** How many statements of the organization a read costs, and its answer. */
async function costOf(path: string, expand?: string): Promise<{ cost: number; answer: Json }> {
  await sleep(SETTLED_MS);
  const log = new PlanLog(dataDir);
  const answer = await ok(api.get(path, { limit: path.includes('_') ? undefined : COUNT, expand }));
  await sleep(SETTLED_MS);
  const own = log.plans().filter(({ text }) => /organization_id = \$1/.test(text));
  return { cost: own.length, answer };
}

describe('two expansions cost two statements more at most,', () => {
  it.each<[string, (known: typeof ids) => string, string, number]>([
    ['of 50 companies whose agents are not in memory', () => 'companies', 'agent', 1],
    ['of 50 conversations', () => 'conversations', 'contact,last_message', 2],
    ['of 50 conversations whose agents are in memory', () => 'conversations', 'agent,last_message', 1],
    ['of 50 messages', ({ conversation_id }) => `conversations/${conversation_id}/messages`, 'agent', 0],
    ['of 50 contacts', () => 'contacts', 'company', 1],
    ['of 50 sales', () => 'sales', 'company,contacts', 2],
    ['of the sales of an agent', ({ agent_id }) => `agents/${agent_id}/sales`, 'company,contacts', 2],
    ['of 50 tasks', () => 'tasks', 'sale,company', 1],
    [
      'of one conversation',
      ({ conversation_id }) => `conversations/${conversation_id}`,
      'contact,last_message',
      2,
    ],
    ['of one sale', ({ sale_id }) => `sales/${sale_id}`, 'company,contacts', 2],
    ['of one task', ({ task_id }) => `tasks/${task_id}`, 'agent,sale', 1],
  ])('%s', async (_, path, expand, more) => {
    const bare = await costOf(path(ids));
    const shown = await costOf(path(ids), expand);
    expect(shown.cost - bare.cost).toBe(more);
    for (const record of shown.answer.data ?? [shown.answer])
      expect(Object.keys(record)).toEqual(expect.arrayContaining(expand.split(',')));
    if (shown.answer.data) expect(shown.answer.data.length).toBeGreaterThanOrEqual(COUNT - 1);
  });
});

it('what cannot be read is a problem and not half an answer', async () => {
  const database = new Database({ connectionString: postgres.url });
  await database.connect();
  await database.query('ALTER TABLE company RENAME TO company_away');
  const answer = await api.get('contacts', { expand: 'company' });
  await database.query('ALTER TABLE company_away RENAME TO company');
  await database.end();
  expectProblem(answer, 500, 'internal_error');
  expect((await ok(api.get('contacts', { expand: 'company' }))).data[0].company).not.toBeNull();
});
