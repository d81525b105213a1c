import { randomBytes } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Client as Postgres } from 'pg';
import { newId } from '#kernel/id.js';
import { apiOf, Client, type Json, ok } from '../support/clients/client.js';
import { newDataDir, readyDataDir, removeDataDir } from '../support/server/data-dir.js';
import { cli } from '../support/server/cli.js';
import { databaseUrl, type Server, startServer } from '../support/server/server.js';
import { until } from '../support/until.js';
import { verify } from '../support/server/verify.js';

let server: Server;
let api: Client;
beforeAll(async () => {
  server = await startServer({ dataDir: newDataDir() });
  // It is served already while the demo is still made; this file is the last that comes of it.
  await until(() => existsSync(join(server.dataDir, 'demo.env')));
  const demo = JSON.parse(readFileSync(join(server.dataDir, 'demo.json'), 'utf8')) as Record<string, string>;
  api = apiOf(demo['organization_id']!, demo['api_key']!, server.url);
});
afterAll(async () => {
  await server.stop();
  removeDataDir(server.dataDir);
});

/** What an unfollowed answer at this address says. */
async function follow(link: string, init: RequestInit = {}) {
  const { status, headers } = await fetch(link, { redirect: 'manual', ...init });
  return { status, location: headers.get('location'), cookie: headers.get('set-cookie') };
}

async function inDatabaseOf({ dataDir }: Server, sql: string): Promise<Json[]> {
  const database = new Postgres(await databaseUrl(dataDir));
  await database.connect();
  try {
    return (await database.query(sql)).rows;
  } finally {
    await database.end();
  }
}

async function all(path: string): Promise<Json[]> {
  const rows: Json[] = [];
  for (let cursor: string | null | undefined; cursor !== null;) {
    const { data, pagination } = await ok(api.get(path, { limit: 200, cursor: cursor ?? undefined }));
    rows.push(...data);
    cursor = pagination.next_cursor;
  }
  return rows;
}

describe('the demo organization', () => {
  it('has 60 companies, 200 contacts, 120 sales and 150 tasks from the first start', async () => {
    for (const [path, count] of Object.entries({ companies: 60, contacts: 200, sales: 120, tasks: 150 }))
      expect([path, (await all(path)).length]).toEqual([path, count]);
  });

  it('begins its list of contacts with the people of the README', async () => {
    const { data } = await ok(api.get('contacts', { limit: 5 }));
    expect(data.map(({ name }: Json) => name)).toEqual([
      'Carl Gauss',
      'Sofia Kovalevskaya',
      'Emmy Noether',
      'Charles Babbage',
      'Mary Somerville',
    ]);
  });

  it('has sales in every stage, quoted from the second one on, in amounts that are the same everywhere', async () => {
    const sales = await all('sales');
    const counts: Record<string, number> = {};
    const tenThousandths: Record<string, bigint> = {};
    for (const { current_status, quote_details, status_history } of sales) {
      counts[current_status.label] = (counts[current_status.label] ?? 0) + 1;
      expect(quote_details !== null).toBe(status_history.length > 1);
      if (!quote_details) continue;
      const { currency, total_price } = quote_details.output;
      const [whole, fraction = ''] = total_price.split('.');
      tenThousandths[currency] = (tenThousandths[currency] ?? 0n) + BigInt(whole + fraction.padEnd(4, '0'));
    }
    expect(counts).toEqual({ Qualified: 35, Quoted: 23, Accepted: 21, Fulfilled: 41 });
    expect(tenThousandths).toEqual({ GBP: 1_482_668_675n, EUR: 426_794_600n });
  });

  it('has open tasks and done ones, each about one thing', async () => {
    const tasks = await all('tasks');
    const open = tasks.filter(({ completed_at }) => completed_at === null);
    expect(open.length).toBeGreaterThan(30);
    expect(open.length).toBeLessThan(120);
    for (const { company_id, contact_id, sale_id } of tasks)
      expect([company_id, contact_id, sale_id].filter((id) => id !== null)).toHaveLength(1);
  });

  it('has tasks that are overdue, and others that are due today', async () => {
    const today = new Date().toISOString().slice(0, 10);
    const open = (await all('tasks?open=true')).filter(({ due_at }) => due_at !== null);
    expect(open.filter(({ due_at }) => due_at < today).length).toBeGreaterThan(5);
    expect(open.filter(({ due_at }) => due_at.startsWith(today)).length).toBeGreaterThan(5);
  });

  it('has a year of conversations, some of which wait, answered by five agents', async () => {
    const year = { start_date: new Date(Date.now() - 364 * 86_400_000).toISOString() };
    const end_date = new Date(Date.now() + 86_400_000).toISOString();
    const { data } = await ok(api.get('analytics/agents', { ...year, end_date }));
    expect(data.filter(({ conversations }: Json) => conversations.messagesSent > 0)).toHaveLength(5);
    const { data: oldest } = await ok(api.get('conversations', { sort: 'last_activity_at', limit: 1 }));
    expect(Date.now() - Date.parse(oldest[0].start_at)).toBeGreaterThan(300 * 86_400_000);
    const { data: waiting } = await ok(api.get('conversations', { waiting: true, status: 'open' }));
    expect(waiting.length).toBeGreaterThan(3);
  });

  it('has a delivery that failed and one that may have arrived, which leave when they are tried again', async () => {
    const admin = new Client(server.url, '/admin/v1', { 'x-admin-key': server.adminKey });
    const { data } = await ok(admin.get('/admin/v1/deliveries'));
    expect(data.map(({ status }: Json) => status).sort()).toEqual(['failed', 'uncertain']);
    for (const { draft_id } of data) await ok(admin.post(`/admin/v1/deliveries/${draft_id}/retry`));
    await until(async () => (await ok(admin.get('/admin/v1/deliveries'))).data.length === 0);
  });

  it('is announced before anything else by a link that signs in once', async () => {
    await until(() => server.output().includes('Ctrl-C stops it'));
    const [, link = ''] = /^Open the console at (\S+)\n/.exec(server.output()) ?? [];
    const token = link.slice(link.lastIndexOf('/') + 1);
    expect(link).toMatch(/^http:\/\/localhost:\d+\/console\/session\/[\w-]{43}$/);
    expect(await follow(link, { method: 'HEAD' })).toMatchObject({ status: 401, cookie: null });
    const asCookie = { cookie: `parley_session=${token}`, 'x-parley-console': '1' };
    expect((await new Client(server.url, '/api/v2', asCookie).get('me')).status).toBe(401);
    const endIn = (seconds: number) =>
      inDatabaseOf(server, `UPDATE console_session SET expires_at = created_at + interval '${seconds} s'`);
    expect(
      await inDatabaseOf(
        server,
        'SELECT extract(epoch FROM expires_at - created_at)::int AS s FROM console_session',
      ),
    ).toEqual([{ s: 600 }]);
    await endIn(0);
    expect(await follow(link)).toMatchObject({ status: 401, cookie: null });
    await endIn(600);
    const answers = await Promise.all([1, 2, 3].map(() => follow(link)));
    const [first, ...others] = answers.sort((one, other) => one.status - other.status);
    expect(first).toMatchObject({ status: 303, location: '../#signed-in' });
    for (const other of others) expect(other).toMatchObject({ status: 401, cookie: null });
    const me = { cookie: first!.cookie!.split(';')[0]!, 'x-parley-console': '1' };
    const { status, body } = await new Client(server.url, '/api/v2', me).get('me');
    expect([status, body.key.name]).toEqual([200, 'Demo']);
    // Whoever follows it in a browser is led to where one signs in.
    const late = await follow(link, { headers: { accept: 'text/html,*/*;q=0.8' } });
    expect(late).toMatchObject({ status: 303, location: '../#link-used', cookie: null });
  });

  it('shows in its audit log that a contact was merged and a task deleted', async () => {
    const { data } = await ok(api.get('audit-logs', { record_type: 'all', action_type: 'delete' }));
    const types = data.map(({ record }: Json) => record.type);
    // Drafts that leave meanwhile become messages.
    expect(types.filter((type: string) => type !== 'response_draft').sort()).toEqual(['contact', 'task']);
    const merged = data.find(({ record }: Json) => record.type === 'contact').record.id;
    expect((await api.get(`contacts/${merged}`)).body.code).toBe('merged');
  });

  it('is what another demand for it gives, and whoever holds its key keeps it', async () => {
    const kept = () =>
      ['demo.json', 'demo.env'].map((file) => readFileSync(join(server.dataDir, file), 'utf8'));
    const before = kept();
    const env = { PARLEY_DATA_DIR: server.dataDir };
    const again = await cli(['demo'], { env });
    expect(again).toMatchObject({ code: 0, stdout: expect.stringContaining(JSON.parse(before[0]!).api_key) });
    expect(kept()).toEqual(before);
    const elsewhere = newDataDir();
    const other = await cli(['demo'], {
      env: { PARLEY_DATA_DIR: elsewhere, DATABASE_URL: await databaseUrl(server.dataDir) },
    });
    expect(other).toMatchObject({ code: 1, stderr: expect.stringContaining('The demo is there') });
    expect(existsSync(join(elsewhere, 'demo.unfinished'))).toBe(false);
    removeDataDir(elsewhere);
  });

  it('keeps everything in the data directory from other users of the machine', () => {
    const open = readdirSync(server.dataDir).filter(
      (name) => (statSync(join(server.dataDir, name)).mode & 0o077) !== 0,
    );
    // It has nothing but process ids.
    expect(open).toEqual(['postgres.owner']);
  });

  it('has the same figures after a thousand statuses, tags and comments', async () => {
    const conversations = (await all('conversations')).slice(0, 200);
    const ids = conversations.map(({ conversation_id }) => conversation_id);
    const { data: tags } = await ok(api.get('tags'));
    const year = { start_date: conversations.at(-1)!['start_at'], end_date: '2040-01-01T00:00:00Z' };
    const paths = ['analytics/conversations', 'analytics/sales', 'analytics/agents', 'analytics/series'];
    const read = () =>
      Promise.all(
        paths.map((path) =>
          ok(api.get(path, path.endsWith('series') ? { ...year, end_date: now(), interval: 'day' } : year)),
        ),
      );
    const now = () => new Date().toISOString().slice(0, 14) + '00:00Z';
    const figuresAfter = async (instant: string) => {
      await until(async () => (await read()).every(({ as_of }) => as_of >= instant));
      return (await read()).map(({ as_of: _, ...figures }) => figures);
    };
    const before = await figuresAfter('');
    const changes = [
      { status: 'closed' },
      { add_tag_ids: [tags[0].tag_id], status: 'open' },
      { status: 'snoozed', snoozed_until: new Date(Date.now() + 86_400_000).toISOString() },
      { add_tag_ids: [tags[1].tag_id], remove_tag_ids: [tags[0].tag_id] },
      { status: 'open' },
    ];
    for (const one of changes) {
      const { results } = await ok(api.post('conversations/bulk', { conversation_ids: ids, changes: one }));
      expect(results.every((result: Json) => result.ok)).toBe(true);
    }
    for (const id of ids.slice(0, 20)) await ok(api.post(`conversations/${id}/comments`, { body: 'Seen.' }));
    const { updated_at } = await ok(api.get(`conversations/${ids[19]}`));
    expect(await figuresAfter(updated_at)).toEqual(before);
  });

  it('has nothing that the events do not say', async () => {
    expect(await verify(server.dataDir)).not.toContain('DIFFERS');
  });
});

/** An empty database beside that of the running demo. */
async function otherDatabase(): Promise<string> {
  const url = new URL(await databaseUrl(server.dataDir));
  const client = new Postgres({ connectionString: url.href });
  const name = `other_${randomBytes(4).toString('hex')}`;
  await client.connect();
  await client.query(`CREATE DATABASE ${name}`);
  await client.end();
  url.pathname = name;
  return url.href;
}

async function channelsIn(url: string): Promise<unknown[]> {
  const client = new Postgres({ connectionString: url });
  await client.connect();
  const { rows } = await client.query('SELECT * FROM channel');
  await client.end();
  return rows;
}

describe('parley demo', () => {
  it('makes the data directory where there is none, and no channel to an inbox that does not run', async () => {
    const parent = newDataDir();
    const PARLEY_DATA_DIR = join(parent, 'nothing', 'yet');
    const PARLEY_SECRET_KEY = randomBytes(32).toString('hex');
    const env = { PARLEY_DATA_DIR, PARLEY_SECRET_KEY, DATABASE_URL: await otherDatabase() };
    const { code, stdout, stderr } = await cli(['demo'], { env });
    expect([code, stderr]).toEqual([0, '']);
    const made = JSON.parse(stdout);
    expect(made).toEqual(JSON.parse(readFileSync(join(PARLEY_DATA_DIR, 'demo.json'), 'utf8')));
    expect(made.inbox_port).toBeNull();
    expect(await channelsIn(env.DATABASE_URL)).toEqual([]);
    removeDataDir(parent);
  });
});

describe('a demo of another database', () => {
  /** What a start prints, and what it leaves of the demo's file. */
  async function startedOn(dataDir: string, DATABASE_URL?: string) {
    const started = await startServer({ dataDir, env: { DATABASE_URL } });
    await until(() => started.ended() !== null || started.output().includes('Parley is ready.'));
    await started.stop();
    return { output: started.output(), kept: readFileSync(join(dataDir, 'demo.json'), 'utf8') };
  }

  const demoOf = (organization_id: string) =>
    JSON.stringify({ organization_id, api_key: 'key_of_elsewhere', inbox_port: 2525 });

  it('is none for the database that DATABASE_URL names', async () => {
    const dataDir = newDataDir();
    const demo = demoOf(newId('org'));
    writeFileSync(join(dataDir, 'demo.json'), demo);
    const url = await otherDatabase();
    const { output, kept } = await startedOn(dataDir, url);
    expect(output).toContain('Parley is ready.');
    expect(output).not.toMatch(/key_of_elsewhere|Sent mail/);
    expect([existsSync(join(dataDir, 'inbox')), kept]).toEqual([false, demo]);
    expect(await channelsIn(url)).toEqual([]);
    removeDataDir(dataDir);
  });

  it('is none for the embedded one, either', async () => {
    const dataDir = readyDataDir();
    const demo = demoOf(newId('org'));
    writeFileSync(join(dataDir, 'demo.json'), demo);
    const { output, kept } = await startedOn(dataDir);
    expect(output).toContain('Parley is ready.');
    expect(output).not.toMatch(/key_of_elsewhere|Sent mail/);
    expect(kept).toBe(demo);
    removeDataDir(dataDir);
  });
});

describe('a first start that is killed while it makes the demo', () => {
  /** What it leaves. Where this process was held up until the demo was made, another one is killed. */
  async function interrupted(): Promise<string> {
    for (;;) {
      const dataDir = newDataDir();
      const first = await startServer({ dataDir });
      await first.kill();
      if (!existsSync(join(dataDir, 'demo.env'))) return dataDir;
      removeDataDir(dataDir);
    }
  }

  it('is made up for by the next one, whose demo is whole', async () => {
    const dataDir = await interrupted();
    const second = await startServer({ dataDir });
    await until(() => existsSync(join(dataDir, 'demo.env')));
    const demo = JSON.parse(readFileSync(join(dataDir, 'demo.json'), 'utf8')) as Record<string, string>;
    const { data } = await ok(
      apiOf(demo['organization_id']!, demo['api_key']!, second.url).get('contacts', { limit: 200 }),
    );
    await until(() => !existsSync(join(dataDir, 'demo.unfinished')));
    await second.stop();
    removeDataDir(dataDir);
    expect(data).toHaveLength(200);
  });
});
