import { auditOf } from '../support/clients/audit.js';
import { apiOf, type Json, newKey, newWorkspace, ok } from '../support/clients/client.js';
import { expectProblem, INSTANT } from '../support/clients/expectations.js';
import { readFeed } from '../support/clients/feed.js';
import { received } from '../support/data/records.js';
import { type SalesWorkspace, salesWorkspace } from '../support/data/sales.js';
import { until } from '../support/until.js';

let own: SalesWorkspace;
let last = 0;

beforeAll(async () => {
  own = await salesWorkspace();
});

const newTag = (body: Json = {}): Promise<Json> =>
  ok(own.api.post('tags', { name: `Tag ${++last}`, ...body }));
const nowhere = 'tag_01hzy3v7q4e8k9m2n5p6r7s8t9';
const shown = ({ tag_id, name, colour }: Json) => ({ tag_id, name, colour });

const contact = (body: Json = {}): Promise<Json> =>
  ok(own.api.post('contacts', { name: `Contact ${++last}`, ...body }));
const conversation = async (body: Json = {}): Promise<Json> => {
  const { conversation_id } = await ok(received(own.api, { contact: { name: `Guest ${++last}` }, ...body }));
  return ok(own.api.get(`conversations/${conversation_id}`));
};
const company = (): Promise<Json> => ok(own.api.post('companies', { name: `Company ${++last}` }));

/** Each kind of record that has tags: its path, its id's name, one of it, and its event. */
const KINDS: [path: string, id: string, make: () => Promise<Json>, event: string][] = [
  ['contacts', 'contact_id', contact, 'ContactTagsChanged'],
  ['companies', 'company_id', company, 'CompanyTagsChanged'],
  ['conversations', 'conversation_id', conversation, 'ConversationTagsChanged'],
  ['sales', 'sale_id', () => own.open(), 'SaleTagsChanged'],
];

const change = (path: string, body: Json) => own.api.post(`${path}/tags`, body);
const tagged = async (path: string, ...tags: Json[]): Promise<Json> =>
  ok(change(path, { add: tags.map(({ tag_id }) => tag_id) }));
const listed = async (path: string, query: Json): Promise<Json[]> =>
  (await ok(own.api.get(path, query))).data;
const eventsOf = async (id: string): Promise<Json[]> =>
  (await readFeed(own.api, { record_id: id, limit: 200 })).data;

describe('a tag', () => {
  it('has a name and a colour, and is shown as it was made', async () => {
    const answer = await own.api.post('tags', { name: 'Key account', colour: '#1E90ff' });
    expect(answer.status).toBe(201);
    expect(answer.body).toEqual({
      tag_id: expect.stringMatching(/^tag_[0-9a-z]{26}$/),
      name: 'Key account',
      colour: '#1E90ff',
      created_at: expect.stringMatching(INSTANT),
    });
    expect(await ok(own.api.get(`tags/${answer.body.tag_id}`))).toEqual(answer.body);
    expect((await newTag()).colour).toBeNull();
  });

  it.each([
    ['without a name', {}, 'name'],
    ['with a blank name', { name: '  ' }, 'name'],
    ['with null as its name', { name: null }, 'name'],
    ['with a name of more than 1,000 characters', { name: 'x'.repeat(1_001) }, 'name'],
    ['with a word as its colour', { name: 'x', colour: 'red' }, 'colour'],
    ['with too short a colour', { name: 'x', colour: '#12345' }, 'colour'],
    ['with a colour that is no number', { name: 'x', colour: '#12345g' }, 'colour'],
    ['with an unknown field', { name: 'x', color: '#123456' }, 'color'],
  ])('%s is refused', async (_, body, field) =>
    expectProblem(await own.api.post('tags', body), 400, 'validation_failed', field),
  );

  it('shares its name with no other, whatever the case', async () => {
    const { tag_id } = await newTag({ name: 'Größe' });
    expectProblem(await own.api.post('tags', { name: 'GRÖSSE' }), 409, 'tag_exists');
    const other = await newTag();
    expectProblem(await own.api.patch(`tags/${other.tag_id}`, { name: 'größe' }), 409, 'tag_exists');
    expect((await own.api.patch(`tags/${tag_id}`, { name: 'GRÖSSE' })).status).toBe(200);
    await ok(own.api.delete(`tags/${tag_id}`));
    expect((await own.api.post('tags', { name: 'größe' })).status).toBe(201);
  });

  it.each([
    ['Länge', 'LA\u0308NGE'],
    ['Ｋｅｙ', 'key'],
    ['Hid\u200bden', 'hidden'],
    ['Hy\u00adphen\ufeff', 'Hyphen'],
    ['Blan\u3164k\u2800', 'blank'],
  ])('shares its name %j with none that looks the same, such as %j', async (one, other) => {
    const { tag_id } = await ok(own.api.post('tags', { name: one }));
    const taken = await own.api.post('tags', { name: other });
    expectProblem(taken, 409, 'tag_exists');
    const third = await newTag();
    expectProblem(await own.api.patch(`tags/${third.tag_id}`, { name: other }), 409, 'tag_exists');
    expect(await ok(own.api.patch(`tags/${tag_id}`, { name: other }))).toMatchObject({ name: other });
  });

  it('is another one where emoji are joined', async () => {
    for (const name of ['👨\u200d👩\u200d👧', '👨👩👧', '👍🏽', '👍']) await ok(own.api.post('tags', { name }));
  });

  it.each([
    'a\nb',
    'a\rb',
    'a\u2028b',
    'a\u0085b',
    'a\tb',
    'a\u001bb',
    'a\u009fb',
    ...Array.from('\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069', (turn) => `a${turn}b`),
    ' ',
    '\u200b',
    '\u200d\ufe0f',
    '\u3164 \u2800',
    '\u00ad\u{e0067}',
  ])('is refused with a name that cannot be seen or told on one line: %j', async (name) => {
    expectProblem(await own.api.post('tags', { name }), 400, 'validation_failed', 'name');
    const { tag_id } = await newTag();
    expectProblem(await own.api.patch(`tags/${tag_id}`, { name }), 400, 'validation_failed', 'name');
  });

  it('of two who make the same one at once, one has made it', async () => {
    const answers = await Promise.all(
      Array.from({ length: 10 }, (_, nr) => own.api.post('tags', { name: nr % 2 ? 'Twice' : 'TWICE' })),
    );
    expect(answers.map(({ status }) => status).sort()).toEqual([201, ...Array<number>(9).fill(409)]);
  });

  it('changes by what is named; the same again changes nothing', async () => {
    const tag = await newTag({ colour: '#ff0000' });
    const renamed = await own.api.patch(`tags/${tag.tag_id}`, { name: 'Renamed' });
    expect(renamed.body).toEqual({ ...tag, name: 'Renamed' });
    const again = await own.api.patch(`tags/${tag.tag_id}`, { name: 'Renamed', colour: '#ff0000' });
    expect(again.headers.get('etag')).toBe(renamed.headers.get('etag'));
    const plain = await ok(own.api.patch(`tags/${tag.tag_id}`, { colour: null }));
    expect(plain).toEqual({ ...tag, name: 'Renamed', colour: null });
    const stale = own.api.with({ 'if-match': renamed.headers.get('etag')! });
    expectProblem(await stale.patch(`tags/${tag.tag_id}`, { name: 'x' }), 412, 'version_mismatch');
    const types = (await eventsOf(tag.tag_id)).map(({ type }) => type);
    expect(types).toEqual(['TagCreated', 'TagChanged', 'TagChanged']);
  });

  it('that does not exist is 404', async () => {
    for (const id of [nowhere, 'x'])
      for (const answer of [
        await own.api.get(`tags/${id}`),
        await own.api.patch(`tags/${id}`, { name: 'x' }),
        await own.api.delete(`tags/${id}`),
      ])
        expectProblem(answer, 404, 'tag_not_found');
  });

  it('leaves audit records of its own, for those who ask for them', async () => {
    const { tag_id } = await newTag({ name: 'Audited' });
    await ok(own.api.patch(`tags/${tag_id}`, { colour: '#00ff00' }));
    await ok(own.api.delete(`tags/${tag_id}`));
    const records = await listed('audit-logs', { record_type: 'tag', record_id: tag_id });
    expect(records.map(({ action_type }) => action_type)).toEqual(['delete', 'update', 'insert']);
    expect(records[1]!['changes']).toEqual([{ field: 'colour', from: null, to: '#00ff00' }]);
    expect(await listed('audit-logs', { record_id: tag_id })).toEqual([]);
    expect(await listed('audit-logs', { record_id: tag_id, record_type: 'all' })).toHaveLength(3);
  });
});

it('tags are listed by name, page by page', async () => {
  const { api } = await newWorkspace();
  const names = ['zebra', 'Äpfel', 'beta', 'Alpha', 'Gamma'];
  for (const name of names) await ok(api.post('tags', { name }));
  const pages: string[][] = [];
  for (let cursor: string | undefined, more = true; more;) {
    const { data, pagination } = await ok(api.get('tags', { limit: 2, cursor }));
    pages.push(data.map(({ name }: Json) => name));
    cursor = pagination.next_cursor ?? undefined;
    more = pagination.has_more;
  }
  expect(pages).toEqual([['Alpha', 'Äpfel'], ['beta', 'Gamma'], ['zebra']]);
});

it('an organization has at most 1,000 tags, also when they are made at once', async () => {
  const { api } = await newWorkspace();
  const make = (nr: number) => api.post('tags', { name: `Tag ${nr}` });
  for (let begun = 0; begun < 990; begun += 30)
    await Promise.all(Array.from({ length: 30 }, (_, nr) => make(begun + nr).then(ok)));
  const answers = await Promise.all(Array.from({ length: 20 }, (_, nr) => make(2_000 + nr)));
  expect(answers.map(({ status }) => status).sort()).toEqual([
    ...Array<number>(10).fill(201),
    ...Array<number>(10).fill(409),
  ]);
  expectProblem(await make(3_000), 409, 'too_many_tags');
  const { data } = await ok(api.get('tags', { limit: 1 }));
  await ok(api.delete(`tags/${data[0].tag_id}`));
  expect((await make(3_001)).status).toBe(201);
});

describe.each(KINDS)('%s', (path, id, make, event) => {
  const at = (record: Json): string => `${path}/${record[id]}`;

  it('are given tags and lose them; they show them by name', async () => {
    const [b, a] = [
      await newTag({ name: `b ${++last}` }),
      await newTag({ name: `A ${last}`, colour: '#112233' }),
    ];
    const record = await make();
    expect(record['tags']).toEqual([]);
    const answer = await change(at(record), { add: [b.tag_id, a.tag_id] });
    expect(answer.status).toBe(200);
    expect(answer.body).toEqual({
      ...record,
      tags: [shown(a), shown(b)],
      updated_at: answer.body.updated_at,
    });
    const alone = await own.api.get(at(record));
    expect(alone.body).toEqual(answer.body);
    expect(alone.headers.get('etag')).toBe(answer.headers.get('etag'));
    const less = await ok(change(at(record), { remove: [a.tag_id], add: [] }));
    expect(less.tags).toEqual([shown(b)]);
    expect(less.updated_at > answer.body.updated_at).toBe(true);
    expect((await eventsOf(record[id])).filter(({ type }) => type === event).map(({ data }) => data)).toEqual(
      [
        { added: [shown(a), shown(b)], removed: [], changed: [] },
        { added: [], removed: [shown(a)], changed: [] },
      ],
    );
  });

  it('do not change by tags that they have already, or have not', async () => {
    const [has, hasNot] = [await newTag(), await newTag()];
    const record = await make();
    const before = await tagged(at(record), has);
    for (const body of [{ add: [has.tag_id] }, { remove: [hasNot.tag_id] }, {}, { add: [], remove: [] }])
      expect(await ok(change(at(record), body))).toEqual(before);
  });

  it('refuse unknown tags, and those in both lists', async () => {
    const { tag_id } = await newTag();
    const { tag_id: deleted } = await newTag();
    await ok(own.api.delete(`tags/${deleted}`));
    const { api } = await newWorkspace();
    const { tag_id: foreign } = await ok(api.post('tags', { name: 'Foreign' }));
    const record = await make();
    for (const unknown of [nowhere, deleted, foreign, 'x'])
      for (const field of ['add', 'remove'])
        expectProblem(await change(at(record), { [field]: [unknown] }), 400, 'validation_failed', field);
    const both = await change(at(record), { add: [tag_id], remove: [tag_id] });
    expectProblem(both, 400, 'validation_failed', 'add', 'remove');
    expectProblem(await change(at(record), { add: tag_id }), 400, 'validation_failed', 'add');
    expect((await ok(own.api.get(at(record)))).tags).toEqual([]);
  });

  it('that are not there are 404, before the body is judged', async () => {
    const nobody = nobodyOf(path);
    const answer = await change(`${path}/${nobody}`, { add: [nowhere] });
    expect([answer.status, answer.body.code]).toEqual([404, expect.stringMatching(/_not_found$/)]);
    expect((await change(`${path}/x`, {})).status).toBe(404);
  });

  it('are not tagged by keys that only read', async () => {
    const { api_key } = await ok(newKey(own.admin, own.organizationId, { read_only: true }));
    const record = await make();
    const answer = await apiOf(own.organizationId, api_key).post(`${at(record)}/tags`, {});
    expect(answer.status).toBe(403);
  });

  it('are tagged only in the version that the caller has seen', async () => {
    const tag = await newTag();
    const record = await make();
    const etag = (await own.api.get(at(record))).headers.get('etag')!;
    const seen = own.api.with({ 'if-match': etag });
    expect((await seen.post(`${at(record)}/tags`, { add: [tag.tag_id] })).status).toBe(200);
    const again = await seen.post(`${at(record)}/tags`, { remove: [tag.tag_id] });
    expectProblem(again, 412, 'version_mismatch');
  });

  it('are tagged once with an Idempotency-Key', async () => {
    const tag = await newTag();
    const record = await make();
    const once = own.api.with({ 'idempotency-key': `tags-${path}-${++last}` });
    const first = await once.post(`${at(record)}/tags`, { add: [tag.tag_id] });
    await ok(change(at(record), { remove: [tag.tag_id] }));
    expect((await once.post(`${at(record)}/tags`, { add: [tag.tag_id] })).body).toEqual(first.body);
    expect((await ok(own.api.get(at(record)))).tags).toEqual([]);
  });

  it('lose nothing when many tag one at once', async () => {
    const record = await make();
    const tags = await Promise.all(Array.from({ length: 20 }, () => newTag()));
    const answers = await Promise.all(tags.map(({ tag_id }) => change(at(record), { add: [tag_id] })));
    expect(answers.map(({ status }) => status)).toEqual(tags.map(() => 200));
    expect((await ok(own.api.get(at(record)))).tags).toHaveLength(tags.length);
  });

  it('have at most 50 tags', async () => {
    const tags = await Promise.all(Array.from({ length: 51 }, () => newTag()));
    const record = await make();
    await tagged(at(record), ...tags.slice(0, 49));
    const two = { add: tags.slice(49).map(({ tag_id }) => tag_id) };
    expectProblem(await change(at(record), two), 409, 'too_many_tags');
    const answers = await Promise.all(two.add.map((tag_id) => change(at(record), { add: [tag_id] })));
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409]);
    const swapped = await change(at(record), { ...two, remove: [tags[0]!['tag_id'], tags[1]!['tag_id']] });
    expect(swapped.body.tags).toHaveLength(50 - (swapped.body.tags.length === 49 ? 1 : 0));
  });

  it('show a renamed tag by its new name at once, and have changed', async () => {
    const tag = await newTag();
    const record = await make();
    const before = await tagged(at(record), tag);
    const etag = (await own.api.get(at(record))).headers.get('etag');
    const renamed = await ok(
      own.api.patch(`tags/${tag.tag_id}`, { name: `Renamed ${++last}`, colour: '#abcdef' }),
    );
    const after = await own.api.get(at(record));
    expect(after.body).toEqual({ ...before, tags: [shown(renamed)], updated_at: after.body.updated_at });
    expect(after.body.updated_at > before.updated_at).toBe(true);
    expect(after.headers.get('etag')).not.toBe(etag);
    const { updated_at: updated_since } = after.body;
    expect(await listed(path, { updated_since, limit: 200 })).toContainEqual(after.body);
    expect((await eventsOf(record[id])).at(-1)!['data']).toEqual({
      added: [],
      removed: [],
      changed: [shown(renamed)],
    });
  });

  it('lose a deleted tag at once, and have changed', async () => {
    const [stays, goes] = [await newTag(), await newTag()];
    const record = await make();
    const before = await tagged(at(record), stays, goes);
    expect((await own.api.delete(`tags/${goes.tag_id}`)).status).toBe(204);
    const after = await ok(own.api.get(at(record)));
    expect(after).toEqual({ ...before, tags: [shown(stays)], updated_at: after.updated_at });
    expect(after.updated_at > before.updated_at).toBe(true);
    expect((await eventsOf(record[id])).at(-1)!['data'].removed).toEqual([shown(goes)]);
    expect(await listed(path, { tag_id: goes.tag_id })).toEqual([]);
  });

  it('are found by their tags: by all of them', async () => {
    const [one, other] = [await newTag(), await newTag()];
    const [both, single, _none] = [await make(), await make(), await make()];
    await tagged(at(both), one, other);
    await tagged(at(single), one);
    const found = async (tag_id: string): Promise<string[]> =>
      (await listed(path, { tag_id })).map((record) => record[id]).sort();
    expect(await found(one.tag_id)).toEqual([both[id], single[id]].sort());
    expect(await found(`${one.tag_id},${other.tag_id}`)).toEqual([both[id]]);
    const repeated = await ok(own.api.get(`${path}?tag_id=${one.tag_id}&tag_id=${other.tag_id}`));
    expect(repeated.data.map((record: Json) => record[id])).toEqual([both[id]]);
    expect(await found(`${one.tag_id},${one.tag_id}`)).toHaveLength(2);
    expect(await found(`${one.tag_id},${nowhere}`)).toEqual([]);
    expect(await found('x')).toEqual([]);
    expectProblem(await own.api.get(path, { tag_id: '' }), 400, 'validation_failed', 'tag_id');
  });

  it('tell the audit log of their tags as of any field', async () => {
    const tag = await newTag();
    const record = await make();
    await tagged(at(record), tag);
    await ok(change(at(record), { remove: [tag.tag_id] }));
    const records = await listed('audit-logs', { record_id: record[id], record_type: 'all', field: 'tags' });
    expect(records.map(({ changes }) => changes)).toEqual([
      [{ field: 'tags', from: [shown(tag)], to: [] }],
      [{ field: 'tags', from: [], to: [shown(tag)] }],
      expect.arrayContaining([{ field: 'tags', from: null, to: [] }]),
    ]);
  });
});

const nobodyOf = (path: string): string => {
  const kind = { contacts: 'contact', companies: 'company', conversations: 'conv', sales: 'sale' }[path];
  return `${kind}_01hzy3v7q4e8k9m2n5p6r7s8t9`;
};

it('an answer to another change shows the tags as they are called now', async () => {
  const tag = await newTag();
  const record = await contact();
  await tagged(`contacts/${record.contact_id}`, tag);
  const patched = await ok(own.api.patch(`contacts/${record.contact_id}`, { name: 'Other' }));
  expect(patched.tags).toEqual([shown(tag)]);
  const sale = await own.open();
  await tagged(`sales/${sale['sale_id']}`, tag);
  expect((await own.patch(sale, { name: 'Deal' }))['tags']).toEqual([shown(tag)]);
  const put = await ok(
    own.api.put(`sales/${sale['sale_id']}/quote`, {
      currency: 'USD',
      products: [{ product_name: 'x', quantity: 1, unit_price: '1' }],
    }),
  );
  expect(put.tags).toEqual([shown(tag)]);
});

it('records show their tags wherever they are shown', async () => {
  const tag = await newTag();
  const { company_id } = await company();
  const person = await contact({ company_id });
  const { contact_id } = person;
  const { conversation_id } = await conversation({ contact: { contact_id } });
  for (const path of [
    `companies/${company_id}`,
    `contacts/${contact_id}`,
    `conversations/${conversation_id}`,
  ])
    await tagged(path, tag);
  const tags = [shown(tag)];
  const [said] = await listed(`contacts/${contact_id}/conversations`, { expand: 'contact' });
  expect(said).toMatchObject({ tags, contact: { contact_id, tags } });
  const { company: employer } = await ok(own.api.get(`contacts/${contact_id}`, { expand: 'company' }));
  expect(employer.tags).toEqual(tags);
  const entries = await listed(`contacts/${contact_id}/timeline`, {});
  expect(entries.filter(({ type }) => type === 'change')[0]).toMatchObject({
    changes: [{ field: 'tags', from: [], to: tags }],
  });
});

describe('merging', () => {
  it.each([
    ['contacts', 'contact_id', 'from_contact_id', contact],
    ['companies', 'company_id', 'from_company_id', company],
    ['conversations', 'conversation_id', 'from_conversation_id', conversation],
  ])('two %s unites their tags', async (path, id, field, make) => {
    const [a, b, c] = [await newTag(), await newTag(), await newTag()] as [Json, Json, Json];
    const [one, other] = [await make(), await make()];
    await tagged(`${path}/${one[id]}`, b);
    await tagged(`${path}/${other[id]}`, a, b, c);
    const merged = await ok(own.api.post(`${path}/${one[id]}/merge`, { [field]: other[id] }));
    expect(merged.tags).toEqual([shown(a), shown(b), shown(c)]);
    expect((await listed(path, { tag_id: a['tag_id'] })).map((record) => record[id])).toEqual([one[id]]);
    const [told] = (await eventsOf(one[id])).filter(({ type }) => /Merged|TakenIn/.test(type));
    expect(told!['data'].tags).toEqual(merged.tags);
    const audited = await listed('audit-logs', { record_id: one[id], record_type: 'all', field: 'tags' });
    expect(audited[0]!['changes']).toContainEqual({ field: 'tags', from: [shown(b)], to: merged.tags });
  });

  it('conversations that a message ties together unites their tags', async () => {
    const [a, b] = [await newTag(), await newTag()];
    const mail = (email_message_id: string, references: string[]) =>
      ok(
        received(own.api, {
          contact: { contact_id: own.contactIds[1] },
          email_metadata: { email_message_id, references },
        }),
      );
    const [one, other] = [
      await mail('late-1@tags.example', []),
      await mail('late-3@tags.example', ['late-2@tags.example']),
    ];
    await tagged(`conversations/${one.conversation_id}`, a);
    await tagged(`conversations/${other.conversation_id}`, b);
    const { conversation_id } = await mail('late-2@tags.example', ['late-1@tags.example']);
    const { tags } = await ok(own.api.get(`conversations/${conversation_id}`));
    expect(tags).toEqual([shown(a), shown(b)]);
  });

  it('more than 50 tags together keeps those of the one that stays', async () => {
    const tags = await Promise.all(Array.from({ length: 60 }, () => newTag()));
    const [one, other] = [await contact(), await contact()];
    await tagged(`contacts/${one.contact_id}`, ...tags.slice(0, 40));
    await tagged(`contacts/${other.contact_id}`, ...tags.slice(30));
    const merged = await ok(
      own.api.post(`contacts/${one.contact_id}/merge`, { from_contact_id: other.contact_id }),
    );
    expect(merged.tags).toHaveLength(50);
    expect(merged.tags).toEqual(expect.arrayContaining(tags.slice(0, 40).map(shown)));
  });
});

it('a deleted record is found by its tags no more', async () => {
  const tag = await newTag();
  const record = await contact();
  await tagged(`contacts/${record.contact_id}`, tag);
  await ok(own.api.delete(`contacts/${record.contact_id}`));
  expect(await listed('contacts', { tag_id: tag.tag_id })).toEqual([]);
  await ok(own.api.patch(`tags/${tag.tag_id}`, { colour: '#ffffff' }));
});

it('no figure changes by tags, and a sale or conversation keeps when it was last active', async () => {
  const tag = await newTag();
  const sale = await own.open({ conversation_ids: [own.conversationId] });
  const said = await ok(own.api.get(`conversations/${own.conversationId}`));
  const window = { start_date: '2020-01-01T00:00:00Z', end_date: '2040-01-01T00:00:00Z' };
  /** As they are once they know of everything up to an instant. */
  const figuresAfter = async (instant: string): Promise<Json> => {
    const paths = ['analytics/conversations', 'analytics/sales'];
    const read = () => Promise.all(paths.map((path) => ok(own.api.get(path, window))));
    await until(async () => (await read()).every(({ as_of }) => as_of >= instant));
    return (await read()).map(({ as_of: _, ...figures }) => figures);
  };
  const before = await figuresAfter(sale['updated_at']);
  await tagged(`sales/${sale['sale_id']}`, tag);
  await tagged(`conversations/${own.conversationId}`, tag);
  await ok(own.api.patch(`tags/${tag.tag_id}`, { name: `Other ${++last}` }));
  expect((await own.show(sale))['last_activity_at']).toBe(sale['last_activity_at']);
  expect(await ok(own.api.get(`conversations/${own.conversationId}`))).toMatchObject({
    last_activity_at: said.last_activity_at,
    is_read: said.is_read,
    waiting_since: said.waiting_since,
  });
  const { updated_at } = await own.show(sale);
  expect(await figuresAfter(updated_at)).toEqual(before);
});

it('who tagged is in the audit log', async () => {
  const tag = await newTag();
  const sale = await own.open();
  await tagged(`sales/${sale['sale_id']}`, tag);
  const [record] = (await auditOf(own, sale['sale_id'])).toReversed();
  expect(record).toMatchObject({ agent_id: own.agentId, action_type: 'update' });
});
