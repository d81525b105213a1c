import {
  adminOf,
  type Client,
  emailChannel,
  type Json,
  newKey,
  newWorkspace,
  ok,
  unique,
  type Workspace,
} from '../support/clients/client.js';
import { inDatabase } from '../support/database/database.js';
import { expectProblem, INSTANT } from '../support/clients/expectations.js';
import { newDataDir, removeDataDir } from '../support/server/data-dir.js';
import { databaseUrl, type Server, startServer } from '../support/server/server.js';
import { startSmtp, type TestSmtp } from '../support/stand-ins/smtp.js';
import { startTwilio, textsBy } from '../support/stand-ins/twilio.js';
import { until } from '../support/until.js';

const NOWHERE = '01hzy3v7q4e8k9m2n5p6r7s8t9';

let admin: Client;
beforeAll(() => {
  admin = adminOf();
});

/** Everything that a table holds, as text; bytes as Latin-1. */
const dump = (table: string): Promise<string> =>
  inDatabase(async (database) => {
    const { rows } = await database.query(`SELECT * FROM ${table}`);
    return JSON.stringify(rows, (_, value) =>
      value?.type === 'Buffer' ? Buffer.from(value.data).toString('latin1') : value,
    );
  });

describe('the X-ADMIN-KEY header', () => {
  it.each([
    ['missing', ''],
    ['wrong', 'wrong-key-of-the-tests'],
    ['cut short', 'admin-key-of-the-test'],
  ])('refuses a key that is %s', async (_, key) => {
    const answer = await admin.with({ 'x-admin-key': key }).get('organizations');
    expectProblem(answer, 401, 'unauthorized');
    expect(answer.headers.get('www-authenticate')).toBe('ApiKey');
  });

  it('refuses an API key', async () => {
    const { key } = await newWorkspace();
    const bare = admin.with({ 'x-admin-key': '' });
    expectProblem(await bare.with({ 'x-api-key': key }).get('organizations'), 401, 'unauthorized');
    expectProblem(await admin.with({ 'x-admin-key': key }).get('organizations'), 401, 'unauthorized');
  });
});

describe('organizations', () => {
  it('are created with defaults for time zone, region and business hours', async () => {
    const answer = await admin.post('organizations', { name: 'Northwind' });
    expect(answer.status).toBe(201);
    expect(answer.body).toEqual({
      organization_id: expect.stringMatching(/^org_[0-7][0-9a-z]{25}$/),
      name: 'Northwind',
      timezone: 'UTC',
      default_region: 'US',
      business_hours: { days: [1, 2, 3, 4, 5], from: '09:00', to: '17:00' },
      notification_emails: [],
      created_at: expect.stringMatching(INSTANT),
    });
  });

  it('are created with what is given', async () => {
    const body = {
      name: 'Northwind',
      timezone: 'Europe/Berlin',
      default_region: 'DE',
      business_hours: { days: [6, 7], from: '00:00', to: '23:59' },
      notification_emails: ['team@northwind.example'],
    };
    const created = await ok(admin.post('organizations', body));
    expect(created).toMatchObject(body);
    const { data } = await ok(admin.get('organizations'));
    expect(data).toContainEqual(created);
  });

  it('are listed, newest first, as {data}', async () => {
    const first = await ok(admin.post('organizations', { name: 'First' }));
    const second = await ok(admin.post('organizations', { name: 'Second' }));
    const body = await ok(admin.get('organizations'));
    expect(Object.keys(body)).toEqual(['data']);
    const ids = body.data.map((one: Json) => one.organization_id);
    expect(ids.indexOf(second.organization_id)).toBeLessThan(ids.indexOf(first.organization_id));
    expect(ids).toEqual([...ids].sort().reverse());
  });

  it('help to read national phone numbers by their default_region', async () => {
    const { api } = await newWorkspace({ organization: { default_region: 'GB' } });
    const { contact_id } = await ok(api.post('contacts', { phone_number: '020 7946 0958' }));
    const { data } = await ok(api.get('contacts', { phone_number: '+44 20 7946 0958' }));
    expect(data.map((one: Json) => one.contact_id)).toEqual([contact_id]);
  });

  it.each<[string, unknown]>([
    ['name', undefined],
    ['name', ''],
    ['name', null],
    ['name', 7],
    ['name', 'x'.repeat(1_001)],
    ['timezone', 'Mars/Olympus'],
    ['timezone', ''],
    ['timezone', null],
    ['timezone', '+02:00'],
    ['default_region', 'Germany'],
    ['default_region', 'de'],
    ['default_region', 'ZZ'],
    ['business_hours', []],
    ['business_hours', null],
    ['business_hours.days', { days: [], from: '09:00', to: '17:00' }],
    ['business_hours.days', { days: [0], from: '09:00', to: '17:00' }],
    ['business_hours.days', { days: [8], from: '09:00', to: '17:00' }],
    ['business_hours.days', { days: [1.5], from: '09:00', to: '17:00' }],
    ['business_hours.days', { days: '12345', from: '09:00', to: '17:00' }],
    ['business_hours.from', { days: [1], from: '9:00', to: '17:00' }],
    ['business_hours.from', { days: [1], to: '17:00' }],
    ['business_hours.to', { days: [1], from: '09:00', to: '24:00' }],
    ['business_hours.to', { days: [1], from: '17:00', to: '09:00' }],
    ['business_hours.to', { days: [1], from: '09:00', to: '09:00' }],
    ['business_hours.lunch', { days: [1], from: '09:00', to: '17:00', lunch: '12:00' }],
    ['notification_emails', ['team']],
    ['notification_emails', null],
    ['nickname', 'x'],
  ])('are refused with %s from %j', async (field, value) => {
    const body = { name: 'Northwind', [field.split('.')[0]!]: value };
    expectProblem(await admin.post('organizations', body), 400, 'validation_failed', field);
  });

  it('are told nothing of an order of times where one is none', async () => {
    const business_hours = { days: [1], from: '9:00', to: '17:00' };
    const { errors } = (await admin.post('organizations', { name: 'N', business_hours })).body;
    expect(errors).toEqual([{ field: 'business_hours.from', detail: 'must be a time HH:MM' }]);
  });
});

describe('agents', () => {
  it('are added and listed newest first', async () => {
    const { adminApi, agentId } = await newWorkspace();
    const answer = await adminApi.post('agents', { name: 'Alan', email: 'alan@acme.example' });
    expect(answer.status).toBe(201);
    expect(answer.body).toEqual({
      agent_id: expect.stringMatching(/^agent_/),
      name: 'Alan',
      email: 'alan@acme.example',
      signature_html: null,
      updated_at: expect.stringMatching(INSTANT),
    });
    const { data } = await ok(adminApi.get('agents'));
    expect(data.map((one: Json) => one.agent_id)).toEqual([answer.body.agent_id, agentId]);
  });

  it.each<[string, unknown]>([
    ['name', ''],
    ['name', null],
    ['email', 'alan'],
    ['email', 5],
    ['phone', '5550100'],
  ])('are refused with %s %j', async (field, value) => {
    const { adminApi } = await newWorkspace();
    expectProblem(
      await adminApi.post('agents', { name: 'Alan', [field]: value }),
      400,
      'validation_failed',
      field,
    );
  });

  it.each([`org_${NOWHERE}`, 'org_x', 'x'])('are not found in an organization %s', async (id) => {
    const path = `organizations/${id}/agents`;
    expectProblem(await admin.get(path), 404, 'organization_not_found');
    expectProblem(await admin.post(path, { name: 'Alan' }), 404, 'organization_not_found');
  });
});

describe('API keys', () => {
  let workspace: Workspace;
  beforeAll(async () => {
    workspace = await newWorkspace();
  });
  const works = async (key: string) =>
    (await workspace.api.with({ 'x-api-key': key }).get('contacts')).status === 200;

  it('are issued with a secret that is shown this once', async () => {
    const { organizationId, agentId } = workspace;
    const body = {
      name: 'Website',
      organization_ids: [organizationId],
      agent_id: agentId,
      read_only: true,
      expires_at: '2199-01-01T02:00:00+02:00',
    };
    const answer = await admin.post('api-keys', body);
    expect(answer.status).toBe(201);
    const { api_key, ...shown } = answer.body;
    expect(shown).toEqual({
      ...body,
      key_id: expect.stringMatching(/^key_/),
      expires_at: '2199-01-01T00:00:00.000000Z',
      revoked_at: null,
      last_used_at: null,
      created_at: expect.stringMatching(INSTANT),
    });
    const { data, text } = await admin.get('api-keys').then(({ body, text }) => ({ ...body, text }));
    expect(data.find((one: Json) => one.key_id === shown.key_id)).toEqual(shown);
    expect(text).not.toContain(api_key);
    expect(text).not.toContain(api_key.split('_')[2]);
  });

  it('show when they were last used', async () => {
    const { organizationId } = workspace;
    const { key_id, api_key } = await ok(newKey(admin, organizationId));
    const lastUse = async (): Promise<string | null> =>
      (await ok(admin.get('api-keys'))).data.find((one: Json) => one.key_id === key_id).last_used_at;
    expect(await lastUse()).toBeNull();
    const [id, secret] = api_key.split('_').slice(1);
    await workspace.api.with({ 'x-api-key': `parley_${id}_${secret}_00000000` }).get('contacts');
    expect(await works(api_key)).toBe(true);
    await until(async () => (await lastUse()) !== null);
    expect(await lastUse()).toMatch(INSTANT);
  });

  it('rest as hashes only', async () => {
    const { api_key } = await ok(newKey(admin, workspace.organizationId));
    const rest = await dump('api_key');
    expect(rest).toContain(api_key.split('_')[1]);
    expect(rest).not.toContain(api_key.split('_')[2]);
  });

  it('are by default bound to no agent, may write and do not expire', async () => {
    const issued = await ok(newKey(admin, workspace.organizationId));
    expect(issued).toMatchObject({ agent_id: null, read_only: false, expires_at: null });
  });

  it.each<[string, unknown]>([
    ['name', ''],
    ['name', undefined],
    ['organization_ids', undefined],
    ['organization_ids', []],
    ['organization_ids', 'org_x'],
    ['organization_ids', [`org_${NOWHERE}`]],
    ['organization_ids', ['x']],
    ['organization_ids', [1]],
    ['agent_id', `agent_${NOWHERE}`],
    ['agent_id', 'x'],
    ['read_only', 'true'],
    ['read_only', null],
    ['expires_at', 'tomorrow'],
    ['expires_at', '2199-01-01'],
    ['scopes', []],
  ])('are refused with %s %j', async (field, value) => {
    const body = { name: 'Website', organization_ids: [workspace.organizationId], [field]: value };
    expectProblem(await admin.post('api-keys', body), 400, 'validation_failed', field);
  });

  it('are refused for what is wrong first of all', async () => {
    const body = { name: 'Website', organization_ids: 'org_x' };
    expect((await admin.post('api-keys', body)).body.detail).toBe('organization_ids: must be an array');
  });

  it('are refused for an agent of another organization', async () => {
    const { agentId } = await newWorkspace();
    const answer = await newKey(admin, workspace.organizationId, { agent_id: agentId });
    expectProblem(answer, 400, 'validation_failed', 'agent_id');
  });

  it('make their agent the actor of what is done with them', async () => {
    const { api, agentId, organizationId } = workspace;
    const message = {
      modality: 'text',
      message_direction: 'received',
      content: 'Hi',
      contact: { name: 'Grace' },
    };
    const actors = new Map<string, Json>();
    for (const options of [{ agent_id: agentId }, {}]) {
      const { api_key, key_id } = await ok(newKey(admin, organizationId, options));
      const { conversation_id } = await ok(api.with({ 'x-api-key': api_key }).post('messages', message));
      const bound = 'agent_id' in options;
      actors.set(conversation_id, bound ? [agentId, 'agent', agentId] : [null, 'key', key_id]);
    }
    for (const [record_id, [agent_id, type, id]] of actors) {
      const { data } = await ok(api.get('audit-logs', { record_id }));
      expect(data.at(-1)).toMatchObject({ agent_id, actor: { type, id } });
    }
  });

  it('lose their old secret at once when they are rotated', async () => {
    const old = await ok(newKey(admin, workspace.organizationId));
    const answer = await admin.post(`api-keys/${old.key_id}/rotate`);
    expect(answer.status).toBe(200);
    expect(answer.body).toEqual({ ...old, api_key: expect.not.stringMatching(old.api_key) });
    expect(await works(answer.body.api_key)).toBe(true);
    expect(await works(old.api_key)).toBe(false);
  });

  it('keep their old secret for overlap_seconds when they are rotated, then lose it', async () => {
    const old = await ok(newKey(admin, workspace.organizationId));
    const rotate = async (overlap_seconds: number): Promise<string> =>
      (await ok(admin.post(`api-keys/${old.key_id}/rotate`, { overlap_seconds }))).api_key;
    const second = await rotate(3_600);
    expect([await works(old.api_key), await works(second)]).toEqual([true, true]);
    const third = await rotate(1);
    expect([await works(old.api_key), await works(third)]).toEqual([true, true]);
    await until(async () => !(await works(second)));
    expect([await works(old.api_key), await works(third)]).toEqual([true, true]);
    const fourth = await rotate(0);
    expect([await works(third), await works(fourth)]).toEqual([false, true]);
  });

  it('keep each secret that was given out for its overlap when they are rotated several times at once', async () => {
    const old = await ok(newKey(admin, workspace.organizationId));
    const rotate = () => ok(admin.post(`api-keys/${old.key_id}/rotate`, { overlap_seconds: 3_600 }));
    const rotated = await Promise.all([rotate(), rotate(), rotate()]);
    const valid = await Promise.all([old, ...rotated].map(({ api_key }) => works(api_key)));
    expect(valid).toEqual([true, true, true, true]);
  });

  it.each<[unknown]>([[-1], [1.5], ['60'], [null], [1e9]])(
    'are not rotated with overlap_seconds %j',
    async (overlap_seconds) => {
      const { key_id, api_key } = await ok(newKey(admin, workspace.organizationId));
      const answer = await admin.post(`api-keys/${key_id}/rotate`, { overlap_seconds });
      expectProblem(answer, 400, 'validation_failed', 'overlap_seconds');
      expect(await works(api_key)).toBe(true);
    },
  );

  it('are revoked for good, overlapping secrets included', async () => {
    const { key_id, api_key } = await ok(newKey(admin, workspace.organizationId));
    const rotated = await ok(admin.post(`api-keys/${key_id}/rotate`, { overlap_seconds: 3_600 }));
    const answer = await admin.delete(`api-keys/${key_id}`);
    expect([answer.status, answer.text]).toEqual([204, '']);
    expect([await works(api_key), await works(rotated.api_key)]).toEqual([false, false]);
    const { data } = await ok(admin.get('api-keys'));
    expect(data.find((one: Json) => one.key_id === key_id)?.revoked_at).toMatch(INSTANT);
    expectProblem(await admin.post(`api-keys/${key_id}/rotate`), 404, 'api_key_not_found');
    expectProblem(await admin.delete(`api-keys/${key_id}`), 404, 'api_key_not_found');
  });

  it.each([`key_${NOWHERE}`, 'key_x', `org_${NOWHERE}`])('are not found by the id %s', async (id) => {
    expectProblem(await admin.post(`api-keys/${id}/rotate`), 404, 'api_key_not_found');
    expectProblem(await admin.delete(`api-keys/${id}`), 404, 'api_key_not_found');
  });
});

describe('a second process on the same database', () => {
  let second: Server;
  let dataDir: string;
  beforeAll(async () => {
    dataDir = newDataDir();
    const DATABASE_URL = await databaseUrl(process.env['PARLEY_TEST_DATA_DIR']!);
    second = await startServer({ entry: 'api', dataDir, env: { DATABASE_URL, PARLEY_ADMIN_KEY: undefined } });
  });
  afterAll(async () => {
    await second.stop();
    removeDataDir(dataDir);
  });

  it('admits a key until it is revoked in the first, and then no longer', async () => {
    const workspace = await newWorkspace();
    const asked = () =>
      fetch(`${second.url}${workspace.api.base}/contacts`, { headers: { 'x-api-key': workspace.key } });
    expect((await asked()).status).toBe(200);
    await ok(admin.delete(`api-keys/${workspace.keyId}`));
    await until(async () => (await asked()).status === 401);
  });

  it('admits a new secret of a key at once', async () => {
    const workspace = await newWorkspace();
    const asked = (key: string) =>
      fetch(`${second.url}/api/v2/organizations`, { headers: { 'x-api-key': key } });
    expect((await asked(workspace.key)).status).toBe(200);
    for (const overlap_seconds of [0, 60]) {
      const { api_key } = await ok(admin.post(`api-keys/${workspace.keyId}/rotate`, { overlap_seconds }));
      expect((await asked(api_key)).status).toBe(200);
      expect((await asked(`${api_key.slice(0, -1)}x`)).status).toBe(401);
    }
  });

  it('checks custom values against a field that was defined in the first', async () => {
    const workspace = await newWorkspace();
    const post = (custom_fields: object) =>
      fetch(`${second.url}${workspace.api.base}/contacts`, {
        method: 'POST',
        headers: { 'x-api-key': workspace.key, 'content-type': 'application/json' },
        body: JSON.stringify({ name: 'Grace', custom_fields }),
      });
    expect((await post({ age: 85 })).status).toBe(400);
    await ok(workspace.adminApi.post('custom-fields/contacts', { label: 'Age', type: 'number' }));
    await until(async () => (await post({ age: 85 })).status === 201);
  });

  it('has no operator surface at all when PARLEY_ADMIN_KEY is unset', async () => {
    for (const path of ['organizations', 'api-keys', 'nothing']) {
      expectProblem(await adminOf(second.url).get(path), 404, 'not_found');
      expectProblem(await adminOf(second.url, '').get(path), 404, 'not_found');
    }
  });
});

describe('custom field definitions', () => {
  let workspace: Workspace;
  beforeEach(async () => {
    workspace = await newWorkspace();
  });
  const define = (body: object, record = 'contacts') =>
    workspace.adminApi.post(`custom-fields/${record}`, body);
  const keyOf = async (label: string) => (await ok(define({ label, type: 'string' }))).key;

  it('are answered with 201 and their generated key', async () => {
    const body = { label: 'Contract end', type: 'string', ui_type: 'date', default: '2026-12-31' };
    const answer = await define(body, 'sales');
    expect(answer.status).toBe(201);
    expect(answer.body).toEqual({ key: 'contract_end', options: null, ...body });
    expect((await define({ label: 'X', type: 'boolean' })).body).toEqual({
      key: 'x',
      label: 'X',
      type: 'boolean',
      ui_type: null,
      options: null,
      default: null,
    });
  });

  it.each([
    ['Contract End', 'contract_end'],
    ['  --Lead (Source)! ', 'lead_source'],
    ['A  &  B', 'a_b'],
    ['already_a_key', 'already_a_key'],
    ['Größe', 'gr_e'],
    ['2nd phone', '2nd_phone'],
    ['名前', 'field'],
    ['!!!', 'field'],
    ['_', 'field'],
    ['__proto__', 'proto'],
    ['Constructor', 'constructor'],
    ['CRLF\r\nlabel', 'crlf_label'],
  ])('make of the label %j the key %s', async (label, key) => {
    expect(await keyOf(label)).toBe(key);
  });

  it('append a number to a key that is taken', async () => {
    expect([await keyOf('Size'), await keyOf('size!'), await keyOf('SIZE'), await keyOf('Size 2')]).toEqual([
      'size',
      'size_2',
      'size_3',
      'size_2_2',
    ]);
    expect((await ok(define({ label: 'Size', type: 'string' }, 'companies'))).key).toBe('size');
  });

  it('get different keys when one label is defined many times at the same moment', async () => {
    const keys = await Promise.all(Array.from({ length: 8 }, () => keyOf('Size')));
    expect(keys.sort()).toEqual(['size', ...[2, 3, 4, 5, 6, 7, 8].map((number) => `size_${number}`)]);
  });

  it('are listed by kind of record in the order of their creation', async () => {
    for (const [label, record] of [
      ['Zeta', 'contacts'],
      ['Alpha', 'contacts'],
      ['Size', 'companies'],
      ['Mid', 'contacts'],
    ])
      await ok(define({ label, type: 'string' }, record));
    const all = await ok(workspace.api.get('custom-fields'));
    expect(Object.keys(all).sort()).toEqual(['companies', 'contacts', 'sales']);
    expect(all.sales).toEqual([]);
    expect(all.contacts.map((one: Json) => one.key)).toEqual(['zeta', 'alpha', 'mid']);
    expect(all.companies).toEqual([
      { key: 'size', label: 'Size', type: 'string', ui_type: null, options: null, default: null },
    ]);
  });

  it.each<[object]>([
    [{ type: 'string', default: 'x' }],
    [{ type: 'string', default: '' }],
    [{ type: 'number', default: 0 }],
    [{ type: 'boolean', default: false }],
    [{ type: 'enum', options: ['A', 'B'], default: 'B' }],
    [{ type: 'enum', options: ['A'], default: null }],
    [{ type: 'string', ui_type: 'date', default: '2026-12-31' }],
    [{ type: 'string', ui_type: 'paragraph' }],
    [{ type: 'string', ui_type: 'address' }],
    [{ type: 'string', ui_type: null, options: null }],
  ])('take %j, and the default reads back as it was given', async (body) => {
    const definition = await ok(define({ label: 'Some', ...body }));
    expect(definition).toMatchObject(body);
    expect((await ok(workspace.api.get('custom-fields'))).contacts).toEqual([definition]);
    const { custom_fields } = await ok(workspace.api.post('contacts', { name: 'Grace' }));
    expect(custom_fields).toEqual(definition.default === null ? {} : { some: definition.default });
  });

  it.each<[string, object]>([
    ['label', { type: 'string' }],
    ['label', { label: '', type: 'string' }],
    ['label', { label: 5, type: 'string' }],
    ['label', { label: 'x'.repeat(1_001), type: 'string' }],
    ['type', { label: 'X' }],
    ['type', { label: 'X', type: 'date' }],
    ['type', { label: 'X', type: null }],
    ['ui_type', { label: 'X', type: 'string', ui_type: 'slider' }],
    ['options', { label: 'X', type: 'enum' }],
    ['options', { label: 'X', type: 'enum', options: [] }],
    ['options', { label: 'X', type: 'enum', options: null }],
    ['options', { label: 'X', type: 'enum', options: [1] }],
    ['options', { label: 'X', type: 'enum', options: ['A', ' '] }],
    ['options', { label: 'X', type: 'enum', options: ['\u00e9', 'e\u0301'] }],
    ['options', { label: 'X', type: 'enum', options: 'A' }],
    ['default', { label: 'X', type: 'string', default: 1 }],
    ['default', { label: 'X', type: 'number', default: '1' }],
    ['default', { label: 'X', type: 'boolean', default: 'false' }],
    ['default', { label: 'X', type: 'enum', options: ['A'], default: 'B' }],
    ['default', { label: 'X', type: 'string', ui_type: 'date', default: '2026-02-30' }],
    ['default', { label: 'X', type: 'string', default: { x: 1 } }],
    ['ui_type', { label: 'X', type: 'number', ui_type: 'date' }],
    ['ui_type', { label: 'X', type: 'boolean', ui_type: 'address' }],
    ['default', { label: 'X', type: 'string', default: 'x'.repeat(1_001) }],
    ['key', { label: 'X', type: 'string', key: 'mine' }],
  ])('are refused naming %s: %j', async (field, body) => {
    expectProblem(await define(body), 400, 'validation_failed', field);
  });

  it.each(['tasks', 'contact', 'constructor'])('are not found for records of kind %s', async (record) => {
    expect((await define({ label: 'X', type: 'string' }, record)).status).toBe(404);
  });

  it('are not found in an organization that does not exist', async () => {
    const path = `organizations/org_${NOWHERE}/custom-fields/contacts`;
    expectProblem(await admin.post(path, { label: 'X', type: 'string' }), 404, 'organization_not_found');
  });
});

describe('channels', () => {
  let workspace: Workspace;
  beforeEach(async () => {
    workspace = await newWorkspace();
  });
  const PASSWORD = 'correct-horse-battery-staple';
  const TOKEN = 'twilio-auth-token-of-the-tests';
  const email = () => ({
    provider: 'smtp',
    host: 'smtp.acme.example',
    port: 587,
    username: 'ada',
    password: PASSWORD,
    from_name: 'Acme',
    from_address: `${unique('Sales')}@acme.example`,
  });
  const text = { provider: 'twilio', account_sid: 'AC1', auth_token: TOKEN, from_number: '+12125550100' };

  it('for e-mail answer their settings and inbound URLs, never the password', async () => {
    const { password: _, ...settings } = email();
    const answer = await workspace.adminApi.put('channels/email', { ...settings, password: PASSWORD });
    expect(answer.status).toBe(200);
    const { channel_id, hooks, ...shown } = answer.body;
    expect(channel_id).toMatch(/^channel_/);
    expect(shown).toMatchObject({ modality: 'email', ...settings });
    const base = `/hooks/v1/channels/${channel_id}/`;
    expect(hooks).toEqual({
      email: expect.stringMatching(new RegExp(`^http://.+${base}email\\?token=[\\w-]{20,}$`)),
      form: expect.stringMatching(new RegExp(`^http://.+${base}form\\?token=[\\w-]{20,}$`)),
    });
    expect(await ok(workspace.adminApi.get('channels/email'))).toEqual(answer.body);
    expect(answer.text).not.toContain(PASSWORD);
  });

  it('for text answer their settings and inbound URLs, never the auth token', async () => {
    const answer = await workspace.adminApi.put('channels/text', text);
    const { auth_token: _, ...settings } = text;
    expect(answer.body).toMatchObject({ modality: 'text', ...settings });
    expect(Object.keys(answer.body.hooks).sort()).toEqual(['call', 'twilio']);
    expect(answer.text).not.toContain(TOKEN);
    expect((await workspace.adminApi.get('channels/text')).text).not.toContain(TOKEN);
  });

  it('for live chat need no more than their provider', async () => {
    const { modality, provider, hooks } = await ok(
      workspace.adminApi.put('channels/live_chat', { provider: 'inbox' }),
    );
    expect({ modality, provider }).toEqual({ modality: 'live_chat', provider: 'inbox' });
    expect(Object.keys(hooks)).toEqual(['live_chat']);
  });

  it('are listed with their settings and inbound URLs, never their secrets', async () => {
    const { admin, adminApi } = await newWorkspace();
    expect(await ok(adminApi.get('channels'))).toEqual({ data: [] });
    const live = await ok(adminApi.put('channels/live_chat', { provider: 'inbox' }));
    const mail = await ok(adminApi.put('channels/email', { ...email(), password: PASSWORD }));
    const answer = await adminApi.get('channels');
    expect(answer.body).toEqual({ data: [mail, live] });
    expect(answer.text).not.toContain(PASSWORD);
    const nowhere = admin.get(`organizations/org_${NOWHERE}/channels`);
    expectProblem(await nowhere, 404, 'organization_not_found');
  });

  it('rest with their secrets sealed', async () => {
    const { hooks } = await ok(workspace.adminApi.put('channels/email', email()));
    await ok(workspace.adminApi.put('channels/text', text));
    const rest = await dump('channel');
    expect(rest).toContain('smtp.acme.example');
    for (const secret of [PASSWORD, TOKEN, new URL(hooks.email).searchParams.get('token')!])
      expect(rest).not.toContain(secret);
  });

  it('keep their id and inbound URLs when they are replaced', async () => {
    const before = await ok(workspace.adminApi.put('channels/email', email()));
    const settings = email();
    const after = await ok(workspace.adminApi.put('channels/email', settings));
    expect(after).toMatchObject({ channel_id: before.channel_id, hooks: before.hooks });
    expect(after.from_address).toBe(settings.from_address);
  });

  it('can be replaced where another key has sealed them; their inbound URLs then have a new token', async () => {
    const before = await ok(workspace.adminApi.put('channels/email', email()));
    const { channel_id } = before;
    await inDatabase((database) =>
      database.query(`UPDATE channel SET secrets = '\\x00' WHERE channel_id = $1`, [channel_id]),
    );
    const after = await ok(workspace.adminApi.put('channels/email', email()));
    expect(after.channel_id).toBe(channel_id);
    expect(after.hooks.email).not.toBe(before.hooks.email);
    expect(await ok(workspace.adminApi.get('channels/email'))).toEqual(after);
  });

  it('are one, with one id and one token, when they are set up many times at the same moment', async () => {
    const puts = Array.from({ length: 8 }, () =>
      ok(workspace.adminApi.put('channels/live_chat', { provider: 'inbox' })),
    );
    const answers = await Promise.all(puts);
    const [first] = answers;
    for (const answer of answers) expect(answer).toEqual(first);
    expect(await ok(workspace.adminApi.get('channels/live_chat'))).toEqual(first);
  });

  it('take mail in at their URL, and refuse it without their token', async () => {
    const { hooks } = await ok(workspace.adminApi.put('channels/email', email()));
    const url = new URL(hooks.email);
    const raw = `From: grace@navy.example\r\nTo: x@acme.example\r\nMessage-ID: <${unique('m')}@x>\r\n\r\nHello`;
    const push = (path: string) =>
      workspace.api
        .with({ 'x-api-key': '' })
        .send('POST', path, { raw, headers: { 'content-type': 'message/rfc822' } });
    expect((await push(url.pathname + url.search)).status).toBe(201);
    expectProblem(await push(url.pathname), 401, 'unauthorized');
    expectProblem(await push(`${url.pathname}?token=wrong`), 401, 'unauthorized');
    for (const id of ['x', `channel_${NOWHERE}`])
      expectProblem(await push(`/hooks/v1/channels/${id}/email${url.search}`), 401, 'unauthorized');
  });

  it('are gone once they are removed, and their inbound URLs with them', async () => {
    const { hooks } = await ok(workspace.adminApi.put('channels/email', email()));
    const answer = await workspace.adminApi.delete('channels/email');
    expect([answer.status, answer.text]).toEqual([204, '']);
    expectProblem(await workspace.adminApi.get('channels/email'), 404, 'channel_not_found');
    expectProblem(await workspace.adminApi.delete('channels/email'), 404, 'channel_not_found');
    expectProblem(await workspace.adminApi.post('channels/email/validate'), 404, 'channel_not_found');
    const { pathname, search } = new URL(hooks.email);
    const raw = 'From: a@b.example\r\n\r\nHello';
    const headers = { 'content-type': 'message/rfc822' };
    expect((await workspace.api.send('POST', pathname + search, { raw, headers })).status).toBe(401);
  });

  it('of two organizations cannot share a from_address, however it is written', async () => {
    const domain = `${unique('m')}.example`;
    const settings = { ...email(), from_address: `sales@bücher.${domain}` };
    const other = await newWorkspace();
    await ok(workspace.adminApi.put('channels/email', settings));
    for (const from_address of [`SALES@BÜCHER.${domain}`, `sales@xn--bcher-kva.${domain}`]) {
      const taken = { ...settings, from_address };
      expectProblem(await other.adminApi.put('channels/email', taken), 400, 'address_in_use');
    }
    expectProblem(await other.adminApi.get('channels/email'), 404, 'channel_not_found');
    expect((await workspace.adminApi.put('channels/email', settings)).status).toBe(200);
    await ok(workspace.adminApi.put('channels/email', email()));
    expect((await other.adminApi.put('channels/email', settings)).status).toBe(200);
  });

  it.each<[string, string, object]>([
    ['email', 'provider', { provider: 'sendgrid' }],
    ['email', 'provider', { provider: undefined }],
    ['email', 'host', { host: '' }],
    ['email', 'port', { port: 0 }],
    ['email', 'port', { port: 65_536 }],
    ['email', 'port', { port: '587' }],
    ['email', 'port', { port: 1.5 }],
    ['email', 'secure', { secure: 'yes' }],
    ['email', 'from_address', { from_address: 'sales' }],
    ['email', 'from_address', { from_address: '' }],
    ['email', 'from_address', { from_address: undefined }],
    ['email', 'auth_token', { auth_token: 'x' }],
    ['text', 'provider', { provider: 'smtp' }],
    ['text', 'account_sid', { account_sid: undefined }],
    ['text', 'auth_token', { auth_token: '' }],
    ['text', 'from_number', { from_number: 'Acme' }],
    ['text', 'base_url', { base_url: 'twilio.example' }],
    ['text', 'base_url', { base_url: 'file:///etc/passwd' }],
    ['text', 'base_url', { base_url: 'https://user:secret@twilio.example/' }],
    ['live_chat', 'provider', { provider: 'smtp' }],
    ['live_chat', 'host', { provider: 'inbox', host: 'x' }],
  ])('for %s are refused naming %s: %j', async (modality, field, change) => {
    const whole = { email: email(), text, live_chat: { provider: 'inbox' } }[modality];
    const answer = await workspace.adminApi.put(`channels/${modality}`, { ...whole, ...change });
    expectProblem(answer, 400, 'validation_failed', field);
    expectProblem(await workspace.adminApi.get(`channels/${modality}`), 404, 'channel_not_found');
  });

  it.each(['call', 'fax', 'constructor', 'Email'])('do not exist for the modality %s', async (modality) => {
    for (const answer of [
      await workspace.adminApi.put(`channels/${modality}`, { provider: 'smtp' }),
      await workspace.adminApi.get(`channels/${modality}`),
      await workspace.adminApi.delete(`channels/${modality}`),
      await workspace.adminApi.post(`channels/${modality}/validate`),
    ])
      expectProblem(answer, 404, 'channel_not_found');
  });

  it('are not found in an organization that does not exist', async () => {
    const path = `organizations/org_${NOWHERE}/channels/live_chat`;
    expectProblem(await admin.put(path, { provider: 'inbox' }), 404, 'organization_not_found');
    expectProblem(await admin.get(path), 404, 'organization_not_found');
  });

  describe('validate', () => {
    let smtp: TestSmtp;
    beforeAll(async () => {
      smtp = await startSmtp();
      smtp.respond.auth = (user, password) =>
        user === 'ada' && password === PASSWORD ? undefined : { code: 535, text: 'wrong password' };
    });
    afterAll(() => smtp.close());
    const validate = async (port: number, settings: object) => {
      await emailChannel(workspace, port, settings);
      return ok(workspace.adminApi.post('channels/email/validate'));
    };

    it('accepts credentials that the provider takes, and sends nothing', async () => {
      expect(await validate(smtp.port, { username: 'ada', password: PASSWORD })).toEqual({
        valid: true,
        detail: null,
      });
      expect(smtp.seen).toEqual([]);
    });

    it('says why when the provider refuses them', async () => {
      const { valid, detail } = await validate(smtp.port, { username: 'ada', password: 'wrong' });
      expect(valid).toBe(false);
      expect(detail).toContain('wrong password');
    });

    it('asks what stands in for Twilio where texts are sent to, whether or not its URL ends with a slash', async () => {
      const twilio = await startTwilio();
      try {
        await textsBy(workspace, `${twilio.url}/tw/`);
        expect(await ok(workspace.adminApi.post('channels/text/validate'))).toEqual({
          valid: true,
          detail: null,
        });
        expect(twilio.seen.map(({ path }) => path)).toEqual(['GET /tw/2010-04-01/Accounts/AC1.json']);
      } finally {
        await twilio.close();
      }
    });

    it('says why when nobody answers', async () => {
      const { valid, detail } = await validate(1, {});
      expect(valid).toBe(false);
      expect(detail).toMatch(/\S/);
    });
  });
});

describe('legacy solutions', () => {
  it('are added under a UUID', async () => {
    const { adminApi } = await newWorkspace();
    const answer = await adminApi.post('solutions', { name: 'Old' });
    expect(answer.status).toBe(201);
    expect(answer.body).toEqual({
      uuid: expect.stringMatching(/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/),
      name: 'Old',
    });
  });

  it('need a name and an organization', async () => {
    const { adminApi } = await newWorkspace();
    expectProblem(await adminApi.post('solutions', {}), 400, 'validation_failed', 'name');
    expectProblem(
      await admin.post(`organizations/org_${NOWHERE}/solutions`, { name: 'X' }),
      404,
      'organization_not_found',
    );
  });
});

describe('the inbound URLs of a channel', () => {
  it('are on PARLEY_PUBLIC_URL, without a doubled slash', async () => {
    const DATABASE_URL = await databaseUrl(process.env['PARLEY_TEST_DATA_DIR']!);
    // Secrets are sealed under the key of the data directory, so this process shares it.
    const dataDir = process.env['PARLEY_TEST_DATA_DIR']!;
    const PARLEY_PUBLIC_URL = 'https://parley.acme.example/base/';
    const server = await startServer({ entry: 'api', dataDir, env: { DATABASE_URL, PARLEY_PUBLIC_URL } });
    const { adminApi } = await newWorkspace();
    await ok(adminApi.put('channels/live_chat', { provider: 'inbox' }));
    const { hooks, channel_id } = await ok(adminOf(server.url).get(`${adminApi.base}/channels/live_chat`));
    await server.stop();
    expect(hooks.live_chat).toMatch(
      new RegExp(`^https://parley\\.acme\\.example/base/hooks/v1/channels/${channel_id}/live-chat\\?token=`),
    );
  });
});
