import { type Json, ok, type Query } from '../support/clients/client.js';
import { eachPage } from '../support/data/copies.js';
import { RandomWriter } from '../support/data/random-writer.js';
import { type SalesWorkspace, salesWorkspace } from '../support/data/sales.js';
import { type Random, randomFrom } from '../support/random.js';
import { readyDataDir, removeDataDir } from '../support/server/data-dir.js';
import { type Server, startServer } from '../support/server/server.js';
import { verify } from '../support/server/verify.js';
import { until } from '../support/until.js';

// To repeat a run that failed: PARLEY_SEED=<seed in the failure>
const seed = Number(process.env['PARLEY_SEED'] ?? Math.floor(Math.random() * 2 ** 31));
const random: Random = randomFrom(seed);
const ROUNDS = 240;
const QUERIES = 100;

const WORDS = ['Émile', 'emile', 'blue', 'BLUE', 'chair', 'chairs', 'table', 'Straße', 'strasse', 'order'];
const HOSTS = ['navy.example', 'yard-works.example', 'navy-yard.test'];
const one = <Item>(items: readonly Item[]): Item => items[random.integer(0, items.length - 1)]!;
const words = (): string =>
  Array.from({ length: random.integer(1, 4) }, () => one(WORDS)).join(one([' ', ', ', ' - ']));
const email = (): string => `${one(['grace', 'ada.lovelace', 'x-7'])}${random.integer(0, 9)}@${one(HOSTS)}`;

let dataDir: string;
let server: Server;
let own: SalesWorkspace;

beforeAll(async () => {
  dataDir = readyDataDir();
  server = await startServer({ dataDir });
  own = await salesWorkspace({ url: server.url });
});

afterAll(async () => {
  await server.stop();
  removeDataDir(dataDir);
});

interface Found {
  id: string;
  texts: string[];
  addresses: string[];
  /** Whom it is about. */
  contacts: (string | null)[];
}

async function all(path: string, query: Query = {}): Promise<Json[]> {
  const records: Json[] = [];
  await eachPage(own.api, path, { limit: 200, ...query }, (rows) => records.push(...rows));
  return records;
}

/** What the API's answers hold to search in. */
async function everything(): Promise<Found[]> {
  const conversations = await all('conversations');
  const messages = await Promise.all(
    conversations.map(({ conversation_id }) => all(`conversations/${conversation_id}/messages`)),
  );
  const [contacts, companies, sales] = [await all('contacts'), await all('companies'), await all('sales')];
  const commented = [
    ...conversations.map(({ conversation_id }) => `conversations/${conversation_id}`),
    ...contacts.map(({ contact_id }) => `contacts/${contact_id}`),
    ...companies.map(({ company_id }) => `companies/${company_id}`),
    ...sales.map(({ sale_id }) => `sales/${sale_id}`),
  ];
  const comments = await Promise.all(commented.map((path) => all(`${path}/comments`)));
  const contactOf = new Map(conversations.map((one) => [one.conversation_id, one.contact_id]));
  return [
    ...comments.flat().map(({ comment_id, body, record }) => ({
      id: comment_id,
      texts: [body],
      addresses: [],
      contacts: record.type === 'contact' ? [record.id] : [],
    })),
    ...contacts.map((record) => ({
      id: record.contact_id,
      texts: [record.name, record.company_role],
      addresses: [record.email],
      contacts: [record.contact_id],
    })),
    ...companies.map((record) => ({
      id: record.company_id,
      texts: [record.name],
      addresses: [record.domain],
      contacts: [],
    })),
    ...(await all('tasks')).map((record) => ({
      id: record.task_id,
      texts: [record.title, record.notes],
      addresses: [],
      contacts: [record.contact_id],
    })),
    ...sales.map((record) => ({
      id: record.sale_id,
      texts: [record.name, ...productsOf(record)],
      addresses: [],
      contacts: record.associated_contacts.map(({ contact_id }: Json) => contact_id),
    })),
    ...[...(await all('response-drafts')), ...(await all('message-drafts'))].map((record) => ({
      id: record.response_id ?? record.draft_id,
      texts: [record.subject, record.body_html, record.recipient_name],
      addresses: record.recipient_emails,
      contacts: [],
    })),
    ...conversations.map((record) => ({
      id: record.conversation_id,
      texts: [record.subject],
      addresses: [],
      contacts: [record.contact_id],
    })),
    ...messages.flat().map((record) => ({
      id: record.message_id,
      texts: [record.subject, record.content, record.from.name],
      addresses: [record.from.email],
      contacts: [contactOf.get(record.conversation_id), record.from.contact_id],
    })),
  ].map(({ texts, addresses, ...rest }) => ({
    ...rest,
    texts: [...texts, ...addresses].filter(Boolean).map(plain),
    addresses: addresses.filter(Boolean).map(plain),
  }));
}

const productsOf = ({ quote_details }: Json): string[] =>
  (quote_details?.arguments.products ?? []).map(({ product_name }: Json) => product_name);

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
  const domain = () => one(HOSTS);
  const writer = new RandomWriter(own, RandomWriter.nothingMade(), random, { text: words, email, domain });
  for (let round = 0; round < ROUNDS; round++) await writer.write();
  const { contact_id } = await ok(own.api.post('contacts', { name: 'lastone' }));
  await until(async () => (await ok(own.api.get('search', { q: 'lastone' }))).data[0]?.id === contact_id);
  const records = await everything();
  const people = (await all('contacts')).map((record): string => record.contact_id);
  const compare = async (nr: number) => {
    for (let done = 0; done < nr; done++) {
      const { q, matches } = randomQuery();
      const about = random.chance(0.3) ? one(people) : undefined;
      const found = (await all('search', { q, contact_id: about })).map(({ id }) => id);
      const expected = records
        .filter((record) => matches(record) && (about === undefined || record.contacts.includes(about)))
        .map(({ id }) => id);
      expect([seed, q, about, found.sort()]).toEqual([seed, q, about, expected.sort()]);
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
});
