import { Client, type Json, newWorkspace, ok, type Workspace } from '../support/clients/client.js';
import { received } from '../support/data/records.js';
import { type Random, randomFrom } from '../support/random.js';
import { readyDataDir, removeDataDir } from '../support/server/data-dir.js';
import { type Server, startServer } from '../support/server/server.js';
import { verify } from '../support/server/verify.js';
import { inDatabase } from '../support/database/database.js';
import { until } from '../support/until.js';

// To repeat a run that failed: PARLEY_SEED=<seed in the failure>
const seed = Number(process.env['PARLEY_SEED'] ?? Math.floor(Math.random() * 2 ** 31));
const WRITERS = 8;
const ROUNDS = 40;
/** More than are told in two transactions. */
const MANY = 2_300;

let dataDir: string;
let server: Server;
let own: Workspace;

beforeAll(async () => {
  dataDir = readyDataDir();
  server = await startServer({ dataDir });
  own = await newWorkspace({ url: server.url });
});

afterAll(async () => {
  await server.stop();
  removeDataDir(dataDir);
});

const numbers = (count: number): number[] => Array.from({ length: count }, (_, nr) => nr);
const newTag = (name: string): Promise<Json> => ok(own.api.post('tags', { name }));

it(`loses nothing while many tag, merge, rename and delete at once (seed ${seed})`, async () => {
  const { api } = own;
  const contacts = await Promise.all(numbers(12).map(() => ok(api.post('contacts', { name: 'Ada' }))));
  const said = await Promise.all(
    numbers(6).map((nr) => ok(received(api, { contact: { name: `Guest ${nr}` } }))),
  );
  const records = [
    ...contacts.map(({ contact_id }) => `contacts/${contact_id}`),
    ...said.map(({ conversation_id }) => `conversations/${conversation_id}`),
  ];
  const stay = await Promise.all(numbers(WRITERS).map((nr) => newTag(`Stays ${nr}`)));
  let shortLived = await Promise.all(numbers(4).map((nr) => newTag(`Goes ${nr}`)));
  let last = 0;
  const attempt = async (asked: Promise<{ status: number; text: string }>): Promise<number> => {
    const { status, text } = await asked;
    if (status >= 500) throw new Error(text);
    return status;
  };
  const one = <Item>(random: Random, items: readonly Item[]): Item =>
    items[random.integer(0, items.length - 1)]!;
  /** Each writer gives its own tag to every record, between what everybody does at random. */
  const writer = async (nr: number) => {
    const random = randomFrom(seed + nr);
    const { tag_id: mine } = stay[nr]!;
    for (const path of random.sample(records, records.length)) {
      await attempt(api.post(`${path}/tags`, { add: [mine, one(random, shortLived)['tag_id']] }));
      await attempt(api.post(`${path}/tags`, { remove: [one(random, shortLived)['tag_id']] }));
      expect([200, 404]).toContain(await attempt(api.post(`${path}/tags`, { add: [mine] })));
    }
  };
  const others = async () => {
    const random = randomFrom(seed - 1);
    for (let round = 0; round < ROUNDS; round++) {
      const { tag_id } = one(random, [...stay, ...shortLived]);
      await attempt(api.patch(`tags/${tag_id}`, { name: `Renamed ${++last}` }));
      const gone = shortLived[0]!;
      shortLived = [...shortLived.slice(1), await newTag(`Goes ${++last} again`)];
      await attempt(api.delete(`tags/${gone['tag_id']}`));
      const [into, from] = random.sample(contacts, 2) as [Json, Json];
      if (round % 10 === 5)
        await attempt(
          api.post(`contacts/${into['contact_id']}/merge`, { from_contact_id: from['contact_id'] }),
        );
    }
  };
  await Promise.all([...numbers(WRITERS).map(writer), others()]);
  const known = new Map<string, Json>();
  for (const { created_at: _, ...tag } of (await ok(api.get('tags', { limit: 200 }))).data)
    known.set(tag.tag_id, tag);
  const left = (await Promise.all(records.map((path) => api.get(path)))).filter(
    ({ status }) => status === 200,
  );
  expect(left.length).toBeGreaterThan(records.length / 2);
  for (const { body } of left) {
    const ids = body.tags.map(({ tag_id }: Json) => tag_id);
    expect(ids).toEqual(expect.arrayContaining(stay.map(({ tag_id }) => tag_id)));
    expect(body.tags).toEqual(ids.map((id: string) => known.get(id)));
  }
  // No row has a tag that is no more, nor knows one by another name.
  for (const table of ['contact', 'conversation']) expect(await staleIn(table)).toEqual([]);
  expect(await verify(dataDir)).not.toContain('DIFFERS');
});

const staleIn = (table: string): Promise<Json[]> =>
  inDatabase(async (database) => {
    const { rows } = await database.query<Json>(
      `SELECT kept FROM ${table}, jsonb_array_elements(tags) kept
        WHERE NOT EXISTS (SELECT FROM tag WHERE tag.organization_id = ${table}.organization_id
                                            AND tag_id = kept ->> 'tag_id' AND name = kept ->> 'name')`,
    );
    return rows;
  }, dataDir);

describe('a tag of thousands of records', () => {
  let tag: Json;
  let ids: string[];
  const path = 'contacts';

  const count = async (api: Client, query: Json, matches: (record: Json) => boolean): Promise<number> => {
    let found = 0;
    for (let cursor: string | undefined, more = true; more;) {
      const { data, pagination } = await ok(api.get(path, { limit: 200, cursor, ...query }));
      found += data.filter(matches).length;
      cursor = pagination.next_cursor ?? undefined;
      more = pagination.has_more;
    }
    return found;
  };

  beforeAll(async () => {
    tag = await newTag('Common');
    ids = [];
    for (let made = 0; made < MANY; made += 100) {
      const items = numbers(100).map((nr) => ({ name: `Many ${made + nr}` }));
      const { results } = await ok(own.api.post(`${path}/batch`, { items }));
      const these: string[] = results.map(({ record }: Json) => record.contact_id);
      await Promise.all(these.map((id) => ok(own.api.post(`${path}/${id}/tags`, { add: [tag['tag_id']] }))));
      ids.push(...these);
    }
  });

  it('is renamed on all of them at once, and each has changed within moments, also when the process is killed', async () => {
    const { updated_at: since } = await ok(own.api.get(`${path}/${ids.at(-1)}`));
    const isRenamed = ({ tags }: Json) => tags.some(({ name }: Json) => name === 'Everywhere');
    await ok(own.api.patch(`tags/${tag['tag_id']}`, { name: 'Everywhere' }));
    expect(await unfinished()).toBe(1);
    const untold = await ok(own.api.get(`${path}/${ids.at(-1)}`));
    expect([isRenamed(untold), untold.updated_at]).toEqual([true, since]);
    await server.kill();
    server = await startServer({ dataDir });
    own = { ...own, api: at(own.api) };
    expect(await count(own.api, { tag_id: tag['tag_id'] }, isRenamed)).toBe(MANY);
    const changed = () =>
      count(own.api, { updated_since: since }, (one) => isRenamed(one) && one['updated_at'] > since);
    await until(async () => (await changed()) === MANY);
    await until(async () => (await unfinished()) === 0);
    const { data } = await ok(own.api.get('events', { types: 'ContactTagsChanged', record_id: ids.at(-1) }));
    expect(data.at(-1).actor).toEqual({ type: 'agent', id: own.agentId });
    expect(await verify(dataDir)).not.toContain('DIFFERS');
  });

  it('is gone from all of them at once when it is deleted, and nothing of it is left', async () => {
    await ok(own.api.delete(`tags/${tag['tag_id']}`));
    expect(await count(own.api, { tag_id: tag['tag_id'] }, () => true)).toBe(0);
    expect(
      await count(own.api, {}, ({ tags }) => tags.some(({ tag_id }: Json) => tag_id === tag['tag_id'])),
    ).toBe(0);
    await until(async () => (await unfinished()) === 0);
    expect(await staleIn('contact')).toEqual([]);
    expect(await verify(dataDir)).not.toContain('DIFFERS');
  });

  const at = ({ base, headers }: Client): Client => new Client(server.url, base, headers);
  const unfinished = (): Promise<number> =>
    inDatabase(async (database) => {
      const { rows } = await database.query<{ count: number }>(
        'SELECT count(*)::int AS count FROM tag_spread',
      );
      return rows[0]!.count;
    }, dataDir);
});
