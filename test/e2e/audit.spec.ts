import {
  apiOf,
  emailChannel,
  type Json,
  newKey,
  newWorkspace,
  ok,
  type Query,
  type Workspace,
} from '../support/clients/client.js';
import { expectProblem, INSTANT } from '../support/clients/expectations.js';
import {
  autosend,
  draftsOf,
  draftWith,
  messagesOf,
  postMail,
  promotedMessage,
  rawMail,
  receivedMail,
} from '../support/data/mail.js';
import { uploaded } from '../support/data/records.js';
import { startSmtp, type TestSmtp } from '../support/stand-ins/smtp.js';

const UNKNOWN = '01hzy3v7q4e8k9m2n5p6r7s8t9';

let smtp: TestSmtp;
let workspace: Workspace;

beforeAll(async () => {
  smtp = await startSmtp();
});

beforeEach(async () => {
  workspace = await newWorkspace();
});

afterAll(() => smtp.close());

const list = async (query?: Query): Promise<Json[]> =>
  (await ok(workspace.api.get('audit-logs', query))).data;

/** The records so far, oldest first. */
const logged = async (): Promise<Json[]> => (await list({ limit: 200 })).reverse();

const ofRecord = async (id: string): Promise<Json[]> =>
  (await logged()).filter(({ record }) => record.id === id);

const toOf = ({ changes }: Json): Json =>
  Object.fromEntries(changes.map(({ field, to }: Json) => [field, to]));

const patch = ({ conversation_id }: Json, body: object) =>
  ok(workspace.api.patch(`conversations/${conversation_id}`, body));

describe('the audit log', () => {
  it('has at once what was written before it is asked for', async () => {
    for (let nr = 1; nr <= 10; nr++) {
      await receivedMail(workspace);
      expect(await logged()).toHaveLength(nr);
    }
  });

  it('has an insert with each documented field that has a value, from null', async () => {
    const message = await receivedMail(workspace, {
      sent_at: '2026-03-01T12:00:00.000001Z',
      folder: 'Leads',
    });
    const { contact_id } = await ok(workspace.api.get(`conversations/${message.conversation_id}`));
    const [record] = await ofRecord(message.conversation_id);
    expect(record).toEqual({
      audit_log_id: expect.stringMatching(/^audit_/),
      occurred_at: expect.stringMatching(INSTANT),
      agent_id: workspace.agentId,
      action_type: 'insert',
      record: { type: 'conversation', id: message.conversation_id },
      changes: expect.any(Array),
      actor: { type: 'agent', id: workspace.agentId, name: 'Ada Byron' },
      key_id: workspace.keyId,
      request_id: expect.any(String),
      event_id: expect.any(String),
      reason: null,
    });
    expect(toOf(record)).toEqual({
      conversation_id: message.conversation_id,
      contact_id,
      start_at: '2026-03-01T12:00:00.000001Z',
      last_activity_at: '2026-03-01T12:00:00.000001Z',
      folder: 'Leads',
      is_read: false,
      status: 'open',
      tags: [],
    });
    expect(record.changes.every(({ from }: Json) => from === null)).toBe(true);
  });

  it('has one update with exactly the fields that changed, whatever the request named', async () => {
    const message = await receivedMail(workspace, { folder: 'Leads' });
    await patch(message, { is_read: true, folder: 'Leads', agent_id: workspace.agentId });
    const [, update, ...more] = await ofRecord(message.conversation_id);
    expect(update).toMatchObject({
      action_type: 'update',
      changes: [
        { field: 'is_read', from: false, to: true },
        { field: 'agent_id', from: null, to: workspace.agentId },
      ],
    });
    expect(more).toEqual([]);
  });

  it('has one record for one request that changes two fields', async () => {
    const message = await receivedMail(workspace, { folder: 'Leads' });
    await patch(message, { is_read: true, folder: null });
    const records = await ofRecord(message.conversation_id);
    expect(records).toHaveLength(2);
    expect(records[1].changes).toEqual(
      expect.arrayContaining([
        { field: 'is_read', from: false, to: true },
        { field: 'folder', from: 'Leads', to: null },
      ]),
    );
    expect(records[1].changes).toHaveLength(2);
  });

  it('has who was made the owner of a conversation, but nothing where the present one is named', async () => {
    const message = await receivedMail(workspace);
    await patch(message, { agent_id: workspace.agentId });
    await patch(message, { agent_id: workspace.agentId });
    await patch(message, { agent_id: null });
    const [, ...updates] = await ofRecord(message.conversation_id);
    expect(updates.map(({ changes }) => changes)).toEqual([
      [{ field: 'agent_id', from: null, to: workspace.agentId }],
      [{ field: 'agent_id', from: workspace.agentId, to: null }],
    ]);
  });

  it('has nothing of what changes no documented field', async () => {
    const message = await receivedMail(workspace, { sent_at: '2026-03-01T12:00:00Z' });
    const { conversation_id } = message;
    const older = { contact: undefined, conversation_id, sent_at: '2026-03-02T12:00:00Z' };
    await receivedMail(workspace, older);
    await patch(message, {});
    await patch(message, { is_read: false });
    // Between the two others, it moves neither the start nor the last activity.
    await receivedMail(workspace, { ...older, sent_at: '2026-03-01T18:00:00Z' });
    const records = await ofRecord(conversation_id);
    expect(records.map(({ action_type }) => action_type)).toEqual(['insert', 'update']);
  });

  it('has an update of the conversation for a message that moves it, and none for a repeat', async () => {
    const first = await receivedMail(workspace, { sent_at: '2026-03-02T12:00:00Z' });
    const { conversation_id } = first;
    const earlier = {
      contact: undefined,
      conversation_id,
      sent_at: '2026-03-01T12:00:00Z',
      external_id: 'same',
      email_metadata: undefined,
    };
    await receivedMail(workspace, earlier);
    await receivedMail(workspace, earlier);
    const [, update, ...more] = await ofRecord(conversation_id);
    expect(update.changes).toEqual([
      { field: 'start_at', from: '2026-03-02T12:00:00.000000Z', to: '2026-03-01T12:00:00.000000Z' },
    ]);
    expect(more).toEqual([]);
  });

  it('follows a response draft from insert over update to delete', async () => {
    const message = await receivedMail(workspace);
    const draft = await ok(workspace.api.post(draftsOf(message), { body_html: '<p>One</p>' }));
    const path = `${draftsOf(message)}/${draft.response_id}`;
    const shown = await ok(workspace.api.get(path));
    await ok(workspace.api.post(draftsOf(message), { body_html: '<p>Two</p>', cc_emails: ['a@b.example'] }));
    await ok(workspace.api.post(draftsOf(message), { body_html: '<p>Two</p>', cc_emails: ['a@b.example'] }));
    await workspace.api.delete(path);
    const [insert, update, remove, ...more] = await ofRecord(draft.response_id);
    expect(more).toEqual([]);
    expect(toOf(insert)).toEqual({
      response_id: draft.response_id,
      conversation_id: message.conversation_id,
      body_html: '<p>One</p>',
      recipient_name: 'Grace Hopper',
      recipient_email: shown.recipient_email,
      cc_emails: [],
      bcc_emails: [],
      created_at: shown.created_at,
    });
    expect(update.changes).toEqual(
      expect.arrayContaining([
        { field: 'body_html', from: '<p>One</p>', to: '<p>Two</p>' },
        { field: 'cc_emails', from: [], to: ['a@b.example'] },
      ]),
    );
    expect(update.changes).toHaveLength(2);
    expect(remove.action_type).toBe('delete');
    expect(remove.changes).toEqual(
      expect.arrayContaining([{ field: 'body_html', from: '<p>Two</p>', to: null }]),
    );
    expect(remove.changes.every(({ to }: Json) => to === null)).toBe(true);
    expect(insert.record).toEqual({ type: 'response_draft', id: draft.response_id });
  });

  it('has the files of a draft, its signature, and what a reply does besides', async () => {
    const message = await receivedMail(workspace);
    const { file_id } = await ok(uploaded(workspace.api));
    const save = (fields: object) =>
      ok(workspace.api.post(draftsOf(message), { body_html: '<p>One</p>', ...fields }));
    const { response_id } = await save({});
    await save({
      file_ids: [file_id],
      without_signature: true,
      cancel_on_reply: true,
      close_after_send: true,
    });
    const { files } = await ok(workspace.api.get(`${draftsOf(message)}/${response_id}`));
    expect((await ofRecord(response_id))[1].changes).toEqual([
      { field: 'files', from: [], to: files },
      { field: 'without_signature', from: false, to: true },
      { field: 'cancel_on_reply', from: false, to: true },
      { field: 'close_after_send', from: false, to: true },
    ]);
  });

  it('has a promotion as the delete of the draft and the update of the conversation, by nobody', async () => {
    await emailChannel(workspace, smtp.port);
    const message = await receivedMail(workspace);
    const draft = await ok(workspace.api.post(draftsOf(message), autosend()));
    const reply = await promotedMessage(workspace, draft);
    const records = await logged();
    expect(
      records.map(({ record, action_type, agent_id, actor }) => [
        record.type,
        action_type,
        agent_id,
        actor.type,
      ]),
    ).toEqual([
      ['conversation', 'insert', workspace.agentId, 'agent'],
      ['response_draft', 'insert', workspace.agentId, 'agent'],
      ['response_draft', 'delete', null, 'system'],
      ['conversation', 'update', null, 'system'],
    ]);
    expect(toOf(records[3])).toEqual({ last_activity_at: reply.sent_at, is_read: true });
  });

  it('has the queueing of a saved draft, and its return when it could not be sent, but no attempts', async () => {
    await emailChannel(workspace, smtp.port);
    smtp.respond.data = ((left) => () => ({ code: left-- > 0 ? 451 : 554 }))(2);
    const message = await receivedMail(workspace);
    const draft = await ok(workspace.api.post(draftsOf(message), { body_html: 'x' }));
    const { scheduled_send_at } = await ok(
      workspace.api.post(`${draftsOf(message)}/${draft.response_id}/send`),
    );
    await draftWith(workspace, draft, 'failed');
    smtp.respond.data = undefined;
    const [, ...updates] = await ofRecord(draft.response_id);
    expect(updates.map(({ changes, agent_id }) => [changes, agent_id])).toEqual([
      [[{ field: 'scheduled_send_at', from: null, to: scheduled_send_at }], workspace.agentId],
      [[{ field: 'scheduled_send_at', from: scheduled_send_at, to: null }], null],
    ]);
  });

  it('names no agent for a key without one, a provider, or a read', async () => {
    const { api_key, key_id } = await ok(newKey(workspace.admin, workspace.organizationId));
    const unbound = { ...workspace, api: apiOf(workspace.organizationId, api_key) };
    const byKey = await receivedMail(unbound);
    const channel = await emailChannel(workspace, smtp.port);
    const byMail = await ok(postMail(channel, rawMail()));
    await messagesOf(workspace, byMail);
    const records = await logged();
    expect(records.map(({ record, agent_id, actor }) => [record.id, agent_id, actor.type])).toEqual([
      [byKey.conversation_id, null, 'key'],
      [byMail.conversation_id, null, 'provider'],
    ]);
    expect(records[0].actor.id).toBe(key_id);
  });

  it('names the request by its X-Request-Id', async () => {
    const message = await receivedMail(workspace);
    const { api } = workspace;
    await ok(
      api.with({ 'x-request-id': 'request-of-the-test' }).patch(`conversations/${message.conversation_id}`, {
        is_read: true,
      }),
    );
    expect((await ofRecord(message.conversation_id))[1].request_id).toBe('request-of-the-test');
  });

  it('has one record per change, in their order, when many make them at once', async () => {
    const message = await receivedMail(workspace);
    const folders = Array.from({ length: 40 }, (_, nr) => `f${nr}`);
    await Promise.all(folders.map((folder) => patch(message, { folder })));
    const [, ...updates] = await ofRecord(message.conversation_id);
    expect(updates.map(({ changes }) => changes[0].to).toSorted()).toEqual(folders.toSorted());
    const froms = updates.map(({ changes }) => changes[0].from);
    expect(froms).toEqual([null, ...updates.slice(0, -1).map(({ changes }) => changes[0].to)]);
    expect(new Set(updates.map(({ event_id }) => event_id)).size).toBe(40);
  });
});

describe('the list of audit records', () => {
  let message: Json;
  let draft: Json;
  let other: string;

  beforeEach(async () => {
    ({ agent_id: other } = await ok(workspace.adminApi.post('agents', { name: 'Alan Turing' })));
    const { api_key } = await ok(newKey(workspace.admin, workspace.organizationId, { agent_id: other }));
    message = await receivedMail(workspace);
    const byOther = apiOf(workspace.organizationId, api_key);
    await ok(byOther.patch(`conversations/${message.conversation_id}`, { is_read: true }));
    draft = await ok(byOther.post(draftsOf(message), { body_html: 'x' }));
    await ok(
      workspace.api
        .delete(`${draftsOf(message)}/${draft.response_id}`)
        .then((answer) => ({ ...answer, status: 200 })),
    );
  });

  const kinds = async (query?: Query): Promise<string[]> =>
    (await list(query)).map(({ record, action_type }) => `${record.type} ${action_type}`);

  it('is ordered newest first', async () => {
    const records = await list();
    expect(await kinds()).toEqual([
      'response_draft delete',
      'response_draft insert',
      'conversation update',
      'conversation insert',
    ]);
    const instants = records.map(({ occurred_at }) => occurred_at);
    expect(instants).toEqual(instants.toSorted().reverse());
  });

  it('is filtered by agent, record type, action type and record', async () => {
    expect(await kinds({ agent_id: other })).toEqual(['response_draft insert', 'conversation update']);
    expect(await kinds({ record_type: 'conversation' })).toEqual([
      'conversation update',
      'conversation insert',
    ]);
    expect(await kinds({ action_type: 'insert' })).toEqual(['response_draft insert', 'conversation insert']);
    expect(await kinds({ record_id: draft.response_id })).toEqual([
      'response_draft delete',
      'response_draft insert',
    ]);
    const all = {
      agent_id: other,
      record_type: 'conversation',
      action_type: 'update',
      record_id: message.conversation_id,
    };
    expect(await kinds(all)).toEqual(['conversation update']);
    expect(await kinds({ ...all, action_type: 'insert' })).toEqual([]);
  });

  it('is filtered by occurred_at, start included, end excluded', async () => {
    const [last, , , first] = await list();
    expect(await kinds({ start_date: last.occurred_at })).toEqual(['response_draft delete']);
    expect(await list({ end_date: first.occurred_at })).toEqual([]);
    expect(await kinds({ start_date: first.occurred_at, end_date: last.occurred_at })).toHaveLength(3);
  });

  it.each<[string, Query]>([
    ['agent', { agent_id: `agent_${UNKNOWN}` }],
    ['malformed agent', { agent_id: 'nonsense' }],
    ['record', { record_id: `conv_${UNKNOWN}` }],
    ['type without records', { record_type: 'sale' }],
    ['type without records', { record_type: 'message_draft' }],
  ])('is empty for an unknown %s', async (_, query) => {
    expect(await list(query)).toEqual([]);
  });

  it.each<[string, Query]>([
    ['record_type', { record_type: 'message' }],
    ['action_type', { action_type: 'remove' }],
    ['start_date', { start_date: 'yesterday' }],
    ['end_date', { start_date: '2026-03-02T00:00:00Z', end_date: '2026-03-01T00:00:00Z' }],
    ['limit', { limit: 0 }],
    ['type', { type: 'sale' }],
  ])('refuses a bad %s with 400', async (field, query) => {
    expectProblem(await workspace.api.get('audit-logs', query), 400, 'validation_failed', field);
  });

  it('is paged without a gap or a repeat, filters included', async () => {
    for (const filter of [{}, { record_type: 'conversation' }]) {
      const seen: Json[] = [];
      for (let cursor: string | undefined | null; cursor !== null;) {
        const { data, pagination } = await ok(
          workspace.api.get('audit-logs', { ...filter, limit: 1, ...(cursor && { cursor }) }),
        );
        seen.push(...data);
        cursor = pagination.next_cursor;
      }
      expect(seen).toEqual(await list(filter));
    }
  });

  it('refuses the cursor of other filters', async () => {
    const { pagination } = await ok(workspace.api.get('audit-logs', { limit: 1 }));
    const query = { cursor: pagination.next_cursor, record_type: 'conversation' };
    expectProblem(await workspace.api.get('audit-logs', query), 400, 'validation_failed', 'cursor');
    const { organizationId: organization_id } = workspace;
    const all = '/admin/v1/audit-logs';
    expectProblem(
      await workspace.admin.get(all, { organization_id, cursor: pagination.next_cursor }),
      400,
      'validation_failed',
      'cursor',
    );
  });

  it('shows each record under its id, 404 when it is unknown or of another organization', async () => {
    const elsewhere = await newWorkspace();
    for (const record of await list()) {
      const path = `audit-logs/${record.audit_log_id}`;
      expect(await ok(workspace.api.get(path))).toEqual(record);
      expectProblem(await elsewhere.api.get(path), 404, 'audit_log_not_found');
    }
    for (const id of [`audit_${UNKNOWN}`, 'nonsense'])
      expectProblem(await workspace.api.get(`audit-logs/${id}`), 404, 'audit_log_not_found');
    expect((await ok(elsewhere.api.get('audit-logs'))).data).toEqual([]);
  });
});
