import {
  apiOf,
  type Json,
  newKey,
  newWorkspace,
  ok,
  type Query,
  unique,
  type Workspace,
} from '../support/clients/client.js';
import { changesOf } from '../support/clients/audit.js';
import { inDatabase } from '../support/database/database.js';
import { expectProblem } from '../support/clients/expectations.js';
import { autosend, draftsOf, promotedMessage, receivedMail } from '../support/data/mail.js';
import { emailChannel } from '../support/clients/client.js';
import { readFeed } from '../support/clients/feed.js';
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

const list = async (query?: Query | string): Promise<Json[]> => {
  const path = typeof query === 'string' ? `audit-logs?${query}` : 'audit-logs';
  return (await ok(workspace.api.get(path, typeof query === 'string' ? {} : query))).data;
};

const kindsOf = (records: Json[]): string[] =>
  records.map(({ record, action_type }) => `${record.type} ${action_type}`);

const toOf = (record: Json): Json =>
  Object.fromEntries(Object.entries(changesOf(record)).map(([field, [, to]]) => [field, to]));

/** What the audit log has of a record: not when it was updated, which is when the audit record is from. */
const audited = ({ updated_at: _, ...record }: Json): Json => record;

const withoutNulls = (record: Json): Json =>
  Object.fromEntries(Object.entries(record).filter(([, value]) => value !== null));

describe('contacts, companies and tasks', () => {
  it('have a record of each change, with the fields that the API shows', async () => {
    const { api } = workspace;
    const made: [string, string, Json, Json][] = [];
    const company = await ok(api.post('companies', { name: 'Navy', domain: 'navy.example' }));
    made.push([
      'company',
      company.company_id,
      company,
      await ok(api.patch(`companies/${company.company_id}`, { address: 'Dock 1' })),
    ]);
    const contact = await ok(api.post('contacts', { name: 'Grace', company_id: company.company_id }));
    made.push([
      'contact',
      contact.contact_id,
      contact,
      await ok(api.patch(`contacts/${contact.contact_id}`, { name: 'Grace Hopper' })),
    ]);
    const task = await ok(api.post('tasks', { title: 'Call', contact_id: contact.contact_id }));
    const completed_at = '2026-01-02T03:04:05.000000Z';
    made.push(['task', task.task_id, task, await ok(api.patch(`tasks/${task.task_id}`, { completed_at }))]);

    for (const [record_type, record_id, before, after] of made) {
      const [update, insert, ...more] = await list({ record_type, record_id });
      expect(more).toEqual([]);
      expect(insert).toMatchObject({ action_type: 'insert', record: { type: record_type, id: record_id } });
      expect(toOf(insert)).toEqual(withoutNulls(audited(before)));
      const changed = Object.keys(audited(after)).filter(
        (field) => after[field] !== before[field] && typeof after[field] !== 'object',
      );
      expect(changesOf(update)).toEqual(
        Object.fromEntries(changed.map((field) => [field, [before[field], after[field]]])),
      );
    }
  });

  it('are shown only to those who ask for them, and with all everything is', async () => {
    const { api } = workspace;
    const message = await receivedMail(workspace, {
      contact: { name: 'Emmy', email: `${unique('emmy')}@x.example` },
    });
    const { task_id } = await ok(api.post('tasks', { title: 'Call' }));
    expect(kindsOf(await list())).toEqual(['conversation insert']);
    expect(await list({ record_id: task_id })).toEqual([]);
    expect(kindsOf(await list({ record_id: task_id, record_type: 'all' }))).toEqual(['task insert']);
    expect(kindsOf(await list({ record_type: 'contact' }))).toEqual(['contact insert']);
    expect(await list({ record_type: 'company' })).toEqual([]);
    expect(kindsOf(await list({ record_type: 'all' }))).toEqual(
      expect.arrayContaining(['task insert', 'conversation insert', 'contact insert']),
    );
    for (const several of [
      'record_type=contact&record_type=task',
      'record_type=contact,task',
      'record_type=task, contact',
    ])
      expect(kindsOf(await list(several.replace(' ', '%20')))).toEqual(['task insert', 'contact insert']);
    expect(kindsOf(await list('record_type=task&record_type=all'))).toEqual(
      kindsOf(await list({ record_type: 'all' })),
    );
    expect(message.conversation_id).toBeDefined();
  });

  it('are reached by the id of a record without asking', async () => {
    await ok(workspace.api.post('tasks', { title: 'Call' }));
    const [record] = await list({ record_type: 'task' });
    expect(await ok(workspace.api.get(`audit-logs/${record.audit_log_id}`))).toEqual(record);
  });
});

describe('each record', () => {
  it('names the key that was used and the actor, by their present names', async () => {
    const { admin, organizationId, agentId, keyId } = workspace;
    const unbound = await ok(newKey(admin, organizationId, { name: 'Website' }));
    const byKey = apiOf(organizationId, unbound.api_key);
    await ok(workspace.api.post('tasks', { title: 'By the agent' }));
    await ok(byKey.post('tasks', { title: 'By the key' }));
    const [key, agent] = await list({ record_type: 'task' });
    expect([agent.actor, agent.key_id]).toEqual([{ type: 'agent', id: agentId, name: 'Ada Byron' }, keyId]);
    expect([key.actor, key.key_id, key.agent_id]).toEqual([
      { type: 'key', id: unbound.key_id, name: 'Website' },
      unbound.key_id,
      null,
    ]);
  });

  it('has neither key nor name where a provider or the system acts, and a promotion its reason', async () => {
    await emailChannel(workspace, smtp.port);
    const message = await receivedMail(workspace);
    const draft = await ok(workspace.api.post(draftsOf(message), autosend()));
    await promotedMessage(workspace, draft);
    const saved = await ok(workspace.api.post(draftsOf(message), { body_html: 'x' }));
    await workspace.api.delete(`${draftsOf(message)}/${saved.response_id}`);
    const records = await list();
    const gone = records.filter(({ action_type }) => action_type === 'delete');
    expect(gone.map(({ record, reason, actor, key_id }) => [record.id, reason, actor, key_id])).toEqual([
      [saved.response_id, null, { type: 'agent', id: workspace.agentId, name: 'Ada Byron' }, workspace.keyId],
      [draft.response_id, 'promoted', { type: 'system', id: null, name: null }, null],
    ]);
    const others = records.filter(({ action_type }) => action_type !== 'delete');
    expect(others.every(({ reason }) => reason === null)).toBe(true);
    const byPeople = ['agent', 'key', 'operator', 'provider'].map((type) => `actor_type=${type}`).join('&');
    expect((await list(`action_type=delete&${byPeople}`)).map(({ record }) => record.id)).toEqual([
      saved.response_id,
    ]);
  });

  it('is as it was in the feed, which names no keys', async () => {
    await ok(workspace.api.post('tasks', { title: 'Call' }));
    const { data } = await readFeed(workspace.api, { types: 'TaskCreated' });
    expect(data[0].actor).toEqual({ type: 'agent', id: workspace.agentId });
    expect(JSON.stringify(data)).not.toContain(workspace.keyId);
  });
});

describe('the filters', () => {
  let message: Json;
  let other: Json;

  beforeEach(async () => {
    const { admin, organizationId, api } = workspace;
    other = await ok(newKey(admin, organizationId, { name: 'Other' }));
    message = await receivedMail(workspace);
    await ok(
      api
        .with({ 'x-request-id': 'mine' })
        .patch(`conversations/${message.conversation_id}`, { is_read: true, folder: 'A' }),
    );
    await ok(
      apiOf(organizationId, other.api_key).patch(`conversations/${message.conversation_id}`, { folder: 'B' }),
    );
    await ok(api.with({ 'x-request-id': 'mine' }).post('tasks', { title: 'Call' }));
  });

  const found = async (query: Query | string): Promise<Json[]> =>
    (await list(query)).map(({ changes, actor }) => [
      changes
        .map(({ field }: Json) => field)
        .sort()
        .join(),
      actor.type,
    ]);

  it('find records by field, request, kind of actor and key', async () => {
    expect(await found({ field: 'folder' })).toEqual([
      ['folder', 'key'],
      ['folder,is_read', 'agent'],
    ]);
    expect(await found({ field: 'title' })).toEqual([]);
    expect(await found({ field: 'title', record_type: 'all' })).toEqual([
      ['created_at,metadata,task_id,title', 'agent'],
    ]);
    expect(await found({ request_id: 'mine' })).toEqual([['folder,is_read', 'agent']]);
    expect(kindsOf(await list({ request_id: 'mine', record_type: 'all' }))).toEqual([
      'task insert',
      'conversation update',
    ]);
    expect(await found({ actor_type: 'key' })).toEqual([['folder', 'key']]);
    expect((await found('actor_type=key&actor_type=agent')).length).toBe(3);
    expect(await found({ actor_type: 'provider' })).toEqual([]);
    expect(await found({ key_id: other.key_id })).toEqual([['folder', 'key']]);
    expect((await found({ key_id: workspace.keyId })).length).toBe(2);
  });

  it('are combined, old ones and new ones', async () => {
    const all = {
      agent_id: workspace.agentId,
      record_type: 'conversation',
      action_type: 'update',
      record_id: message.conversation_id,
      field: 'is_read',
      request_id: 'mine',
      actor_type: 'agent',
      key_id: workspace.keyId,
      start_date: '2020-01-01T00:00:00Z',
      end_date: '2100-01-01T00:00:00Z',
    };
    const whole = await list(all);
    expect(whole).toHaveLength(1);
    const names = Object.keys(all) as (keyof typeof all)[];
    for (const one of names)
      for (const another of names) {
        const pair = { [one]: all[one], [another]: all[another] };
        const ids = (await list({ ...pair, limit: 200 })).map(({ audit_log_id }) => audit_log_id);
        expect([one, another, ids]).toEqual([one, another, expect.arrayContaining([whole[0].audit_log_id])]);
      }
    for (const [name, value] of Object.entries({
      field: 'folder_',
      request_id: 'x',
      actor_type: 'key',
      key_id: other.key_id,
    }))
      expect([name, await list({ ...all, [name]: value })]).toEqual([name, []]);
  });

  it('give what the whole log has of it, page by page, each and in pairs', async () => {
    const whole = await list({ record_type: 'all', limit: 200 });
    const filters: [Query, (record: Json) => boolean][] = [
      [{ field: 'folder' }, ({ changes }) => changes.some(({ field }: Json) => field === 'folder')],
      [{ request_id: 'mine' }, ({ request_id }) => request_id === 'mine'],
      [{ actor_type: 'agent' }, ({ actor }) => actor.type === 'agent'],
      [{ actor_type: 'key,operator' }, ({ actor }) => ['key', 'operator'].includes(actor.type)],
      [{ key_id: workspace.keyId }, ({ key_id }) => key_id === workspace.keyId],
      [{ agent_id: workspace.agentId }, ({ agent_id }) => agent_id === workspace.agentId],
      [{ action_type: 'insert,update' }, ({ action_type }) => action_type !== 'delete'],
      [{ record_id: message.conversation_id }, ({ record }) => record.id === message.conversation_id],
      [{ start_date: whole[2].occurred_at }, ({ occurred_at }) => occurred_at >= whole[2].occurred_at],
    ];
    for (const [one, fits] of filters)
      for (const [another, fitsToo] of filters) {
        if (Object.keys(one).some((name) => name in another) && one !== another) continue;
        const query = { ...one, ...another, record_type: 'all' };
        const wanted = whole.filter((record) => fits(record) && fitsToo(record));
        const seen: Json[] = [];
        for (let cursor: string | null = ''; cursor !== null;) {
          const page: Json = await ok(
            workspace.api.get('audit-logs', { ...query, limit: 2, ...(cursor && { cursor }) }),
          );
          seen.push(...page.data);
          cursor = page.pagination.next_cursor;
        }
        expect([query, seen]).toEqual([query, wanted]);
      }
  });

  it.each(['anybody', '', 'Agent', 'agent,'])('refuse "%s" as a kind of actor', async (actor_type) => {
    expectProblem(
      await workspace.api.get('audit-logs', { actor_type }),
      400,
      'validation_failed',
      'actor_type',
    );
    expectProblem(
      await workspace.admin.get('audit-logs', { actor_type }),
      400,
      'validation_failed',
      'actor_type',
    );
  });

  it.each(['field', 'request_id', 'key_id'])('give nothing for an unknown %s', async (name) => {
    expect(await list({ [name]: `key_${UNKNOWN}` })).toEqual([]);
  });
});

describe('the log of all organizations', () => {
  it('shows operators the same, with the organization on each record', async () => {
    const { api, admin, organizationId } = workspace;
    const request_id = unique('everywhere');
    const elsewhere = await newWorkspace();
    for (const one of [api, elsewhere.api]) {
      const asked = one.with({ 'x-request-id': request_id });
      const message = await ok(
        asked.post('messages', {
          modality: 'text',
          message_direction: 'received',
          content: 'x',
          contact: { name: 'Emmy' },
        }),
      );
      await ok(asked.patch(`conversations/${message.conversation_id}`, { folder: 'A' }));
    }
    const all = async (query: Query): Promise<Json[]> => (await ok(admin.get('audit-logs', query))).data;
    const own = await list();
    const records = await all({ request_id });
    expect(records).toHaveLength(4);
    expect(new Set(records.map(({ organization_id }) => organization_id))).toEqual(
      new Set([organizationId, elsewhere.organizationId]),
    );
    const withOrganization = own.map((record) => ({ organization_id: organizationId, ...record }));
    expect(await all({ organization_id: organizationId })).toEqual(withOrganization);
    for (const query of [
      { agent_id: workspace.agentId },
      { key_id: workspace.keyId },
      { record_id: own[0].record.id },
      { request_id, organization_id: organizationId },
      { field: 'folder', organization_id: organizationId },
    ] as Query[])
      expect([query, await all(query)]).toEqual([
        query,
        withOrganization.filter((record) => !('field' in query) || changesOf(record)['folder']),
      ]);
    expect(kindsOf(await all({ request_id, record_type: 'contact' }))).toEqual([
      'contact insert',
      'contact insert',
    ]);
    for (const query of [
      {},
      { field: 'folder' },
      { action_type: 'update' },
      { actor_type: 'agent', record_type: 'all' },
    ] as Query[]) {
      const instants = (await all({ ...query, limit: 200 })).map(({ occurred_at }) => occurred_at);
      expect(instants.length).toBeGreaterThan(1);
      expect(instants).toEqual(instants.toSorted().reverse());
    }
    expect(await all({ organization_id: `org_${UNKNOWN}` })).toEqual([]);
    expectProblem(await admin.with({ 'x-admin-key': '' }).get('audit-logs'), 401, 'unauthorized');
  });

  it('shows operators one record of any organization by its id', async () => {
    const { admin } = workspace;
    const elsewhere = await newWorkspace();
    await ok(elsewhere.api.post('contacts', { name: 'Emmy' }));
    const { organizationId: organization_id } = elsewhere;
    const { data } = await ok(admin.get('audit-logs', { organization_id, record_type: 'contact' }));
    expect(data).toHaveLength(1);
    const path = `audit-logs/${data[0].audit_log_id}`;
    expect(await ok(admin.get(path))).toEqual(data[0]);
    for (const unknown of [`audit_${UNKNOWN}`, 'audit_x', `sale_${UNKNOWN}`])
      expectProblem(await admin.get(`audit-logs/${unknown}`), 404, 'audit_log_not_found');
    for (const key of ['', elsewhere.key, 'x'])
      expectProblem(await admin.with({ 'x-admin-key': key }).get(path), 401, 'unauthorized');
  });
});

describe('as CSV', () => {
  const csv = (path: string, accept = 'text/csv') => workspace.api.with({ accept }).get(path);

  it('has a row for each change below its header, and leads to the next page', async () => {
    const message = await receivedMail(workspace, { folder: '=cmd' });
    const { conversation_id } = message;
    await ok(workspace.api.patch(`conversations/${conversation_id}`, { folder: 'a,"b"\n', is_read: true }));
    const whole = await list({ record_id: conversation_id });
    const rows: string[] = [];
    let header = '';
    let pages = 0;
    for (
      let next: string | null = `audit-logs?record_id=${conversation_id}&limit=1`;
      next !== null;
      pages++
    ) {
      const answer = await csv(next);
      expect([answer.status, answer.headers.get('content-type')]).toEqual([
        200,
        'text/csv; charset=utf-8; header=present',
      ]);
      expect(answer.headers.get('vary')).toContain('Accept');
      expect(answer.text.endsWith('\r\n')).toBe(true);
      const [first, ...others] = answer.text.split('\r\n').slice(0, -1);
      header = first!;
      rows.push(...others);
      const link: string | null = answer.headers.get('link');
      const [, url] = /^<([^>]+)>; rel="next"$/.exec(link ?? '') ?? [];
      next = url === undefined ? null : new URL(url).pathname + new URL(url).search;
    }
    expect(pages).toBe(2);
    expect(header).toBe(
      'audit_log_id,occurred_at,action_type,record_type,record_id,field,from,to,agent_id,actor_type,actor_id,actor_name,key_id,request_id,event_id,reason',
    );
    expect(rows).toHaveLength(whole.flatMap(({ changes }) => changes).length);
    expect(rows).toContainEqual(
      expect.stringContaining(`,conversation,${conversation_id},folder,'=cmd,"a,""b""\n",`),
    );
    expect(rows).toContainEqual(
      expect.stringContaining(
        `,is_read,false,true,${workspace.agentId},agent,${workspace.agentId},Ada Byron,`,
      ),
    );
  });

  it('has only its header where there is nothing', async () => {
    const answer = await csv('audit-logs?field=nothing');
    expect([answer.text.split('\r\n').length, answer.headers.get('link')]).toEqual([2, null]);
  });

  it.each(['*/*', 'application/json', 'text/csv;q=0.1, */*', 'text/csv;q=0', 'text/html'])(
    'is not given for %s',
    async (accept) => {
      const { status, headers } = await csv('audit-logs', accept);
      expect([status, headers.get('content-type')]).toEqual([200, 'application/json; charset=utf-8']);
    },
  );

  it('is there for all organizations, too, and refusals stay problems', async () => {
    await receivedMail(workspace);
    const admin = workspace.admin.with({ accept: 'text/csv' });
    const { text } = await admin.get('audit-logs', { organization_id: workspace.organizationId });
    expect(text.split('\r\n').slice(0, 2)).toEqual([
      expect.stringMatching(/^organization_id,audit_log_id,/),
      expect.stringMatching(new RegExp(`^${workspace.organizationId},audit_`)),
    ]);
    expectProblem(await csv('audit-logs?limit=0'), 400, 'validation_failed', 'limit');
  });
});

describe('what operators set up', () => {
  const ofKind = async (record_type: string): Promise<Json[]> =>
    (await list({ record_type, limit: 200 })).reverse();
  const operator = { type: 'operator', id: null, name: null };

  it('leaves records of agents, keys, the pipeline and custom fields', async () => {
    const { admin, adminApi, organizationId, agentId, keyId, api } = workspace;
    const asked = adminApi.with({ 'x-request-id': 'set-up' });
    const { agent_id } = await ok(asked.post('agents', { name: 'Alan Turing' }));
    const [, agent] = await ofKind('agent');
    expect(agent).toMatchObject({ action_type: 'insert', record: { id: agent_id }, actor: operator });
    expect([agent.request_id, agent.key_id, agent.agent_id]).toEqual(['set-up', null, null]);
    expect(toOf(agent)).toEqual({ agent_id, name: 'Alan Turing' });

    const [key] = await ofKind('api_key');
    const { created_at } = toOf(key);
    expect(key.record).toEqual({ type: 'api_key', id: keyId });
    expect(toOf(key)).toEqual({
      key_id: keyId,
      name: 'Test',
      agent_id: agentId,
      read_only: false,
      created_at,
    });
    const other = await ok(newKey(admin, organizationId));
    await ok(admin.post(`api-keys/${other.key_id}/rotate`, {}));
    await admin.delete(`api-keys/${other.key_id}`);
    const [, issued, rotated, revoked, ...more] = await ofKind('api_key');
    expect([
      issued.action_type,
      Object.keys(changesOf(rotated)),
      Object.keys(changesOf(revoked)),
      more,
    ]).toEqual(['insert', ['secret_changed_at'], ['revoked_at'], []]);

    const { data: stages } = await ok(api.get('sale-statuses'));
    const wanted = stages.map(({ position: _, ...stage }: Json) => stage).toReversed();
    const replaced = await ok(adminApi.put('sale-statuses', wanted));
    await ok(adminApi.put('sale-statuses', wanted));
    const [made, moved, ...again] = await ofKind('pipeline');
    expect([made.action_type, made.record.id, changesOf(made)]).toEqual([
      'insert',
      organizationId,
      { stages: [null, stages] },
    ]);
    expect(changesOf(moved)).toEqual({ stages: [stages, replaced.data] });
    expect(again).toEqual([]);

    const field = await ok(
      adminApi.post('custom-fields/contacts', { label: 'Size', type: 'number', default: 1 }),
    );
    const [defined] = await ofKind('custom_field');
    expect(defined.record.id).toBe('contacts.size');
    expect(toOf(defined)).toEqual({ record: 'contacts', ...withoutNulls(field) });
  });

  it('leaves records of channels and webhooks, and never a secret', async () => {
    const { adminApi } = workspace;
    const settings = { username: 'acme', password: 'hunter2-first', list_unsubscribe: true };
    const channel = await emailChannel(workspace, 1, settings);
    const again = { ...channel, hooks: undefined, channel_id: undefined, modality: undefined };
    await ok(adminApi.put('channels/email', { ...again, password: 'hunter2-first' }));
    await ok(adminApi.put('channels/email', { ...again, password: 'hunter2-second' }));
    await ok(adminApi.put('channels/email', { ...again, password: 'hunter2-second', from_name: 'Acme' }));
    await adminApi.delete('channels/email');
    const channels = await ofKind('channel');
    expect(channels.map(({ action_type, record }) => [action_type, record.id])).toEqual(
      ['insert', 'update', 'update', 'delete'].map((action) => [action, channel.channel_id]),
    );
    const { hooks: _, ...shown } = channel;
    expect(toOf(channels[0])).toEqual(withoutNulls(shown));
    expect(channels.slice(1, 3).map((record) => Object.keys(changesOf(record)))).toEqual([
      ['secret_changed_at'],
      ['from_name'],
    ]);

    const made = await ok(
      adminApi.post('webhooks', { url: 'http://127.0.0.1:1/hook', types: ['TaskCreated'] }),
    );
    await ok(adminApi.patch(`webhooks/${made.webhook_id}`, { paused: true }));
    await ok(adminApi.patch(`webhooks/${made.webhook_id}`, { paused: true }));
    const rotated = await ok(adminApi.post(`webhooks/${made.webhook_id}/rotate`, {}));
    await adminApi.delete(`webhooks/${made.webhook_id}`);
    const webhooks = await ofKind('webhook');
    expect(webhooks.map(({ action_type }) => action_type)).toEqual(['insert', 'update', 'update', 'delete']);
    const [inserted, paused, newSecret, removed] = webhooks;
    const { secret, failing_since: __, ...fields } = made;
    expect(toOf(inserted)).toEqual(withoutNulls(fields));
    expect(changesOf(paused)).toMatchObject({ paused: [false, true], paused_because: [null, 'asked'] });
    expect(Object.keys(changesOf(newSecret))).toEqual(['secret_changed_at']);
    expect(removed!.changes.every(({ to }: Json) => to === null)).toBe(true);

    const text = JSON.stringify(await list({ record_type: 'all', limit: 200 }));
    const tokens = Object.values<string>(channel.hooks).flatMap(
      (url) => new URL(url).searchParams.get('token') ?? [],
    );
    expect(tokens.length).toBeGreaterThan(0);
    for (const hidden of ['hunter2', workspace.key, secret, rotated.secret, ...tokens])
      expect(text).not.toContain(hidden);
  });

  it('leaves the record of a key in each of its organizations, and tells none of the others', async () => {
    const elsewhere = await newWorkspace();
    const { admin, organizationId, agentId, api } = workspace;
    const organization_ids = [organizationId, elsewhere.organizationId];
    const { key_id } = await ok(
      admin.post('api-keys', { name: 'Both', organization_ids, agent_id: agentId }),
    );
    await admin.delete(`api-keys/${key_id}`);
    for (const one of [workspace, elsewhere]) {
      const { data } = await ok(one.api.get('audit-logs', { record_id: key_id, record_type: 'api_key' }));
      expect(kindsOf(data)).toEqual(['api_key update', 'api_key insert']);
      expect(toOf(data[1]).agent_id).toBe(one === workspace ? agentId : undefined);
      const other = organization_ids.find((id) => id !== one.organizationId)!;
      expect(JSON.stringify(data)).not.toContain(other);
    }
    const { data } = await ok(admin.get('audit-logs', { record_id: key_id, record_type: 'all' }));
    expect(new Set(data.map(({ audit_log_id }: Json) => audit_log_id)).size).toBe(4);
    expect(api).toBeDefined();
  });

  it('is told whatever line somebody whose clock is ahead has drawn for those who ask what has changed', async () => {
    const { adminApi, organizationId } = workspace;
    const webhook = { url: 'http://127.0.0.1:1/hook', types: ['TaskCreated'] };
    const { webhook_id } = await ok(adminApi.post('webhooks', webhook));
    let ahead = 0;
    const draw = () =>
      inDatabase((database) =>
        database.query(
          `INSERT INTO es_line (organization_id, at) VALUES ($1, $2)
           ON CONFLICT (organization_id) DO UPDATE SET at = excluded.at`,
          [organizationId, new Date(Date.now() + ++ahead * 60_000)],
        ),
      );
    for (const change of [
      () => adminApi.patch(`webhooks/${webhook_id}`, { paused: true }),
      () => adminApi.post('agents', { name: 'Alan Turing' }),
      () => adminApi.delete(`webhooks/${webhook_id}`),
    ]) {
      await draw();
      await ok(change());
    }
    expect((await list({ record_type: 'webhook,agent' })).map(({ action_type }) => action_type)).toEqual([
      'delete',
      'insert',
      'update',
      'insert',
      'insert',
    ]);
  });

  it('is in no feed, and does not make pages of it shorter', async () => {
    const { adminApi, api } = workspace;
    const fresh = await ok(api.get('events', { limit: 1 }));
    expect(fresh).toEqual({ data: [], next_after: null, has_more: false });
    await ok(api.post('tasks', { title: 'One' }));
    await ok(adminApi.post('agents', { name: 'Alan Turing' }));
    await ok(api.post('tasks', { title: 'Two' }));
    const first = await readFeed(api, { limit: 1 });
    const second = await ok(api.get('events', { limit: 1, after: first.next_after }));
    expect([first, second].map(({ data }) => data.map(({ data: task }: Json) => task.title))).toEqual([
      ['One'],
      ['Two'],
    ]);
    await ok(adminApi.post('agents', { name: 'Grace Hopper' }));
    const rest = await readFeed(api, { after: second.next_after });
    expect([rest.data, rest.has_more]).toEqual([[], false]);
  });

  it('is shown to those who ask for it only', async () => {
    expect(await list()).toEqual([]);
    expect((await list({ record_type: 'agent,api_key,pipeline' })).length).toBe(3);
    for (const record_type of ['tag', 'template', 'webhook']) expect(await list({ record_type })).toEqual([]);
  });
});
