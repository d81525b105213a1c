import {
  type Answer,
  type Json,
  newWorkspace,
  ok,
  unique,
  type Workspace,
} from '../support/clients/client.js';
import { expectProblem } from '../support/clients/expectations.js';
import { readFeed } from '../support/clients/feed.js';
import { receivedMail } from '../support/data/mail.js';

const MOST = 200;
let workspace: Workspace;
let ids: string[];

beforeAll(async () => {
  workspace = await newWorkspace();
  ids = [];
  for (let nr = 0; nr < 4; nr++) ids.push((await receivedMail(workspace)).conversation_id);
});

const bulk = (body: unknown, headers = {}): Promise<Answer> =>
  workspace.api.send('POST', 'conversations/bulk', { body, headers });
const change = async (conversation_ids: string[], changes: Json): Promise<Json[]> =>
  (await ok(bulk({ conversation_ids, changes }))).results;
const shown = (id: string): Promise<Json> => ok(workspace.api.get(`conversations/${id}`));
const newTag = async (): Promise<string> =>
  (await ok(workspace.api.post('tags', { name: unique('VIP') }))).tag_id;
const inDays = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString();

describe('a change of many conversations', () => {
  it('is one of each that is named, told in the order given', async () => {
    const [add, remove] = [await newTag(), await newTag()];
    await change(ids, { add_tag_ids: [remove] });
    const given = [ids[2]!, ids[0]!, ids[1]!];
    const snoozed_until = inDays(2).replace('Z', '000Z');
    const results = await change(given, {
      is_read: true,
      folder: 'Press',
      agent_id: workspace.agentId,
      status: 'snoozed',
      snoozed_until,
      add_tag_ids: [add],
      remove_tag_ids: [remove],
    });
    expect(results).toEqual(given.map((conversation_id) => ({ conversation_id, ok: true })));
    for (const id of given)
      expect(await shown(id)).toMatchObject({
        is_read: true,
        folder: 'Press',
        agent_id: workspace.agentId,
        status: 'snoozed',
        snoozed_until,
        tags: [{ tag_id: add }],
      });
    expect(await shown(ids[3]!)).toMatchObject({
      is_read: false,
      status: 'open',
      tags: [{ tag_id: remove }],
    });
  });

  it('that is not there, or cannot be changed so, is told of alone', async () => {
    const [open, snoozed, from] = [ids[3]!, ids[0]!, (await receivedMail(workspace)).conversation_id];
    await ok(workspace.api.post(`conversations/${open}/merge`, { from_conversation_id: from }));
    const unknown = open.replace(/.$/, (last) => (last === '0' ? '1' : '0'));
    const until = inDays(3).replace('Z', '000Z');
    const [first, second, third, fourth, fifth] = await change([unknown, open, snoozed, 'nonsense', from], {
      snoozed_until: until,
    });
    expect(third).toEqual({ conversation_id: snoozed, ok: true });
    expect((await shown(snoozed)).snoozed_until).toBe(until);
    expect(first).toMatchObject({ ok: false, problem: { status: 404, code: 'conversation_not_found' } });
    expect(second).toMatchObject({
      ok: false,
      problem: {
        status: 400,
        code: 'validation_failed',
        errors: [{ field: 'changes.snoozed_until' }],
        instance: `/api/v2/organizations/${workspace.organizationId}/conversations/bulk`,
      },
    });
    expect(fourth).toMatchObject({ ok: false, problem: { status: 404 } });
    expect(fifth).toMatchObject({ ok: false, problem: { status: 404, code: 'merged' } });
  });

  it('tells of the one that has no room for another tag', async () => {
    const tags = await Promise.all(Array.from({ length: 50 }, newTag));
    await change([ids[1]!], {
      remove_tag_ids: (await shown(ids[1]!)).tags.map(({ tag_id }: Json) => tag_id),
    });
    await change([ids[1]!], { add_tag_ids: tags });
    const [full, other] = await change([ids[1]!, ids[2]!], { add_tag_ids: [await newTag()] });
    expect(full).toMatchObject({ ok: false, problem: { status: 409, code: 'too_many_tags' } });
    expect(other).toMatchObject({ ok: true });
  });

  it('changes nothing where all is as it was asked for', async () => {
    await change(ids, { status: 'closed' });
    const before = await Promise.all(ids.map(shown));
    expect(await change(ids, { status: 'closed' })).toEqual(
      ids.map((conversation_id) => ({ conversation_id, ok: true })),
    );
    expect(await change(ids, {})).toHaveLength(ids.length);
    expect(await Promise.all(ids.map(shown))).toEqual(before);
  });

  it.each<[string, () => unknown, string]>([
    ['no conversation', () => ({ conversation_ids: [], changes: {} }), 'conversation_ids'],
    [
      'more than 200',
      () => ({ conversation_ids: Array.from({ length: MOST + 1 }, (_, nr) => `conv_${nr}`), changes: {} }),
      'conversation_ids',
    ],
    ['one twice', () => ({ conversation_ids: [ids[0], ids[0]], changes: {} }), 'conversation_ids'],
    ['an id that is no text', () => ({ conversation_ids: [7], changes: {} }), 'conversation_ids'],
    ['no changes', () => ({ conversation_ids: ids }), 'changes'],
    ['changes that are no object', () => ({ conversation_ids: ids, changes: ['x'] }), 'changes'],
    ['an unknown change', () => ({ conversation_ids: ids, changes: { colour: 1 } }), 'changes.colour'],
    ['an unknown status', () => ({ conversation_ids: ids, changes: { status: 'gone' } }), 'changes.status'],
    [
      'a snooze without an instant',
      () => ({ conversation_ids: ids, changes: { status: 'snoozed' } }),
      'changes.snoozed_until',
    ],
    [
      'an instant that has passed',
      () => ({ conversation_ids: ids, changes: { snoozed_until: inDays(-1) } }),
      'changes.snoozed_until',
    ],
    [
      'an instant with another status',
      () => ({ conversation_ids: ids, changes: { status: 'open', snoozed_until: inDays(1) } }),
      'changes.snoozed_until',
    ],
    [
      'an unknown agent',
      () => ({ conversation_ids: ids, changes: { agent_id: 'agent_01hzy3v7q4e8k9m2n5p6r7s8t9' } }),
      'changes.agent_id',
    ],
    [
      'an unknown tag',
      () => ({ conversation_ids: ids, changes: { add_tag_ids: ['tag_01hzy3v7q4e8k9m2n5p6r7s8t9'] } }),
      'changes.add_tag_ids',
    ],
  ])('is refused as a whole: %s', async (_, body, field) => {
    const before = await Promise.all(ids.map(shown));
    expectProblem(await bulk(body()), 400, 'validation_failed', field);
    expect(await Promise.all(ids.map(shown))).toEqual(before);
  });

  it('is refused as a whole where a tag is to be given and taken away', async () => {
    const tag_id = await newTag();
    const changes = { is_read: true, add_tag_ids: [tag_id], remove_tag_ids: [tag_id] };
    expectProblem(
      await bulk({ conversation_ids: ids, changes }),
      400,
      'validation_failed',
      'changes.add_tag_ids',
      'changes.remove_tag_ids',
    );
  });

  it('is done once for one Idempotency-Key', async () => {
    const headers = { 'idempotency-key': unique('bulk') };
    const body = { conversation_ids: [ids[0], 'nonsense'], changes: { folder: unique('once') } };
    const first = await ok(bulk(body, headers));
    await change(ids, { folder: 'other' });
    expect(await ok(bulk(body, headers))).toEqual(first);
    expect((await shown(ids[0]!)).folder).toBe('other');
  });
});

it('200 conversations are changed whole while messages are recorded in them', async () => {
  const many = await Promise.all(
    Array.from({ length: MOST }, async () => (await receivedMail(workspace)).conversation_id as string),
  );
  const tag_id = await newTag();
  const recorder = async (first: number) => {
    for (let nr = first; nr < MOST; nr += 16) {
      const answer = await workspace.api.post('messages', {
        conversation_id: many[(nr * 7) % MOST],
        modality: 'email',
        message_direction: 'received',
        content: 'And in green?',
      });
      expect(answer.status).toBe(201);
    }
  };
  const recording = Promise.all(Array.from({ length: 16 }, (_, first) => recorder(first)));
  const rounds = [
    await change(many, { status: 'closed', add_tag_ids: [tag_id] }),
    await change(many.toReversed(), { folder: 'sale' }),
  ];
  await recording;
  for (const results of rounds) expect(results.filter((result) => !result.ok)).toEqual([]);
  for (const id of many) {
    const one = await shown(id);
    expect(one).toMatchObject({ folder: 'sale', message_count: 2, tags: [{ tag_id }] });
    // Closed, or opened again by the message that came after.
    const events = await readFeed(workspace.api, { record_id: id, limit: 200 });
    const order = events.data.map(({ type, data }: Json) => (data.status ? 'closed' : type));
    const isOpen = order.lastIndexOf('MessageRecorded') > order.indexOf('closed');
    expect(one.status).toBe(isOpen ? 'open' : 'closed');
  }
});
