import {
  apiOf,
  type Client,
  emailChannel,
  type Json,
  newKey,
  newWorkspace,
  ok,
  unique,
} from '../support/clients/client.js';
import { expectProblem, INSTANT } from '../support/clients/expectations.js';
import { readFeed } from '../support/clients/feed.js';
import {
  autosend,
  draftsOf,
  newMessageId,
  postMail,
  promotedMessage,
  rawMail,
} from '../support/data/mail.js';
import { received } from '../support/data/records.js';
import { type SalesWorkspace, salesWorkspace } from '../support/data/sales.js';
import { startSmtp, type TestSmtp } from '../support/stand-ins/smtp.js';
import { until } from '../support/until.js';

let own: SalesWorkspace;
/** With a key that is no agent's. */
let unbound: Client;
/** Another agent, and a client with that agent's key. */
let other: Json;
let byOther: Client;

beforeAll(async () => {
  own = await salesWorkspace();
  const { admin, adminApi, organizationId } = own;
  unbound = apiOf(organizationId, (await ok(newKey(admin, organizationId))).api_key);
  other = await ok(adminApi.post('agents', { name: 'Alan', email: `${unique('alan')}@acme.example` }));
  const key = await ok(newKey(admin, organizationId, { agent_id: other['agent_id'] }));
  byOther = apiOf(organizationId, key.api_key);
});

const conversation = async (body: object = {}): Promise<string> =>
  `conversations/${(await ok(received(own.api, { contact: { name: 'Grace' }, ...body }))).conversation_id}`;
const contact = async (): Promise<string> =>
  `contacts/${(await ok(own.api.post('contacts', { name: 'Grace' }))).contact_id}`;
const company = async (): Promise<string> =>
  `companies/${(await ok(own.api.post('companies', { name: 'Navy' }))).company_id}`;
const sale = async (): Promise<string> => `sales/${(await own.open()).sale_id}`;
const idOf = (path: string): string => path.split('/')[1]!;
const comment = (on: string, body: object = {}, api = own.api): Promise<Json> =>
  ok(api.post(`${on}/comments`, { body: 'She asked last year', ...body }));
const commentsOn = async (on: string): Promise<Json[]> =>
  (await ok(own.api.get(`${on}/comments`, { limit: 200 }))).data;
const merge = (into: string, from: string, field: string) =>
  own.api.post(`${into}/merge`, { [field]: idOf(from) });
const typesOf = async (id: string): Promise<string[]> =>
  (await readFeed(own.api, { record_id: id, limit: 200 })).data.map(({ type }: Json) => type);
const found = async (q: string, query: object = {}): Promise<Json[]> =>
  (await ok(own.api.get('search', { q, ...query }))).data;

const KINDS: [string, () => Promise<string>][] = [
  ['conversation', conversation],
  ['contact', contact],
  ['company', company],
  ['sale', sale],
];

describe('a comment', () => {
  it.each(KINDS)('on a %s says what it is about, who wrote it and when', async (type, make) => {
    const on = await make();
    const answer = await own.api.post(`${on}/comments`, {
      body: 'See <b>this</b>\n',
      mentioned_agent_ids: [],
    });
    expect(answer.status).toBe(201);
    expect(answer.body).toEqual({
      comment_id: expect.stringMatching(/^comment_[0-9a-z]{26}$/),
      record: { type, id: idOf(on) },
      agent_id: own.agentId,
      body: 'See <b>this</b>\n',
      mentioned_agent_ids: [],
      created_at: expect.stringMatching(INSTANT),
      edited_at: null,
    });
    const shown = await own.api.get(`comments/${answer.body.comment_id}`);
    expect(shown.body).toEqual(answer.body);
    expect(shown.headers.get('etag')).toBe(answer.headers.get('etag'));
    expect(await commentsOn(on)).toEqual([answer.body]);
    expect(await typesOf(answer.body.comment_id)).toEqual(['CommentAdded']);
  });

  it('is nobody’s where the key is no agent’s', async () => {
    expect(await comment(await contact(), {}, unbound)).toMatchObject({ agent_id: null });
  });

  it('is listed with the others on its record, newest first, a page at a time', async () => {
    const on = await contact();
    const made: Json[] = [];
    for (let nr = 0; nr < 5; nr++) made.unshift(await comment(on, { body: `No. ${nr}` }));
    await comment(await contact());
    const first = await ok(own.api.get(`${on}/comments`, { limit: 3 }));
    expect(first.data).toEqual(made.slice(0, 3));
    const second = await ok(
      own.api.get(`${on}/comments`, { limit: 3, cursor: first.pagination.next_cursor }),
    );
    expect(second.data).toEqual(made.slice(3));
    expect(second.pagination.has_more).toBe(false);
    const later = await ok(own.api.get(`${on}/comments`, { start_date: made[1]!.created_at }));
    expect(later.data).toEqual(made.slice(0, 2));
  });

  it.each(KINDS)('on a %s that is not there is 404', async (type, make) => {
    const [list] = (await make()).split('/');
    const nobody = `${type === 'conversation' ? 'conv' : type}_01hzy3v7q4e8k9m2n5p6r7s8t9`;
    for (const id of [nobody, 'nothing'])
      for (const body of [{ body: 'Hi' }, { body: 'Hi', mentioned_agent_ids: [nobodyOf('agent')] }])
        expectProblem(await own.api.post(`${list}/${id}/comments`, body), 404, `${type}_not_found`);
    expectProblem(await own.api.get(`${list}/${nobody}/comments`), 404, `${type}_not_found`);
    const elsewhere = await newWorkspace();
    const on = await make();
    const { comment_id } = await comment(on);
    expectProblem(await elsewhere.api.get(`${on}/comments`), 404, `${type}_not_found`);
    expectProblem(await elsewhere.api.post(`${on}/comments`, { body: 'Hi' }), 404, `${type}_not_found`);
    for (const method of ['GET', 'PATCH', 'DELETE'])
      expectProblem(
        await elsewhere.api.send(method, `comments/${comment_id}`, method === 'PATCH' ? { body: {} } : {}),
        404,
        'comment_not_found',
      );
  });

  it.each<[string, unknown]>([
    ['body', undefined],
    ['body', null],
    ['body', ''],
    ['body', ' \n\t '],
    ['body', 1],
    ['body', 'x'.repeat(1_000_001)],
    ['mentioned_agent_ids', null],
    ['mentioned_agent_ids', 'agent'],
    ['mentioned_agent_ids', ['nobody']],
    ['mentioned_agent_ids', [nobodyOf('agent')]],
    ['mentioned_agent_ids', [nobodyOf('contact')]],
  ])('is refused with %s %j', async (field, value) => {
    const on = await contact();
    const body = { body: 'Hi', [field]: value };
    expectProblem(await own.api.post(`${on}/comments`, body), 400, 'validation_failed', field);
    const { comment_id } = await comment(on);
    if (value !== undefined)
      expectProblem(await own.api.patch(`comments/${comment_id}`, body), 400, 'validation_failed', field);
    expect(await commentsOn(on)).toHaveLength(1);
  });

  it('is refused that mentions an agent twice, or one of another organization', async () => {
    const on = await contact();
    const { agentId } = await newWorkspace();
    for (const mentioned_agent_ids of [[own.agentId, own.agentId], [agentId]])
      expectProblem(
        await own.api.post(`${on}/comments`, { body: 'Hi', mentioned_agent_ids }),
        400,
        'validation_failed',
        'mentioned_agent_ids',
      );
  });

  it('is made once by a request that is repeated with its Idempotency-Key', async () => {
    const on = await conversation();
    const again = own.api.with({ 'idempotency-key': unique('once') });
    const [one, two] = [await comment(on, {}, again), await comment(on, {}, again)];
    expect(two).toEqual(one);
    expect(await commentsOn(on)).toEqual([one]);
    expect(await ok(own.api.get(on))).toMatchObject({ comment_count: 1 });
  });

  it('is read, and not written, by a key that may only read', async () => {
    const on = await contact();
    const { comment_id } = await comment(on);
    const { api_key } = await ok(newKey(own.admin, own.organizationId, { read_only: true }));
    const reader = apiOf(own.organizationId, api_key);
    expect((await ok(reader.get(`${on}/comments`))).data).toHaveLength(1);
    await ok(reader.get(`comments/${comment_id}`));
    for (const answer of [
      reader.post(`${on}/comments`, { body: 'Hi' }),
      reader.patch(`comments/${comment_id}`, { body: 'Hi' }),
      reader.delete(`comments/${comment_id}`),
    ])
      expectProblem(await answer, 403, 'read_only_key');
  });
});

function nobodyOf(kind: string): string {
  return `${kind}_01hzy3v7q4e8k9m2n5p6r7s8t9`;
}

describe('an edited comment', () => {
  it('says when; the same again changes nothing', async () => {
    const on = await contact();
    const first = await comment(on, { mentioned_agent_ids: [other['agent_id']] });
    const at = `comments/${first.comment_id}`;
    expect((await ok(own.api.patch(at, { body: first.body }))).edited_at).toBeNull();
    const { mentioned_agent_ids } = first;
    expect(await ok(own.api.patch(at, { mentioned_agent_ids }))).toEqual(first);
    expect(await ok(own.api.patch(at, {}))).toEqual(first);
    const edited = await ok(own.api.patch(at, { body: 'She did not' }));
    expect(edited).toEqual({
      ...first,
      body: 'She did not',
      edited_at: expect.stringMatching(INSTANT),
    });
    expect(await ok(own.api.get(at))).toEqual(edited);
    expect(await typesOf(first.comment_id)).toEqual(['CommentAdded', 'CommentChanged']);
  });

  it('is not overwritten by whoever has not seen it (412)', async () => {
    const { headers, body } = await own.api.post(`${await contact()}/comments`, { body: 'One' });
    const at = `comments/${body.comment_id}`;
    await ok(own.api.patch(at, { body: 'Two' }));
    const stale = await own.api.send('PATCH', at, {
      body: { body: 'Three' },
      headers: { 'if-match': headers.get('etag')! },
    });
    expectProblem(stale, 412, 'version_mismatch');
    expect(await ok(own.api.get(at))).toMatchObject({ body: 'Two' });
  });

  it('is edited and deleted by the agent who wrote it, or a key without an agent, and nobody else (403)', async () => {
    const on = await contact();
    const [mine, theirs] = [await comment(on), await comment(on, {}, unbound)];
    for (const [client, { comment_id }] of [
      [byOther, mine],
      [own.api, theirs],
    ] as const) {
      expectProblem(await client.patch(`comments/${comment_id}`, { body: 'Mine' }), 403, 'not_your_comment');
      expectProblem(await client.delete(`comments/${comment_id}`), 403, 'not_your_comment');
    }
    expect(await commentsOn(on)).toEqual([theirs, mine]);
    for (const { comment_id } of [mine, theirs]) {
      await ok(unbound.patch(`comments/${comment_id}`, { body: 'Of the system' }));
      expect((await unbound.delete(`comments/${comment_id}`)).status).toBe(204);
    }
    const again = await comment(on);
    expect((await own.api.delete(`comments/${again.comment_id}`)).status).toBe(204);
    expectProblem(await own.api.delete(`comments/${again.comment_id}`), 404, 'comment_not_found');
    expectProblem(await own.api.patch(`comments/${again.comment_id}`, {}), 404, 'comment_not_found');
    expectProblem(await own.api.get(`comments/${again.comment_id}`), 404, 'comment_not_found');
    expect(await commentsOn(on)).toEqual([]);
    expect((await typesOf(again.comment_id)).at(-1)).toBe('CommentDeleted');
  });
});

describe('comment_count of a conversation', () => {
  it('counts its comments, and moves updated_at and the ETag', async () => {
    const on = await conversation();
    const seen: [number, string, string | null][] = [];
    const look = async () => {
      const { body, headers } = await own.api.get(on);
      seen.push([body.comment_count, body.updated_at, headers.get('etag')]);
    };
    await look();
    const { comment_id } = await comment(on);
    await look();
    await comment(on);
    await look();
    await ok(own.api.delete(`comments/${comment_id}`));
    await look();
    expect(seen.map(([count]) => count)).toEqual([0, 1, 2, 1]);
    const times = seen.map(([, at]) => at);
    expect(times).toEqual([...new Set(times)].sort());
    expect(new Set(seen.map(([, , etag]) => etag)).size).toBe(4);
    const changed = await ok(own.api.get('conversations', { updated_since: seen[3]![1], limit: 1 }));
    expect(changed.data[0]).toMatchObject({ conversation_id: idOf(on), comment_count: 1 });
    expect(await typesOf(idOf(on))).toEqual([
      'ConversationOpened',
      ...Array(3).fill('ConversationCommentsCounted'),
    ]);
  });

  it('leaves everything else of the conversation as it is, and its audit log', async () => {
    const on = await conversation();
    const before = await ok(own.api.get(on));
    const { comment_id } = await comment(on, { mentioned_agent_ids: [other['agent_id']] });
    await ok(own.api.patch(`comments/${comment_id}`, { body: 'Edited' }));
    const { comment_count, updated_at, ...after } = await ok(own.api.get(on));
    expect({ ...after, comment_count: 0, updated_at: before.updated_at }).toEqual(before);
    expect([comment_count, updated_at > before.updated_at]).toEqual([1, true]);
    const { data } = await ok(own.api.get('audit-logs', { record_id: idOf(on), record_type: 'all' }));
    expect(data.map(({ action_type }: Json) => action_type)).toEqual(['insert']);
    expect((await ok(own.api.get('audit-logs', { record_id: comment_id, record_type: 'all' }))).data).toEqual(
      [],
    );
  });
});

describe('comments follow their record', () => {
  it.each<[string, () => Promise<string>, string]>([
    ['conversations', conversation, 'from_conversation_id'],
    ['contacts', contact, 'from_contact_id'],
    ['companies', company, 'from_company_id'],
  ])('when %s are merged', async (_, make, field) => {
    const [into, from] = [await make(), await make()];
    const [one, two] = [await comment(into), await comment(from)];
    const moved = { ...two, record: { ...two.record, id: idOf(into) } };
    const answer = await ok(merge(into, from, field));
    if (field === 'from_conversation_id') expect(answer.comment_count).toBe(2);
    expect(await commentsOn(into)).toEqual([moved, one]);
    expect(await ok(own.api.get(`comments/${two.comment_id}`))).toEqual(moved);
    expectProblem(await own.api.get(`${from}/comments`), 404, 'merged');
    expectProblem(await own.api.post(`${from}/comments`, { body: 'Late' }), 404, 'merged');
    expect(await typesOf(two.comment_id)).toEqual(['CommentAdded', 'CommentMoved']);
    await ok(own.api.delete(`comments/${two.comment_id}`));
    await ok(own.api.delete(`comments/${one.comment_id}`));
    if (field === 'from_conversation_id')
      expect(await ok(own.api.get(into))).toMatchObject({ comment_count: 0 });
  });

  it('when a message ties two conversations together', async () => {
    const channel = await emailChannel(own, 9);
    const from = `${unique('grace')}@navy.example`;
    const [first, middle, last] = [newMessageId(), newMessageId(), newMessageId()];
    const post = async (fields: object): Promise<string> =>
      `conversations/${(await ok(postMail(channel, rawMail({ from, ...fields })))).conversation_id}`;
    const early = await post({ id: first, date: '01 Jan 2026 12:00:00 +0000' });
    const late = await post({ id: last, inReplyTo: middle, date: '03 Jan 2026 12:00:00 +0000' });
    expect(late).not.toBe(early);
    const made = [await comment(early), await comment(late), await comment(late)];
    const stays = await post({ id: middle, inReplyTo: first, date: '02 Jan 2026 12:00:00 +0000' });
    expect([early, late]).toContain(stays);
    expect(await ok(own.api.get(stays))).toMatchObject({ comment_count: 3 });
    expect(await commentsOn(stays)).toEqual(
      made.reverse().map((one) => ({ ...one, record: { type: 'conversation', id: idOf(stays) } })),
    );
    const gone = stays === early ? late : early;
    expectProblem(await own.api.post(`${gone}/comments`, { body: 'Late' }), 404, 'conversation_not_found');
  });

  it.each<[string, () => Promise<string>]>([
    ['contact', contact],
    ['company', company],
    ['sale', sale],
  ])('when a %s is deleted', async (_, make) => {
    const on = await make();
    const { comment_id } = await comment(on);
    await ok(own.api.delete(on));
    expectProblem(await own.api.get(`comments/${comment_id}`), 404, 'comment_not_found');
    expect((await own.api.get(`${on}/comments`)).status).toBe(404);
    expect(await typesOf(comment_id)).toEqual(['CommentAdded', 'CommentDeleted']);
  });
});

describe('a comment is found', () => {
  it('by its words in search, as type comment: edited by the new ones, deleted not at all', async () => {
    const [word, next] = [unique('zebra').replace('-', ''), unique('okapi').replace('-', '')];
    const on = await conversation();
    const { comment_id, created_at } = await comment(on, { body: `The ${word}\n is here` });
    await until(async () => (await found(word)).length > 0);
    expect(await found(word, { types: 'comment', agent_id: own.agentId })).toEqual([
      {
        type: 'comment',
        id: comment_id,
        conversation_id: idOf(on),
        title: `The ${word} is here`,
        highlights: [{ field: 'body', text: expect.stringContaining(`\uE000${word}\uE001`) }],
        occurred_at: created_at,
      },
    ]);
    expect(await found(word, { types: 'message' })).toEqual([]);
    expect(await found(word, { agent_id: other['agent_id'] })).toEqual([]);
    await ok(own.api.patch(`comments/${comment_id}`, { body: `An ${next}` }));
    await until(async () => (await found(next)).length > 0);
    expect(await found(word)).toEqual([]);
    await ok(own.api.delete(`comments/${comment_id}`));
    await until(async () => (await found(next)).length === 0);
  });

  it('by the contact that it is on, also after that was merged', async () => {
    const word = unique('quagga').replace('-', '');
    const [into, from] = [await contact(), await contact()];
    const { comment_id } = await comment(from, { body: word });
    const ids = async (on: string) =>
      (await found(word, { contact_id: idOf(on) })).map(({ id, conversation_id }) => [id, conversation_id]);
    await until(async () => (await ids(from)).length > 0);
    await ok(merge(into, from, 'from_contact_id'));
    await until(async () => (await ids(into)).length > 0);
    expect(await ids(into)).toEqual([[comment_id, null]]);
  });

  it('in the timeline of the contact that it is about: on the contact, its conversations and its sales', async () => {
    const on = await contact();
    const { contact_id } = await ok(own.api.get(on));
    const talk = await conversation({ contact: { contact_id } });
    const deal = `sales/${(await own.open({ associated_contacts: [{ contact_id }] })).sale_id}`;
    const made: Json[] = [];
    for (const one of [on, talk, deal]) made.unshift(await comment(one, { body: ' Told\n\nus ' }));
    await comment(await contact());
    const entries: Json[] = [];
    for (let cursor: string | undefined; ;) {
      const page = await ok(own.api.get(`${on}/timeline`, { limit: 1, cursor }));
      entries.push(...page.data);
      if (!page.pagination.has_more) break;
      cursor = page.pagination.next_cursor;
    }
    expect(entries.filter(({ type }) => type === 'comment')).toEqual(
      made.map(({ comment_id, created_at, agent_id, record }) => ({
        type: 'comment',
        id: comment_id,
        occurred_at: created_at,
        conversation_id: record.type === 'conversation' ? record.id : null,
        preview: 'Told us',
        agent_id,
      })),
    );
  });
});

describe('a comment stays in the organization', () => {
  const WINDOW = { start_date: '2026-01-01T00:00:00Z', end_date: '2036-01-01T00:00:00Z' };
  let smtp: TestSmtp;
  beforeEach(async () => {
    smtp = await startSmtp();
    await emailChannel(own, smtp.port);
  });
  afterEach(() => smtp.close());

  it('and is in no mail, message or quote of its conversation', async () => {
    const secret = unique('secret');
    const on = await conversation({ contact: { email: `${unique('grace')}@navy.example` } });
    const deal = await sale();
    await own.patch(await ok(own.api.get(deal)), { conversation_ids: [idOf(on)] });
    for (const one of [on, deal]) await comment(one, { body: secret });
    const products = [{ product_name: 'Chair', quantity: 1, unit_price: '1.00' }];
    const quote = await own.api.put(`${deal}/quote`, { currency: 'USD', products });
    const draft = await ok(own.api.post(draftsOf({ conversation_id: idOf(on) }), autosend()));
    const message = await promotedMessage(own, draft);
    const [mail] = await smtp.waitFor(1);
    for (const text of [mail!.raw, mail!.parsed.text!, JSON.stringify(message), quote.text])
      expect(text).not.toContain(secret);
    // Of events, which webhooks send as they are, only those of comments tell.
    const telling = new Set<string>();
    for (const record_id of [idOf(on), idOf(deal), draft.response_id, message.message_id]) {
      const { data } = await readFeed(own.api, { limit: 200, record_id });
      for (const event of data) if (JSON.stringify(event).includes(secret)) telling.add(event.type);
    }
    expect([...telling]).toEqual([]);
  });

  it('and changes no figure of the analytics', async () => {
    const fresh = await salesWorkspace();
    const on = `conversations/${fresh.conversationId}`;
    const figures = () =>
      Promise.all(
        ['analytics/conversations', 'analytics/sales', `agents/${fresh.agentId}/analytics`].map(
          async (path) => ({ ...(await ok(fresh.api.get(path, WINDOW))), as_of: null }),
        ),
      );
    const isRead = async (at: string) =>
      (await ok(fresh.api.get('analytics/conversations/volume', WINDOW))).as_of > at;
    const { updated_at } = await ok(fresh.api.get(on));
    await until(() => isRead(updated_at));
    const before = await figures();
    const added = await ok(fresh.api.post(`${on}/comments`, { body: 'Hi' }));
    const last = await ok(fresh.api.post(`${on}/comments`, { body: 'Ho' }));
    await ok(fresh.api.delete(`comments/${added.comment_id}`));
    await until(() => isRead(last.created_at));
    expect(await figures()).toEqual(before);
  });
});
