import {
  cpSync,
  existsSync,
  readdirSync,
  rmdirSync,
  rmSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { Client } from 'pg';
import { runningEmbeddedPostgres } from '#embedded-postgres/postgres.js';
import { cli } from '../support/server/cli.js';
import {
  apiOf,
  emailChannel,
  type Json,
  newWorkspace,
  ok,
  type Workspace,
} from '../support/clients/client.js';
import { mailWithFile, postMail } from '../support/data/mail.js';
import { newDataDir, removeDataDir } from '../support/server/data-dir.js';
import { type Server, startServer } from '../support/server/server.js';
import { until } from '../support/until.js';
import { verify } from '../support/server/verify.js';

let server: Server;
let workspace: Workspace;
let elsewhere: string;
const dirs: string[] = [];
const newDir = () => {
  const dir = newDataDir();
  dirs.push(dir);
  return dir;
};

/** What was acknowledged before the backup began, and while it went on. */
const before: Json[] = [];
const during: Json[] = [];
let mail: Json;
let backup: Json;

beforeAll(async () => {
  server = await startServer();
  workspace = await newWorkspace({ url: server.url });
  const channel = await emailChannel(workspace, 1);
  mail = await ok(postMail(channel, mailWithFile({ from: 'ada@navy.example' }), server.url));
  for (let nr = 0; nr < 50; nr++)
    before.push(await ok(workspace.api.post('contacts', { name: `Contact ${nr}` })));

  let busy = true;
  const writers = Array.from({ length: 4 }, async () => {
    while (busy) during.push(await ok(workspace.api.post('contacts', { name: 'Written meanwhile' })));
  });
  await until(() => during.length > 20);
  const target = join(newDir(), 'backup');
  const { code, stdout, stderr } = await cli(['backup', target], {
    env: { PARLEY_DATA_DIR: server.dataDir },
  });
  busy = false;
  await Promise.all(writers);
  if (code !== 0) throw new Error(stderr);
  backup = { ...JSON.parse(stdout), target };
  elsewhere = newDir();
});

afterAll(async () => {
  await server.stop();
  removeDataDir(server.dataDir);
  for (const dir of dirs) removeDataDir(dir);
});

describe('a backup of a service that is written to', () => {
  it('tells what it holds, and leaves the service as it was', async () => {
    expect(backup).toMatchObject({
      server_version: expect.stringMatching(/^18/),
      taken_at: expect.any(String),
    });
    expect((await workspace.api.post('contacts', { name: 'After' })).status).toBe(201);
  });

  it('is refused into a directory that is not empty', async () => {
    const again = await cli(['backup', backup.target], { env: { PARLEY_DATA_DIR: server.dataDir } });
    expect([again.code, again.stderr]).toEqual([1, expect.stringContaining('is not empty')]);
  });

  it('is refused within what it copies', async () => {
    const target = join(server.dataDir, 'backup');
    const within = await cli(['backup', target], { env: { PARLEY_DATA_DIR: server.dataDir } });
    expect([within.code, within.stderr]).toEqual([
      1,
      expect.stringContaining('is within the data directory'),
    ]);
    expect(existsSync(target)).toBe(false);
  });

  it('is refused within what it copies, by whatever link that is named', async () => {
    const link = join(newDir(), 'data');
    symlinkSync(server.dataDir, link);
    const target = join(server.dataDir, 'backup');
    const within = await cli(['backup', target], { env: { PARLEY_DATA_DIR: link } });
    expect([within.code, within.stderr]).toEqual([
      1,
      expect.stringContaining('is within the data directory'),
    ]);
    expect(existsSync(target)).toBe(false);
  });

  it('says so when the database ends meanwhile, and leaves nothing that could be restored', async () => {
    const target = join(newDir(), 'backup');
    const client = new Client({ connectionString: (await runningEmbeddedPostgres(server.dataDir))! });
    await client.connect();
    const running = cli(['backup', target], { env: { PARLEY_DATA_DIR: server.dataDir } });
    // The session holds its slot from the beginning of the copy to its end.
    const endSession = 'SELECT pg_terminate_backend(active_pid) FROM pg_replication_slots';
    await until(async () => (await client.query(endSession)).rowCount === 1);
    await client.end();
    expect(await running).toMatchObject({ code: 1, stderr: expect.stringMatching(/^The database .*\n$/) });
    const restored = await cli(['restore', target], { env: { PARLEY_DATA_DIR: join(newDir(), 'data') } });
    expect(restored.stderr).toContain('is no backup');
  });

  it.each([
    ['lacks a directory', (copy: string) => rmSync(join(copy, 'postgres/base'), { recursive: true })],
    ['lacks an empty directory', (copy: string) => rmdirSync(join(copy, 'postgres/pg_notify'))],
    [
      'has a file that was cut off',
      (copy: string) => truncateSync(join(copy, 'postgres/global/pg_control'), 9),
    ],
  ])('is not restored from a copy that %s, and nothing is made', async (_, harm) => {
    const [copy, target] = [join(newDir(), 'copy'), join(newDir(), 'data')];
    cpSync(backup.target, copy, { recursive: true });
    harm(copy);
    const { code, stderr } = await cli(['restore', copy], { env: { PARLEY_DATA_DIR: target } });
    expect([code, stderr]).toEqual([1, expect.stringContaining('is not as it was written')]);
    expect(existsSync(target)).toBe(false);
  });

  it('is restored into an empty directory, and no other', async () => {
    const env = { PARLEY_DATA_DIR: server.dataDir };
    const refused = await cli(['restore', backup.target], { env });
    expect([refused.code, refused.stderr]).toEqual([1, expect.stringContaining('is not empty')]);
    const restored = await cli(['restore', backup.target], { env: { PARLEY_DATA_DIR: elsewhere } });
    expect([restored.code, restored.stderr]).toEqual([0, '']);
    expect(existsSync(join(elsewhere, 'backup.json'))).toBe(false);
  });

  it('brings back what was acknowledged before it, with files, keys and channels, as the events say', async () => {
    const copy = await startServer({ dataDir: elsewhere });
    const api = apiOf(workspace.organizationId, workspace.key, copy.url);
    for (const contact of before)
      expect(await ok(api.get(`contacts/${contact.contact_id}`))).toEqual(contact);
    const path = `conversations/${mail.conversation_id}/messages/${mail.message_id}`;
    expect(await ok(api.get(path))).toEqual(mail);
    const file = await api.get(`${path}/attachments/${mail.attachments[0].attachment_id}`);
    expect(file.text).toBe('%PDF-1.7');
    // What was written meanwhile is there up to some moment, and from then on none of it.
    const found = await Promise.all(during.map(({ contact_id }) => api.get(`contacts/${contact_id}`)));
    expect(found.some(({ status }) => status === 200)).toBe(true);
    expect((await api.post('contacts', { name: 'Goes on' })).status).toBe(201);
    expect(await verify(elsewhere)).not.toContain('DIFFERS');
    await copy.stop();
  });

  it('leaves nothing of its making in the data directory', () =>
    expect(readdirSync(join(server.dataDir, 'postgres'))).not.toContain('backup_label'));
});

describe('backup and restore', () => {
  it('refuse a database that is not embedded, and say what to use', async () => {
    const env = { DATABASE_URL: 'postgres://x:y@127.0.0.1:1/z' };
    for (const command of ['backup', 'restore']) {
      const { code, stderr } = await cli([command, '/tmp/nowhere'], { env });
      expect([code, stderr]).toEqual([1, expect.stringContaining('pg_dump')]);
    }
  });

  it('refuse a directory that is no backup, or one whose end was not written, and leave the other empty', async () => {
    const [source, target] = [newDir(), newDir()];
    const refusal = [1, expect.stringContaining('is no backup')];
    for (const manifest of [null, '{"taken_at": "2026-']) {
      if (manifest !== null) writeFileSync(join(source, 'backup.json'), manifest);
      const { code, stderr } = await cli(['restore', source], { env: { PARLEY_DATA_DIR: target } });
      expect([code, stderr]).toEqual(refusal);
      expect(existsSync(target) ? readdirSync(target) : []).toEqual([]);
    }
  });
});
