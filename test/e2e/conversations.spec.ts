import {
  apiOf,
  type Json,
  newKey,
  newWorkspace,
  ok,
  type Query,
  type Workspace,
} from '../support/clients/client.js';
import { receivedMail } from '../support/data/mail.js';

const UNKNOWN = '01hzy3v7q4e8k9m2n5p6r7s8t9';

/** A conversation whose only message was received at this instant. */
const conversationAt = async (workspace: Workspace, sent_at: string, fields: object = {}): Promise<string> =>
  (await receivedMail(workspace, { sent_at, ...fields })).conversation_id;

const idsOf = (page: Json): string[] => page.data.map(({ conversation_id }: Json) => conversation_id);

/** All pages from the first on. */
async function pages(workspace: Workspace, path: string, query: Query): Promise<Json[]> {
  const read: Json[] = [];
  for (let cursor: string | null | undefined; cursor !== null; cursor = read.at(-1).pagination.next_cursor)
    read.push(await ok(workspace.api.get(path, { ...query, cursor })));
  return read;
}

describe('the list of conversations', () => {
  let workspace: Workspace;
  const ids: string[] = [];

  beforeAll(async () => {
    workspace = await newWorkspace();
    for (const sent_at of [
      '2026-03-01T10:00:00.000001Z',
      '2026-03-01T10:00:00.000003Z',
      '2026-03-01T10:00:00.000003Z',
      '2026-03-01T10:00:00.000002Z',
      '2026-03-02T10:00:00Z',
    ])
      ids.push(await conversationAt(workspace, sent_at));
  });

  const list = async (query?: Query) => ok(workspace.api.get('conversations', query));

  it('is ordered by last activity, newest first, ties by id, both descending', async () => {
    const tied = [ids[1]!, ids[2]!].sort().reverse();
    expect(idsOf(await list())).toEqual([ids[4], ...tied, ids[3], ids[0]]);
  });

  it('shows the documented fields of each conversation', async () => {
    const { data } = await list();
    expect(data[0]).toMatchObject({
      conversation_id: ids[4],
      start_at: '2026-03-02T10:00:00.000000Z',
      last_activity_at: '2026-03-02T10:00:00.000000Z',
      folder: null,
      is_read: false,
      contact_id: expect.stringMatching(/^contact_/),
    });
  });

  it('has a pagination block with the limit in force, 50 by default', async () => {
    expect((await list()).pagination).toEqual({
      limit: 50,
      cursor: null,
      next_cursor: null,
      has_more: false,
    });
  });

  it('gives every conversation once, page by page, and echoes the cursor', async () => {
    const read = await pages(workspace, 'conversations', { limit: 2 });
    expect(read.flatMap(idsOf)).toEqual(idsOf(await list()));
    expect(read.map(({ pagination }) => [pagination.limit, pagination.has_more])).toEqual([
      [2, true],
      [2, true],
      [2, false],
    ]);
    expect(read.map(({ pagination }) => pagination.cursor)).toEqual([
      null,
      read[0].pagination.next_cursor,
      read[1].pagination.next_cursor,
    ]);
  });

  it('has no further page when the last one is full', async () => {
    const { pagination } = await list({ limit: 5 });
    expect(pagination).toMatchObject({ next_cursor: null, has_more: false });
  });

  it('includes start_date and excludes end_date, to the microsecond', async () => {
    const from = await list({ start_date: '2026-03-01T10:00:00.000003Z' });
    expect(idsOf(from)).toEqual(expect.arrayContaining([ids[1], ids[2], ids[4]]));
    expect(from.data).toHaveLength(3);
    expect(idsOf(await list({ end_date: '2026-03-01T10:00:00.000003Z' }))).toEqual([ids[3], ids[0]]);
    const window = {
      start_date: '2026-03-01T12:00:00.000002+02:00',
      end_date: '2026-03-01T10:00:00.000003Z',
    };
    expect(idsOf(await list(window))).toEqual([ids[3]]);
  });

  it('pages on within a date window', async () => {
    const window = { start_date: '2026-03-01T10:00:00.000002Z', end_date: '2026-03-02T10:00:00Z', limit: 1 };
    const read = await pages(workspace, 'conversations', window);
    expect(read.flatMap(idsOf)).toEqual([...[ids[1]!, ids[2]!].sort().reverse(), ids[3]]);
  });

  it.each([
    ['limit', { limit: 0 }],
    ['limit', { limit: 201 }],
    ['limit', { limit: 'ten' }],
    ['limit', { limit: 1.5 }],
    ['start_date', { start_date: '2026-03-01' }],
    ['end_date', { end_date: '2026-03-01T10:00:00' }],
    ['end_date', { end_date: '2026-03-01T25:00:00Z' }],
    ['end_date', { start_date: '2026-03-01T10:00:00Z', end_date: '2026-03-01T10:00:00Z' }],
    ['cursor', { cursor: 'made-up' }],
    ['colour', { colour: 'blue' }],
  ])('refuses a bad %s with 400: %j', async (field, query) => {
    const { status, body } = await workspace.api.get('conversations', query);
    expect([status, body.code]).toEqual([400, 'validation_failed']);
    expect(body.detail).toContain(field);
    expect(body.errors).toEqual(expect.arrayContaining([expect.objectContaining({ field })]));
  });

  it('refuses a cursor that was tampered with, or that belongs to other filters, another list or organization', async () => {
    const { next_cursor: cursor } = (await list({ limit: 1 })).pagination;
    const other = await newWorkspace();
    const end_date = '2026-03-05T00:00:00Z';
    const { contact_id } = await ok(workspace.api.get(`conversations/${ids[0]}`));
    const flipped = cursor.replace(/^./, (first: string) => (first === 'a' ? 'b' : 'a'));
    const answers = await Promise.all([
      workspace.api.get('conversations', { cursor: flipped }),
      workspace.api.get('conversations', { cursor, end_date }),
      workspace.api.get(`contacts/${contact_id}/conversations`, { cursor }),
      workspace.api.get('contacts', { cursor }),
      other.api.get('conversations', { cursor }),
    ]);
    expect(answers.map(({ status }) => status)).toEqual([400, 400, 400, 400, 400]);
  });

  it("refuses a cursor of an agent's own list, though it holds the same", async () => {
    const { agent_id } = await ok(workspace.adminApi.post('agents', { name: 'Grace' }));
    for (const id of ids.slice(0, 2)) await ok(workspace.api.patch(`conversations/${id}`, { agent_id }));
    const [own, filtered] = [`agents/${agent_id}/conversations`, 'conversations'];
    const cursorOf = async (path: string, query: object) =>
      (await ok(workspace.api.get(path, { limit: 1, ...query }))).pagination.next_cursor;
    const [ofOwn, ofFiltered] = [await cursorOf(own, {}), await cursorOf(filtered, { agent_id })];
    expect((await workspace.api.get(own, { cursor: ofOwn })).status).toBe(200);
    expect((await workspace.api.get(filtered, { agent_id, cursor: ofOwn })).status).toBe(400);
    expect((await workspace.api.get(own, { cursor: ofFiltered })).status).toBe(400);
  });

  it('gives a conversation that does not change exactly once, whatever happens to others between pages', async () => {
    const busy = await newWorkspace();
    const all: string[] = [];
    for (let nr = 10; nr < 22; nr++) all.push(await conversationAt(busy, `2026-03-01T10:00:${nr}Z`));
    const seen: string[] = [];
    for (let cursor: string | null | undefined, turn = 0; cursor !== null; turn++) {
      const page = await ok(busy.api.get('conversations', { limit: 3, cursor }));
      seen.push(...idsOf(page));
      cursor = page.pagination.next_cursor;
      // One that is still to come moves to the front, and a new one comes up.
      await receivedMail(busy, { contact: undefined, conversation_id: all[turn], content: 'again' });
      await receivedMail(busy);
    }
    const unchanged = all.slice(4);
    expect(unchanged.map((id) => seen.filter((one) => one === id).length)).toEqual(unchanged.map(() => 1));
  });

  it('is that of the organization in the path alone', async () => {
    const other = await newWorkspace();
    expect((await ok(other.api.get('conversations'))).data).toEqual([]);
    expect((await other.api.get(workspace.api.path('conversations'))).status).toBe(404);
  });
});

describe('the conversations of a contact', () => {
  it('are those with that contact, filtered and paged like all', async () => {
    const workspace = await newWorkspace();
    const first = await receivedMail(workspace, { sent_at: '2026-03-01T10:00:00Z' });
    const { contact_id } = await ok(workspace.api.get(`conversations/${first.conversation_id}`));
    const later = await conversationAt(workspace, '2026-03-03T10:00:00Z', { contact: { contact_id } });
    await receivedMail(workspace);
    const path = `contacts/${contact_id}/conversations`;
    expect(idsOf(await ok(workspace.api.get(path)))).toEqual([later, first.conversation_id]);
    expect(idsOf(await ok(workspace.api.get(path, { start_date: '2026-03-02T00:00:00Z' })))).toEqual([later]);
    expect((await pages(workspace, path, { limit: 1 })).map(idsOf)).toEqual([
      [later],
      [first.conversation_id],
    ]);
  });

  it('are an empty list for a contact without any', async () => {
    const { api } = await newWorkspace();
    const { contact_id } = await ok(api.post('contacts', { name: 'Nobody' }));
    expect((await ok(api.get(`contacts/${contact_id}/conversations`))).data).toEqual([]);
  });

  it('answer 404 for a contact that is unknown, malformed or of another organization', async () => {
    const [workspace, other] = [await newWorkspace(), await newWorkspace()];
    const { contact_id } = await ok(other.api.post('contacts', { name: 'Nobody' }));
    for (const id of [contact_id, `contact_${UNKNOWN}`, 'nonsense', 'x'.repeat(3_000)]) {
      const { status, body } = await workspace.api.get(`contacts/${id}/conversations`);
      expect([status, body.code]).toEqual([404, 'contact_not_found']);
    }
  });
});

describe('the conversations of an agent', () => {
  it('are those the agent owns, filtered and paged like all', async () => {
    const workspace = await newWorkspace();
    const { agentId, api } = workspace;
    const owned: string[] = [];
    for (const day of [1, 2, 3]) {
      const id = await conversationAt(workspace, `2026-03-0${day}T10:00:00Z`);
      owned.unshift(id);
      await ok(api.patch(`conversations/${id}`, { agent_id: agentId }));
    }
    await receivedMail(workspace);
    const path = `agents/${agentId}/conversations`;
    expect(idsOf(await ok(api.get(path)))).toEqual(owned);
    expect(idsOf(await ok(api.get(path, { end_date: '2026-03-02T10:00:00Z' })))).toEqual([owned[2]]);
    expect((await pages(workspace, path, { limit: 2 })).flatMap(idsOf)).toEqual(owned);
  });

  it('leave the list when the conversation gets another owner, or none', async () => {
    const workspace = await newWorkspace();
    const { agentId, adminApi, api } = workspace;
    const { agent_id: other } = await ok(adminApi.post('agents', { name: 'Alan Turing' }));
    const id = await conversationAt(workspace, '2026-03-01T10:00:00Z');
    const owners = async () =>
      Promise.all(
        [agentId, other].map(async (agent) => idsOf(await ok(api.get(`agents/${agent}/conversations`)))),
      );
    await ok(api.patch(`conversations/${id}`, { agent_id: agentId }));
    expect(await owners()).toEqual([[id], []]);
    await ok(api.patch(`conversations/${id}`, { agent_id: other }));
    expect(await owners()).toEqual([[], [id]]);
    await ok(api.patch(`conversations/${id}`, { agent_id: null }));
    expect(await owners()).toEqual([[], []]);
  });

  it('answer 404 for an agent that is unknown, malformed or of another organization', async () => {
    const [workspace, other] = [await newWorkspace(), await newWorkspace()];
    for (const id of [other.agentId, `agent_${UNKNOWN}`, 'nonsense']) {
      const { status, body } = await workspace.api.get(`agents/${id}/conversations`);
      expect([status, body.code]).toEqual([404, 'agent_not_found']);
    }
  });
});

describe('one conversation', () => {
  it('is shown with its summary', async () => {
    const workspace = await newWorkspace();
    const id = await conversationAt(workspace, '2026-03-01T10:00:00.123456Z');
    expect(await ok(workspace.api.get(`conversations/${id}`))).toMatchObject({
      conversation_id: id,
      start_at: '2026-03-01T10:00:00.123456Z',
      last_activity_at: '2026-03-01T10:00:00.123456Z',
      folder: null,
      is_read: false,
      contact_id: expect.any(String),
    });
  });

  it('answers 404 when it is unknown, malformed, of another kind or of another organization', async () => {
    const [workspace, other] = [await newWorkspace(), await newWorkspace()];
    const foreign = await conversationAt(other, '2026-03-01T10:00:00Z');
    for (const id of [foreign, `conv_${UNKNOWN}`, `msg_${UNKNOWN}`, 'nonsense', 'x'.repeat(3_000)]) {
      const { status, body } = await workspace.api.get(`conversations/${id}`);
      expect([status, body.code]).toEqual([404, 'conversation_not_found']);
    }
  });
});

describe('changing a conversation', () => {
  let workspace: Workspace;
  let id: string;

  beforeEach(async () => {
    workspace ??= await newWorkspace();
    id = await conversationAt(workspace, '2026-03-01T10:00:00Z');
  });

  const patch = (body: unknown) => workspace.api.patch(`conversations/${id}`, body);

  it.each([{ is_read: true }, { folder: 'VIP Customers' }, { is_read: true, folder: 'vip' }])(
    'sets %j and answers the conversation',
    async (change) => {
      const before = await ok(workspace.api.get(`conversations/${id}`));
      const answer = await patch(change);
      expect(answer.status).toBe(200);
      expect(answer.body).toEqual({ ...before, ...change, updated_at: answer.body.updated_at });
      expect(await ok(workspace.api.get(`conversations/${id}`))).toEqual(answer.body);
    },
  );

  it('sets and clears the owner', async () => {
    expect((await ok(patch({ agent_id: workspace.agentId }))).agent_id).toBe(workspace.agentId);
    expect((await ok(patch({ agent_id: null }))).agent_id).toBeNull();
  });

  it('clears the folder with null', async () => {
    await ok(patch({ folder: 'vip' }));
    expect((await ok(patch({ folder: null }))).folder).toBeNull();
  });

  it('leaves out what is left out, an empty body everything', async () => {
    await ok(patch({ folder: 'vip', is_read: true }));
    const before = await ok(workspace.api.get(`conversations/${id}`));
    expect(await ok(patch({}))).toEqual(before);
    const after = await ok(patch({ is_read: false }));
    expect(after).toEqual({ ...before, is_read: false, updated_at: after.updated_at });
  });

  it('does not count as activity', async () => {
    expect((await ok(patch({ is_read: true, folder: 'vip' }))).last_activity_at).toBe(
      '2026-03-01T10:00:00.000000Z',
    );
  });

  it.each([
    ['is_read', { is_read: null }],
    ['is_read', { is_read: 'yes' }],
    ['folder', { folder: 7 }],
    ['folder', { folder: 'x'.repeat(1_001) }],
    ['agent_id', { agent_id: 7 }],
    ['agent_id', { agent_id: `agent_${UNKNOWN}` }],
    ['agent_id', { agent_id: 'nonsense' }],
    ['contact_id', { contact_id: `contact_${UNKNOWN}` }],
    ['start_at', { start_at: '2026-03-01T10:00:00Z' }],
  ])('refuses a bad %s with 400 and changes nothing (%#)', async (field, change) => {
    const before = await ok(workspace.api.get(`conversations/${id}`));
    const { status, body } = await patch({ folder: 'elsewhere', ...change });
    expect([status, body.code]).toEqual([400, 'validation_failed']);
    expect(body.detail).toContain(field);
    expect(await ok(workspace.api.get(`conversations/${id}`))).toEqual(before);
  });

  it('refuses the agent of another organization as its owner, with 400', async () => {
    const { agentId } = await newWorkspace();
    expect((await patch({ agent_id: agentId })).status).toBe(400);
  });

  it('answers 404 when it is unknown or of another organization', async () => {
    const other = await newWorkspace();
    for (const api of [
      workspace.api.patch(`conversations/conv_${UNKNOWN}`, { is_read: true }),
      other.api.patch(`conversations/${id}`, { is_read: true }),
    ]) {
      const { status, body } = await api;
      expect([status, body.code]).toEqual([404, 'conversation_not_found']);
    }
  });

  it('is refused to a read-only key, which may read it', async () => {
    const { api_key } = await ok(newKey(workspace.admin, workspace.organizationId, { read_only: true }));
    const reader = apiOf(workspace.organizationId, api_key);
    const { status, body } = await reader.patch(`conversations/${id}`, { is_read: true });
    expect([status, body.code]).toEqual([403, 'read_only_key']);
    expect((await reader.get(`conversations/${id}`)).status).toBe(200);
  });

  it('survives fifty changes at once, each of which is answered', async () => {
    const answers = await Promise.all(
      Array.from({ length: 50 }, (_, nr) => patch(nr % 2 ? { folder: `f${nr}` } : { is_read: nr % 4 === 0 })),
    );
    expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 200));
  });
});
