import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { cli, type CliRun, startCli } from '../support/server/cli.js';
import { apiOf, emailChannel, type Json, newWorkspace, ok, sharedUrl } from '../support/clients/client.js';
import { newDataDir } from '../support/server/data-dir.js';
import { firstMessage } from '../support/data/message-drafts.js';
import { startSmtp } from '../support/stand-ins/smtp.js';
import { until } from '../support/until.js';

const env = () => ({ PARLEY_DATA_DIR: process.env['PARLEY_TEST_DATA_DIR'] });
const parley = (...args: string[]): Promise<CliRun> => cli(args, { env: env() });
const made = async (...args: string[]): Promise<Json> => {
  const { code, stdout, stderr } = await parley(...args);
  if (code !== 0) throw new Error(stderr);
  return JSON.parse(stdout);
};

describe('npm run parley -- create', () => {
  it('makes an organization, an agent and a key that the API knows', async () => {
    const { organization_id } = await made('create', 'organization', 'Navy', '--timezone', 'Europe/Berlin');
    const { agent_id } = await made(
      'create',
      'agent',
      'Grace',
      '--organization',
      organization_id,
      '--email',
      'g@navy.example',
    );
    const { api_key } = await made(
      'create',
      'key',
      'Site',
      organization_id,
      '--agent',
      agent_id,
      '--read-only',
    );
    const api = apiOf(organization_id, api_key, sharedUrl());
    expect((await ok(api.get('agents'))).data).toEqual([
      expect.objectContaining({ agent_id, name: 'Grace', email: 'g@navy.example' }),
    ]);
    expect((await api.post('contacts', { name: 'Ann' })).status).toBe(403);
  });

  it('prints what it made alone on stdout, whatever it logs', async () => {
    const verbose = { ...env(), LOG_LEVEL: 'debug' };
    const { stdout, stderr } = await cli(['create', 'organization', 'Navy'], { env: verbose });
    expect(JSON.parse(stdout)).toMatchObject({ name: 'Navy' });
    expect(stderr).toContain('"level":20');
  });

  it('sets up a channel from a file of settings, or from stdin', async () => {
    const { organizationId, adminApi } = await newWorkspace();
    const args = ['create', 'channel', 'live_chat', '--organization', organizationId, '--settings', '-'];
    const { code, stdout } = await cli(args, { env: env(), stdin: '{"provider": "inbox"}' });
    expect(code).toBe(0);
    const { hooks: _, ...channel } = await ok(adminApi.get('channels/live_chat'));
    expect(JSON.parse(stdout)).toMatchObject(channel);
  });

  it('holds to the rules of the API', async () => {
    const { organizationId } = await newWorkspace();
    const refused: [string[], string][] = [
      [['organization', 'Navy', '--timezone', 'Mars/Olympus'], 'timezone'],
      [['agent', 'Grace', '--organization', 'org_nowhere'], 'There is no organization org_nowhere'],
      [['agent', 'Grace', '--organization', organizationId, '--email', 'x'], 'email'],
      [['key', 'Site', 'org_nowhere'], 'organization_ids'],
      [['channel', 'fax', '--organization', organizationId, '--settings', '/dev/null'], '--settings'],
    ];
    for (const [args, reason] of refused) {
      const { code, stderr } = await parley('create', ...args);
      expect([code, stderr]).toEqual([1, expect.stringContaining(reason)]);
    }
  });
});

describe('npm run parley -- deliveries', () => {
  it('lists what failed and has it tried again', async () => {
    const workspace = await newWorkspace();
    const smtp = await startSmtp();
    smtp.respond.data = () => ({ code: 550 });
    await emailChannel(workspace, smtp.port);
    const { draft_id } = await ok(workspace.api.post('message-drafts', firstMessage()));
    const failed = async (): Promise<Json> =>
      (await ok(workspace.admin.get('deliveries'))).data.find((one: Json) => one.draft_id === draft_id);
    await until(async () => (await failed()) !== undefined);
    expect(await made('deliveries', 'list', '--status', 'failed')).toContainEqual(await failed());
    smtp.respond.data = undefined;
    expect(await made('deliveries', 'retry', draft_id)).toMatchObject({ draft_id });
    await until(async () => (await workspace.api.get(`message-drafts/${draft_id}`)).status === 404);
    await smtp.close();
  });

  it('says what there is not', async () => {
    const { code, stderr } = await parley('deliveries', 'retry', 'draft_nowhere');
    expect([code, stderr]).toEqual([1, expect.stringContaining('There is no delivery draft_nowhere')]);
  });
});

describe('npm run parley -- keys', () => {
  it('lists keys without their secrets, gives one a new secret, and revokes it', async () => {
    const { organizationId } = await newWorkspace();
    const expiry = ['--expires-at', '2100-01-01T01:00:00+01:00'];
    const { key_id, api_key } = await made('create', 'key', 'Site', organizationId, ...expiry);
    const listed = (await made('keys', 'list')).find((one: Json) => one.key_id === key_id);
    expect(listed).toMatchObject({ name: 'Site', expires_at: '2100-01-01T00:00:00.000000Z' });
    expect(listed).not.toHaveProperty('api_key');
    const rotated = await made('keys', 'rotate', key_id, '--overlap', '3600');
    const statusWith = async (key: string) =>
      (await apiOf(organizationId, key, sharedUrl()).get('agents')).status;
    for (const key of [api_key, rotated.api_key]) expect(await statusWith(key)).toBe(200);
    await made('keys', 'revoke', key_id);
    for (const key of [api_key, rotated.api_key]) await until(async () => (await statusWith(key)) === 401);
  });

  it.each([
    [['rotate', 'key_nowhere'], 'There is no api key key_nowhere'],
    [['rotate', 'key_nowhere', '--overlap', 'long'], 'overlap_seconds'],
    [['revoke', 'key_nowhere'], 'There is no api key key_nowhere'],
  ])('says why it does not %j', async (args, why) => {
    const { code, stderr } = await parley('keys', ...args);
    expect([code, stderr]).toEqual([1, expect.stringContaining(why)]);
  });
});

describe('npm run parley -- admin', () => {
  const request = (args: string[], body?: unknown) =>
    cli(['admin', 'request', ...args], { env: env(), stdin: JSON.stringify(body) });

  it('carries any request of operators out, with the answer that it has over HTTP', async () => {
    const { organizationId, admin, adminApi } = await newWorkspace();
    const stages = [{ label: 'New' }, { label: 'Won', status: 'accepted' }];
    const put = ['put', `organizations/${organizationId}/sale-statuses`, '--body', '-'];
    const { code, stdout } = await request(put, stages);
    expect(code).toBe(0);
    expect(JSON.parse(stdout).data).toMatchObject(stages);
    await ok(adminApi.put('channels/live_chat', { provider: 'inbox' }));
    const channel = `organizations/${organizationId}/channels/live_chat`;
    // Its URLs are those of the service, whose port this test's server has not.
    const { hooks: _, ...shown } = await ok(admin.get(channel));
    expect(JSON.parse((await request(['GET', `/admin/v1/${channel}`])).stdout)).toMatchObject(shown);
    expect(await request(['DELETE', channel])).toMatchObject({ code: 0, stdout: '' });
    expect((await admin.get(channel)).status).toBe(404);
  });

  it('names the status and what is wrong, and exits with 1', async () => {
    const { organizationId } = await newWorkspace();
    const post = ['POST', `organizations/${organizationId}/solutions`, '--body', '-'];
    expect(await request(post, { nme: 'Old' })).toMatchObject({
      code: 1,
      stdout: '',
      stderr: expect.stringMatching(/^400 .*nme/),
    });
    const rebuild = await request(['POST', 'projections/contact/rebuild']);
    expect(rebuild).toMatchObject({ code: 1, stderr: expect.stringContaining('rebuild <name>') });
  });

  it('names the status where an answer says no more', async () => {
    expect(await request(['HEAD', 'nothing'])).toMatchObject({ code: 1, stderr: '404 Not Found\n' });
  });

  it('tells its key to nobody who has its port at another address of localhost', async () => {
    const elsewhere = `import dns from 'node:dns';
      const { lookup } = dns;
      dns.lookup = (name, ...rest) => lookup(name === 'localhost' ? '127.0.0.2' : name, ...rest);`;
    const options = { NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(elsewhere)}` };
    const answer = await cli(['admin', 'request', 'GET', 'organizations'], { env: { ...env(), ...options } });
    expect(answer).toMatchObject({ code: 0, stderr: '' });
  });

  it('lists every route of operators', async () => {
    const { paths } = await (await fetch(`${sharedUrl()}/openapi.json`)).json();
    const { stdout } = await parley('admin', 'routes');
    const listed = stdout.match(/^[A-Z]+ +\S+/gm)!.map((line) => line.split(/ +/).join(' /admin/v1/'));
    const documented = Object.entries<Json>(paths)
      .filter(([path]) => path.startsWith('/admin/v1/'))
      .flatMap(([path, methods]) => Object.keys(methods).map((one) => `${one.toUpperCase()} ${path}`));
    expect(listed).toEqual(documented);
  });
});

describe('npm run parley -- help', () => {
  it.each([
    [
      [],
      [
        'doctor',
        'migrate',
        'demo',
        'create',
        'keys',
        'import',
        'deliveries',
        'admin',
        'rebuild',
        'verify',
        'backup',
        'restore',
      ],
    ],
    [['create'], ['organization', 'agent', 'key', 'channel']],
    [
      ['create', 'channel'],
      ['--organization', '--settings'],
    ],
    [['keys'], ['list', 'rotate', 'revoke']],
    [['admin'], ['routes', 'request']],
    [['deliveries'], ['list', 'retry']],
    [['doctor'], ['--json', '--min-free']],
  ])('of %j names %j', async (command, words) => {
    const { code, stdout } = await parley(...command, '--help');
    expect(code).toBe(0);
    for (const word of words) expect(stdout).toContain(word);
  });

  it('comes for a command that does not exist', async () => {
    const { code, stderr } = await parley('nonsense');
    expect([code, stderr]).toEqual([1, expect.stringContaining("unknown command 'nonsense'")]);
  });
});

it('ends without a word when nobody reads on, as head does not', async () => {
  const child = startCli(['admin', 'routes'], { env: env() });
  child.stdout.destroy();
  let stderr = '';
  child.stderr.on('data', (chunk) => (stderr += String(chunk)));
  const [code] = await once(child, 'close');
  expect([code, stderr]).toEqual([141, '']);
});

describe('npm run parley where there is no database', () => {
  it('names the server that cannot be reached, without its password, and what to correct', async () => {
    const away = { DATABASE_URL: 'postgres://parley:secret@127.0.0.1:1/x' };
    const { code, stderr } = await cli(['migrate'], { env: away });
    expect([code, stderr]).toEqual([
      1,
      expect.stringMatching(/^Database: the server at 127\.0\.0\.1:1 .*correct DATABASE_URL/),
    ]);
    expect(stderr).not.toContain('secret');
  });

  it.each([
    ['verify'],
    ['rebuild', 'all'],
    ['deliveries', 'list'],
    ['backup', '/tmp/x'],
    ['create', 'agent', 'Grace', '--organization', 'org_x'],
  ])('-- %s says so, and makes none', async (...args) => {
    const nowhere = join(newDataDir(), 'nowhere');
    const { code, stderr } = await cli(args, { env: { PARLEY_DATA_DIR: nowhere } });
    expect([code, stderr.trim()]).toEqual([
      1,
      `There is no database in ${nowhere}. Set PARLEY_DATA_DIR or DATABASE_URL.`,
    ]);
    expect(existsSync(nowhere)).toBe(false);
  });
});
