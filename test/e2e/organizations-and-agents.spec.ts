import { newKey, newWorkspace, ok, type Workspace } from '../support/clients/client.js';
import { expectProblem } from '../support/clients/expectations.js';

let workspace: Workspace;
beforeEach(async () => {
  workspace = await newWorkspace();
});

describe('GET /organizations', () => {
  it('answers id and name of the organizations that the key sees, without a pagination block', async () => {
    const { api, organizationId } = workspace;
    expect(await ok(api.get('/api/v2/organizations'))).toEqual({
      data: [{ organization_id: organizationId, name: 'Acme' }],
    });
  });

  it('lists the newest organization first', async () => {
    const older = workspace;
    const newer = await newWorkspace();
    const organization_ids = [older.organizationId, newer.organizationId];
    const { api_key } = await ok(older.admin.post('api-keys', { name: 'Both', organization_ids }));
    const { data } = await ok(older.api.with({ 'x-api-key': api_key }).get('/api/v2/organizations'));
    expect(data.map((one: { organization_id: string }) => one.organization_id)).toEqual([
      newer.organizationId,
      older.organizationId,
    ]);
  });

  it('takes no query parameters', async () => {
    expectProblem(
      await workspace.api.get('/api/v2/organizations?limit=1'),
      400,
      'validation_failed',
      'limit',
    );
  });
});

describe('GET /organizations/{organization_id}', () => {
  it('shows time zone, region and business hours', async () => {
    const { api, adminApi, organizationId } = workspace;
    const { timezone, default_region, business_hours } = await ok(adminApi.patch('', {}));
    expect(await ok(api.get(''))).toEqual({
      organization_id: organizationId,
      name: 'Acme',
      timezone,
      default_region,
      business_hours,
    });
  });
});

describe('GET /me', () => {
  it('shows the key, its agent and its organizations', async () => {
    const { api, admin, agentId, organizationId } = workspace;
    const { api_key } = await ok(newKey(admin, organizationId, { agent_id: agentId }));
    const organizations = [{ organization_id: organizationId, name: 'Acme' }];
    expect(await ok(api.with({ 'x-api-key': api_key }).get('/api/v2/me'))).toEqual({
      key: {
        key_id: expect.stringMatching(/^key_/),
        name: expect.any(String),
        scopes: ['read', 'write', 'send'],
        read_only: false,
        expires_at: null,
      },
      agent: { agent_id: agentId, name: expect.any(String), organization_id: organizationId },
      organizations,
    });
  });

  it('tells of a key that only reads, ends and is for nobody', async () => {
    const { api, admin, organizationId } = workspace;
    const expires_at = '2098-01-01T00:00:00.000000Z';
    const { api_key, key_id } = await ok(newKey(admin, organizationId, { read_only: true, expires_at }));
    const { key, agent } = await ok(api.with({ 'x-api-key': api_key }).get('/api/v2/me'));
    expect({ key, agent }).toEqual({
      key: { key_id, name: 'Test', scopes: ['read'], read_only: true, expires_at },
      agent: null,
    });
  });

  it('needs a key', async () => {
    for (const key of ['', 'pk_nonsense'])
      expectProblem(await workspace.api.with({ 'x-api-key': key }).get('/api/v2/me'), 401, 'unauthorized');
  });
});

describe('agents', () => {
  it('are shown with id, name and e-mail address', async () => {
    const { api, adminApi } = workspace;
    const agent = await ok(adminApi.post('agents', { name: 'Alan Turing', email: 'alan@acme.example' }));
    expect(await ok(api.get(`agents/${agent.agent_id}`))).toEqual({
      agent_id: agent.agent_id,
      name: 'Alan Turing',
      email: 'alan@acme.example',
      signature_html: null,
      updated_at: agent.updated_at,
    });
  });

  it.each([
    ['left out', {}],
    ['null', { email: null }],
    ['empty', { email: '' }],
  ])('have no e-mail address, null, when it is %s', async (_, email) => {
    const { api, adminApi } = workspace;
    const { agent_id } = await ok(adminApi.post('agents', { name: 'Alan', ...email }));
    expect((await ok(api.get(`agents/${agent_id}`))).email).toBeNull();
  });

  it('are listed newest first with a pagination block', async () => {
    const { api, adminApi, agentId } = workspace;
    const second = await ok(adminApi.post('agents', { name: 'B' }));
    const third = await ok(adminApi.post('agents', { name: 'C' }));
    const { data, pagination } = await ok(api.get('agents'));
    expect(data.map((one: { agent_id: string }) => one.agent_id)).toEqual([
      third.agent_id,
      second.agent_id,
      agentId,
    ]);
    expect(Object.keys(data[0]).sort()).toEqual([
      'agent_id',
      'email',
      'name',
      'signature_html',
      'updated_at',
    ]);
    expect(pagination).toEqual({ limit: 50, cursor: null, next_cursor: null, has_more: false });
  });

  it.each([
    ['does not exist', 'agent_01hzy3v7q4e8k9m2n5p6r7s8t9'],
    ['is of another type', 'contact_01hzy3v7q4e8k9m2n5p6r7s8t9'],
    ['is malformed', 'agent_x'],
    ['is not an id at all', '%F0%9F%98%80'],
  ])('are not found by an id that %s', async (_, id) => {
    expectProblem(await workspace.api.get(`agents/${id}`), 404, 'agent_not_found');
    expectProblem(await workspace.api.get(`agents/${id}/conversations`), 404, 'agent_not_found');
  });

  it('of another organization are not found', async () => {
    const other = await newWorkspace();
    expectProblem(await workspace.api.get(`agents/${other.agentId}`), 404, 'agent_not_found');
  });
});
