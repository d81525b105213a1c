import { type Json, ok } from '../support/clients/client.js';
import { draftsOf } from '../support/data/mail.js';
import { received } from '../support/data/records.js';
import { type SalesWorkspace, salesWorkspace } from '../support/data/sales.js';
import { type Random, randomFrom } from '../support/random.js';
import { cli } from '../support/server/cli.js';
import { newDataDir, removeDataDir } from '../support/server/data-dir.js';
import { type Server, startServer } from '../support/server/server.js';
import { verify } from '../support/server/verify.js';

// To repeat a run that failed: PARLEY_SEED=<seed in the failure>
const seed = Number(process.env['PARLEY_SEED'] ?? Math.floor(Math.random() * 2 ** 31));
const ROUNDS = 90;
const WRITERS = 4;

const LISTS: Record<string, string> = {
  contacts: 'contact_id',
  companies: 'company_id',
  tasks: 'task_id',
  sales: 'sale_id',
  conversations: 'conversation_id',
  'response-drafts': 'response_id',
};
const KINDS: Record<string, string> = {
  contact: 'contacts',
  company: 'companies',
  task: 'tasks',
  sale: 'sales',
  conversation: 'conversations',
  draft: 'response-drafts',
};
/** Events after which a record is in its list no more. */
const ENDS = [
  'ContactDeleted',
  'CompanyDeleted',
  'TaskDeleted',
  'SaleDeleted',
  'ConversationMerged',
  'DraftDeleted',
];

let dataDir: string;
let server: Server;
let own: SalesWorkspace;

beforeAll(async () => {
  dataDir = newDataDir();
  server = await startServer({ dataDir });
  own = await salesWorkspace({ url: server.url });
}, 60_000);

afterAll(async () => {
  await server.stop();
  removeDataDir(dataDir);
});

/** Records, changes, merges and deletes at random. Others do, too, so a record may be gone. */
async function write(random: Random, made: Record<string, string[]>): Promise<void> {
  const { api } = own;
  const one = <Item>(items: readonly Item[]): Item => items[random.integer(0, items.length - 1)]!;
  const some = (path: string) => (made[path]!.length === 0 ? 'none' : one(made[path]!));
  const add = async (path: string, body: Json) => {
    const answer = await api.post(path, body);
    if (answer.status === 201) made[path]!.push(answer.body[LISTS[path]!]);
  };
  const email = () => `p${random.integer(0, 12)}@step.example`;
  const external_id = () => `x${random.integer(0, 9)}`;
  const acts = [
    () =>
      add('contacts', {
        name: one(['Ada', 'Grace']),
        email: email(),
        company_id: random.chance(0.5) ? some('companies') : null,
      }),
    () => add('companies', { name: one(['Navy', 'Yard']) }),
    () => add('tasks', { title: 'Call', contact_id: some('contacts') }),
    () => add('tasks', { title: 'Write', sale_id: some('sales') }),
    () =>
      add('sales', {
        status_id: own.stages[0]!.status_id,
        company_id: some('companies'),
        associated_contacts: [{ contact_id: some('contacts') }],
        conversation_ids: random.chance(0.5) ? [some('conversations')] : [],
      }),
    async () => {
      const said = await received(api, {
        contact: { email: email() },
        content: 'Hello',
        modality: one(['email', 'text', 'live_chat']),
      });
      if (said.status === 201) made['conversations']!.push(said.body.conversation_id);
    },
    () =>
      received(api, { conversation_id: some('conversations'), message_direction: one(['sent', 'received']) }),
    () =>
      api.patch(
        `contacts/${some('contacts')}`,
        one([{ name: 'New' }, { email: email() }, { metadata: { a: '1' } }]),
      ),
    () => api.patch(`sales/${some('sales')}`, { status_id: one(own.stages)['status_id'] }),
    () => api.put(`contacts/by-external-id/${external_id()}`, { name: one(['Ada', 'Bea']) }),
    () => api.put(`companies/by-external-id/${external_id()}`, { name: one(['Navy', 'Dock']) }),
    () => api.post(`contacts/${some('contacts')}/merge`, { from_contact_id: some('contacts') }),
    () => api.post(`companies/${some('companies')}/merge`, { from_company_id: some('companies') }),
    () =>
      api.post(`conversations/${some('conversations')}/merge`, {
        from_conversation_id: some('conversations'),
      }),
    () =>
      api.delete(
        `${one(['contacts', 'companies', 'tasks', 'sales'])}/${some(one(['contacts', 'companies', 'tasks', 'sales']))}`,
      ),
    async () => {
      const answer = await api.post('tags', { name: `Tag ${random.integer(0, 9)}` });
      if (answer.status === 201) made['tags']!.push(answer.body.tag_id);
    },
    () => api.patch(`tags/${some('tags')}`, { name: `Tag ${random.integer(0, 9)}` }),
    () => api.patch(`tags/${some('tags')}`, { colour: one(['#000000', '#ffffff', null]) }),
    async () => random.chance(0.3) && api.delete(`tags/${some('tags')}`),
    ...['contacts', 'companies', 'sales', 'conversations'].flatMap((path) => [
      () => api.post(`${path}/${some(path)}/tags`, { add: [some('tags')] }),
      () => api.post(`${path}/${some(path)}/tags`, { add: [some('tags')], remove: [some('tags')] }),
    ]),
    () => api.delete(`tasks/${some('tasks')}`),
    () => api.delete(`sales/${some('sales')}`),
    () => api.delete(`companies/${some('companies')}`),
    async () => {
      const conversation_id = some('conversations');
      const answer = await api.post(draftsOf({ conversation_id }), {
        body_html: one(['Yes', 'No']),
        add_notification: false,
      });
      if (answer.status === 201)
        made['response-drafts']!.push(`${draftsOf({ conversation_id })}/${answer.body.response_id}`);
    },
    () => api.delete(some('response-drafts')),
  ];
  const answer = await one<() => Promise<unknown>>(acts)();
  const { status = 200, text = '' } = (answer ?? {}) as { status?: number; text?: string };
  if (status >= 500) throw new Error(text);
}

async function pages(path: string, query: Json, take: (rows: Json[]) => void): Promise<void> {
  for (let cursor: string | undefined; ;) {
    const { data, pagination } = await ok(own.api.get(path, { limit: 20, cursor, ...query }));
    take(data);
    if (!pagination.has_more) return;
    cursor = pagination.next_cursor;
  }
}

it(`keeps a client in step over random changes, mergers and deletions, and its read models as the events say (seed ${seed})`, async () => {
  const made: Record<string, string[]> = Object.fromEntries(
    [...Object.keys(LISTS), 'tags'].map((path) => [path, []]),
  );
  const copy: Record<string, Map<string, Json>> = Object.fromEntries(
    Object.keys(LISTS).map((path) => [path, new Map()]),
  );
  const last: Record<string, string> = {};
  let after: string | undefined;
  /** What has changed since the last time, then what has ended since; both begin where they stopped. */
  const follow = async () => {
    for (const [path, id] of Object.entries(LISTS))
      await pages(path, { updated_since: last[path] ?? '2000-01-01T00:00:00Z' }, (rows) => {
        for (const row of rows) {
          copy[path]!.set(row[id], row);
          last[path] = row['updated_at'];
        }
      });
    for (;;) {
      const feed = await ok(own.api.get('events', { after, limit: 200 }));
      for (const { type, stream, data } of feed.data) {
        const ended =
          ENDS.includes(type) ||
          (/^(Contact|Company)Merged$/.test(type) && JSON.stringify(data).includes('"into_'));
        if (ended) copy[KINDS[stream.type]!]!.delete(stream.id);
      }
      after = feed.next_after;
      if (!feed.has_more) break;
    }
  };
  let writing = true;
  const following = (async () => {
    while (writing) await follow();
  })();
  await Promise.all(
    Array.from({ length: WRITERS }, async (_, nr) => {
      const random = randomFrom(seed + nr);
      for (let round = 0; round < ROUNDS; round++) await write(random, made);
    }),
  );
  writing = false;
  await following;
  await follow();
  for (const [path, id] of Object.entries(LISTS)) {
    const whole = new Map<string, Json>();
    await pages(path, {}, (rows) => {
      for (const row of rows) whole.set(row[id], row);
    });
    expect([path, copy[path]]).toEqual([path, whole]);
  }
  expect(await verify(dataDir)).not.toContain('differ');
  const rebuilt = await cli(['rebuild', 'all'], { env: { PARLEY_DATA_DIR: dataDir } });
  expect([rebuilt.code, rebuilt.stderr]).toEqual([0, expect.anything()]);
  expect(await verify(dataDir)).not.toContain('differ');
}, 300_000);
