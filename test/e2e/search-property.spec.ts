import { type Json, newWorkspace, ok, type Workspace } from '../support/clients/client.js';
import { draftsOf } from '../support/data/mail.js';
import { received } from '../support/data/records.js';
import { type Random, randomFrom } from '../support/random.js';
import { newDataDir, removeDataDir } from '../support/server/data-dir.js';
import { type Server, startServer } from '../support/server/server.js';
import { verify } from '../support/server/verify.js';
import { until } from '../support/until.js';

// To repeat a run that failed: PARLEY_SEED=<seed in the failure>
const seed = Number(process.env['PARLEY_SEED'] ?? Math.floor(Math.random() * 2 ** 31));
const random: Random = randomFrom(seed);
const ROUNDS = 150;
const QUERIES = 150;

const WORDS = ['Émile', 'emile', 'blue', 'BLUE', 'chair', 'chairs', 'table', 'Straße', 'strasse', 'order'];
const HOSTS = ['navy.example', 'yard-works.example', 'navy-yard.test'];
const one = <Item>(items: readonly Item[]): Item => items[random.integer(0, items.length - 1)]!;
const words = (): string =>
  Array.from({ length: random.integer(1, 4) }, () => one(WORDS)).join(one([' ', ', ', ' - ']));
const email = (): string => `${one(['grace', 'ada.lovelace', 'x-7'])}${random.integer(0, 9)}@${one(HOSTS)}`;

let dataDir: string;
let server: Server;
let own: Workspace;

beforeAll(async () => {
  dataDir = newDataDir();
  server = await startServer({ dataDir });
  own = await newWorkspace({ url: server.url });
}, 60_000);

afterAll(async () => {
  await server.stop();
  removeDataDir(dataDir);
});

/** Records, edits and deletes at random. */
async function change(
  made: Record<'contacts' | 'companies' | 'tasks' | 'drafts' | 'conversations', string[]>,
): Promise<void> {
  const { api } = own;
  const known = <Kind extends keyof typeof made>(kind: Kind): string | undefined =>
    made[kind].length === 0 ? undefined : one(made[kind]);
  const act = random.integer(0, 9);
  const contact = known('contacts');
  const [company, task, draft, conversation] = (
    ['companies', 'tasks', 'drafts', 'conversations'] as const
  ).map(known);
  if (act === 0 || !contact)
    made.contacts.push((await ok(api.post('contacts', { name: words(), email: email() }))).contact_id);
  else if (act === 1)
    await ok(api.patch(`contacts/${contact}`, one([{ name: words() }, { email: email() }])));
  else if (act === 2)
    made.companies.push((await ok(api.post('companies', { name: words(), domain: one(HOSTS) }))).company_id);
  else if (act === 3 && company) await ok(api.patch(`companies/${company}`, { name: words() }));
  else if (act === 4)
    made.tasks.push((await ok(api.post('tasks', { title: words(), notes: words() }))).task_id);
  else if (act === 5 && task) await ok(api.patch(`tasks/${task}`, { notes: words() }));
  else if (act === 6) {
    const fields = { contact: { contact_id: contact }, subject: one([words(), null]), content: words() };
    made.conversations.push((await ok(received(api, fields))).conversation_id);
  } else if (act === 7 && conversation)
    await ok(received(api, { conversation_id: conversation, subject: words(), content: words() }));
  else if (act === 8 && conversation) {
    const body = { body_html: words(), add_notification: false };
    const { response_id } = await ok(api.post(draftsOf({ conversation_id: conversation }), body));
    made.drafts.push(`${draftsOf({ conversation_id: conversation })}/${response_id}`);
  } else if (draft && (await api.delete(draft)).status === 204)
    made.drafts = made.drafts.filter((path) => path !== draft);
}

interface Found {
  id: string;
  texts: string[];
  addresses: string[];
}

async function all(path: string): Promise<Json[]> {
  const records: Json[] = [];
  for (let cursor: string | undefined; ;) {
    const { data, pagination } = await ok(own.api.get(path, { limit: 200, cursor }));
    records.push(...data);
    if (!pagination.has_more) return records;
    cursor = pagination.next_cursor;
  }
}

/** What the API's answers hold to search in. */
async function everything(): Promise<Found[]> {
  const conversations = await all('conversations');
  const messages = await Promise.all(
    conversations.map(({ conversation_id }) => all(`conversations/${conversation_id}/messages`)),
  );
  return [
    ...(await all('contacts')).map((record) => ({
      id: record.contact_id,
      texts: [record.name],
      addresses: [record.email],
    })),
    ...(await all('companies')).map((record) => ({
      id: record.company_id,
      texts: [record.name],
      addresses: [record.domain],
    })),
    ...(await all('tasks')).map((record) => ({
      id: record.task_id,
      texts: [record.title, record.notes],
      addresses: [],
    })),
    ...(await all('response-drafts')).map((record) => ({
      id: record.response_id,
      texts: [record.body_html, record.recipient_name],
      addresses: record.recipient_emails,
    })),
    ...conversations.map((record) => ({
      id: record.conversation_id,
      texts: [record.subject],
      addresses: [],
    })),
    ...messages.flat().map((record) => ({
      id: record.message_id,
      texts: [record.subject, record.content, record.from.name],
      addresses: [record.from.email],
    })),
  ].map(({ texts, addresses, ...rest }) => ({
    ...rest,
    texts: [...texts, ...addresses].filter(Boolean).map(plain),
    addresses: addresses.filter(Boolean).map(plain),
  }));
}

const plain = (text: string): string =>
  text.toLowerCase().replaceAll('ß', 'ss').normalize('NFD').replace(/\p{M}/gu, '');

const inOrder = (text: string, wanted: string[], isPrefix: boolean): boolean => {
  const there = text.split(/[^a-z0-9]+/).filter(Boolean);
  return there.some((_, first) =>
    wanted.every((word, nr) =>
      isPrefix && nr === wanted.length - 1 ? there[first + nr]?.startsWith(word) : there[first + nr] === word,
    ),
  );
};

/** Whether the record holds a term; a part of an address of at least three characters is one, too, without a dot around it. */
function holds({ texts, addresses }: Found, term: string): boolean {
  const isPrefix = term.endsWith('*');
  const text = plain(term.replace(/["*]/g, ''));
  const wanted = text.split(/[^a-z0-9]+/).filter(Boolean);
  const part = text.replace(/\s/g, '').replace(/^\.|\.$/g, '');
  return (
    texts.some((one) => inOrder(one, wanted, isPrefix)) ||
    (part.length >= 3 && addresses.some((address) => address.includes(part)))
  );
}

function randomQuery(): { q: string; matches: (record: Found) => boolean } {
  const term = (): string =>
    one([
      () => one(WORDS),
      () => `"${one(WORDS)} ${one(WORDS)}"`,
      () => `${one(WORDS).slice(0, random.integer(2, 4))}*`,
      () => email().slice(random.integer(0, 4), random.integer(9, 14)).replace(/^-/, ''),
      () => one(HOSTS),
    ])();
  const alternatives = Array.from({ length: random.integer(1, 2) }, () => ({
    has: Array.from({ length: random.integer(1, 2) }, term),
    hasNot: random.chance(0.3) ? [term()] : [],
  }));
  const q = alternatives
    .map(({ has, hasNot }) => [...has, ...hasNot.map((not) => `-${not}`)].join(' '))
    .join(' or ');
  return {
    q,
    matches: (record) =>
      alternatives.some(
        ({ has, hasNot }) =>
          has.every((one) => holds(record, one)) && !hasNot.some((one) => holds(record, one)),
      ),
  };
}

it('answers what a search through all of the API answers finds, and a rebuild gives the same rows', async () => {
  const made = { contacts: [], companies: [], tasks: [], drafts: [], conversations: [] };
  for (let round = 0; round < ROUNDS; round++) await change(made);
  const { contact_id } = await ok(own.api.post('contacts', { name: 'lastone' }));
  await until(async () => (await ok(own.api.get('search', { q: 'lastone' }))).data[0]?.id === contact_id);
  const records = await everything();
  const compare = async (nr: number) => {
    for (let done = 0; done < nr; done++) {
      const { q, matches } = randomQuery();
      const { data, pagination } = await ok(own.api.get('search', { q, limit: 200 }));
      const found = data.map(({ id }: Json) => id).sort();
      const expected = records
        .filter(matches)
        .map(({ id }) => id)
        .sort();
      expect([seed, q, pagination.has_more, found]).toEqual([
        seed,
        q,
        expected.length > 200,
        expected.slice(0, 200),
      ]);
    }
  };
  await compare(QUERIES);
  expect(await verify(dataDir)).toContain('search');
  const { admin } = own;
  await ok(admin.post('projections/search/rebuild'));
  await until(async () => {
    const { data } = await ok(admin.get('projections'));
    return data.find(({ name }: Json) => name === 'search').status === 'live';
  });
  await compare(QUERIES);
  await verify(dataDir);
}, 180_000);
