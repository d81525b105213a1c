import { request } from 'node:http';
import { crc32 } from 'node:zlib';
import { type Answer, newKey, newWorkspace, ok, type Workspace } from '../support/clients/client.js';
import { expectProblem } from '../support/clients/expectations.js';

let workspace: Workspace;
beforeAll(async () => {
  workspace = await newWorkspace();
});

const list = (key: string): Promise<Answer> => workspace.api.with({ 'x-api-key': key }).get('contacts');

/** A key whose checksum is right, whatever its parts are. */
function wellFormed(id: string, secret: string): string {
  const body = `parley_${id}_${secret}`;
  return `${body}_${crc32(body).toString(16).padStart(8, '0')}`;
}

const parts = () => workspace.key.split('_') as [string, string, string, string];
const otherEnd = (text: string) => text.slice(0, -1) + (text.endsWith('0') ? '1' : '0');

function expectUnauthorized(answer: Answer): void {
  expectProblem(answer, 401, 'unauthorized');
  expect(answer.headers.get('www-authenticate')).toBe('ApiKey');
}

describe('the X-API-KEY header', () => {
  it('admits a valid key', async () => {
    expect((await list(workspace.key)).status).toBe(200);
  });

  it('is not case sensitive in its name', async () => {
    const { api, key } = workspace;
    expect((await api.with({ 'x-api-key': '', 'X-Api-Key': key }).get('contacts')).status).toBe(200);
  });

  it.each<[string, () => string]>([
    ['missing', () => ''],
    ['malformed', () => 'not a key'],
    ['mistyped, which its checksum shows', () => otherEnd(workspace.key)],
    ['cut short', () => workspace.key.slice(0, -3)],
    ['written in capitals', () => workspace.key.toUpperCase()],
    ['unknown', () => wellFormed('01hzy3v7q4e8k9m2n5p6r7s8t9', parts()[2])],
    ['of a known id with another secret', () => wellFormed(parts()[1], otherEnd(parts()[2]))],
    ['of an id that is none', () => wellFormed('z'.repeat(26), parts()[2])],
    ['followed by more', () => `${workspace.key} ${workspace.key}`],
    ['very long', () => 'parley_'.repeat(1_000)],
    ["the operator's", () => workspace.admin.headers['x-admin-key']!],
  ])('refuses a key that is %s', async (_, key) => {
    expectUnauthorized(await list(key()));
  });

  it('does not tell why a key is refused', async () => {
    const answers = [
      await list(''),
      await list('x'),
      await list(wellFormed(parts()[1], otherEnd(parts()[2]))),
    ];
    const details = answers.map(({ body }) => body.detail);
    expect(new Set(details).size).toBe(1);
  });

  it('refuses two keys in one request', async () => {
    const { api, key } = workspace;
    const status = await new Promise((resolve, reject) => {
      const asked = request(`${api.url}${api.base}/contacts`, {
        headers: ['host', 'localhost', 'x-api-key', key, 'x-api-key', key],
      });
      asked
        .on('response', (answer) => resolve(answer.resume().statusCode))
        .on('error', reject)
        .end();
    });
    expect(status).toBe(401);
  });

  it('is the only place for a key', async () => {
    const { api, key } = workspace;
    const bare = api.with({ 'x-api-key': '' });
    expectUnauthorized(await bare.get('contacts', { 'X-API-KEY': key }));
    expectUnauthorized(await bare.with({ authorization: `Bearer ${key}` }).get('contacts'));
    expectUnauthorized(await bare.with({ cookie: `x-api-key=${key}` }).get('contacts'));
  });

  it('is asked for below /api/v1 and /api/v2, also on paths that do not exist', async () => {
    const bare = workspace.api.with({ 'x-api-key': '' });
    for (const path of ['/api/v2/organizations', '/api/v1/solutions', '/api/v2/nothing', '/api/v3'])
      expectUnauthorized(await bare.get(path));
  });

  it('is checked before anything else of the request', async () => {
    const bare = workspace.api.with({ 'x-api-key': '' });
    const headers = { 'content-type': 'application/json' };
    expectUnauthorized(await bare.send('POST', 'contacts', { raw: '{', headers }));
    expectUnauthorized(await bare.send('POST', 'contacts', { raw: 'x'.repeat(3_000_000), headers }));
    expectUnauthorized(await bare.send('DELETE', 'contacts'));
    expectUnauthorized(await bare.get('contacts', { limit: 'x' }));
  });

  it.each([
    ['in capitals', '/API/v2/organizations/{id}/contacts'],
    ['percent-encoded', '/%61pi/v2/organizations/{id}/contacts'],
    ['percent-encoded whole', '/%61%70%69/%76%32/organizations/{id}/contacts'],
    ['with an encoded slash', '/api%2Fv2/organizations/{id}/contacts'],
    ['with a doubled slash', '//api/v2/organizations/{id}/contacts'],
    ['with a dot segment', '/health/../api/v2/organizations/{id}/contacts'],
    ['with an encoded dot segment', '/health/%2e%2e/api/v2/organizations/{id}/contacts'],
    ['with a backslash', '/health\\..\\api/v2/organizations/{id}/contacts'],
    ['with a parameter', '/api;/v2/organizations/{id}/contacts'],
    ['in absolute form', 'http://x/api/v2/organizations/{id}/contacts'],
    ['in absolute form with another scheme', 'https://x/api/v2/organizations/{id}/contacts'],
    ['with a trailing slash', '/api/v2/organizations/{id}/contacts/'],
    ['of the operator, percent-encoded', '/%61dmin/v1/organizations'],
    ['of the operator, in absolute form', 'http://x/admin/v1/organizations'],
    ['of the operator, with a doubled slash', '//admin/v1/organizations'],
  ])('is not got around by writing the path %s', async (_, path) => {
    const { url } = workspace.api;
    const status = await statusOf(url, path.replace('{id}', workspace.organizationId));
    expect([401, 404]).toContain(status);
  });
});

/** The status of GET on a request target that is sent exactly as it is given. */
function statusOf(url: string, path: string): Promise<number | undefined> {
  const { hostname, port } = new URL(url);
  return new Promise((resolve, reject) => {
    const asked = request({ hostname, port, path });
    asked
      .on('response', (answer) => resolve(answer.resume().statusCode))
      .on('error', reject)
      .end();
  });
}

describe('a key', () => {
  it('consists of the word parley, its id, a secret of 160 bits and a checksum', () => {
    const [word, id, secret, checksum] = parts();
    expect(word).toBe('parley');
    expect(`key_${id}`).toBe(workspace.keyId);
    expect(secret).toMatch(/^[0-9a-z]{32}$/);
    expect(checksum).toMatch(/^[0-9a-f]{8}$/);
  });

  it('sees the organizations it was issued for and no other', async () => {
    const other = await newWorkspace();
    const ids = [workspace.organizationId, other.organizationId];
    const { api_key } = await ok(workspace.admin.post('api-keys', { name: 'Both', organization_ids: ids }));
    const both = workspace.api.with({ 'x-api-key': api_key });
    const seen = async (api: typeof both): Promise<string[]> =>
      (await ok(api.get('/api/v2/organizations'))).data.map(
        (one: { organization_id: string }) => one.organization_id,
      );

    expect((await seen(both)).sort()).toEqual(ids.sort());
    expect(await seen(workspace.api)).toEqual([workspace.organizationId]);
    expect((await both.get(`${other.api.base}/contacts`)).status).toBe(200);
    expectProblem(await workspace.api.get(`${other.api.base}/contacts`), 404, 'organization_not_found');
  });

  it('is refused once it is revoked', async () => {
    const { key_id, api_key } = await ok(newKey(workspace.admin, workspace.organizationId));
    expect((await list(api_key)).status).toBe(200);
    expect((await workspace.admin.delete(`api-keys/${key_id}`)).status).toBe(204);
    expectUnauthorized(await list(api_key));
  });

  it('is refused once it has expired', async () => {
    const expired = { expires_at: '2020-01-01T00:00:00Z' };
    const lasting = { expires_at: '2199-12-31T23:59:59.999999+01:00' };
    const { organizationId, admin } = workspace;
    expectUnauthorized(await list((await ok(newKey(admin, organizationId, expired))).api_key));
    expect((await list((await ok(newKey(admin, organizationId, lasting))).api_key)).status).toBe(200);
  });
});

describe('a read-only key', () => {
  let readOnly: Workspace['api'];
  let contactId: string;
  beforeAll(async () => {
    const { api, admin, organizationId } = workspace;
    const { api_key } = await ok(newKey(admin, organizationId, { read_only: true }));
    readOnly = api.with({ 'x-api-key': api_key });
    contactId = (await ok(api.post('contacts', { name: 'Grace' }))).contact_id;
  });

  it('reads', async () => {
    expect((await readOnly.get(`contacts/${contactId}`)).body.name).toBe('Grace');
    expect((await readOnly.send('HEAD', 'contacts')).status).toBe(200);
  });

  it('is refused on every write with read_only_key, whatever the body holds', async () => {
    expectProblem(await readOnly.post('contacts', { name: 'Ada' }), 403, 'read_only_key');
    expectProblem(await readOnly.post('companies', { nonsense: 1 }), 403, 'read_only_key');
    expectProblem(await readOnly.post('messages', {}), 403, 'read_only_key');
    expectProblem(await readOnly.patch(`contacts/${contactId}`, { name: 'Ada' }), 403, 'read_only_key');
    const headers = { 'content-type': 'text/plain' };
    expectProblem(await readOnly.send('POST', 'contacts', { raw: 'x', headers }), 403, 'read_only_key');
    expect((await readOnly.get(`contacts/${contactId}`)).body.name).toBe('Grace');
  });

  it('does not learn from a write whether an organization exists', async () => {
    const { organizationId } = await newWorkspace();
    const path = `/api/v2/organizations/${organizationId}/contacts`;
    expectProblem(await readOnly.post(path, { name: 'Ada' }), 404, 'organization_not_found');
  });
});
