import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { Client } from 'pg';
import { ADMIN_KEY, databaseUrl, type Server, startServer } from '../support/server/server.js';
import { cli } from '../support/server/cli.js';
import { until } from '../support/until.js';
import { newDataDir, removeDataDir } from '../support/server/data-dir.js';

const RELEASES = join(import.meta.dirname, '../releases');
const releases = readdirSync(RELEASES).filter((name) => name.endsWith('.sql.gz'));

/** What can be told of any release: the events, by which all other tables can be made again. */
const EVENTS = `SELECT organization_id, stream_id, version, event_id, type, data, meta, occurred_at::text
                  FROM es_event ORDER BY organization_id, stream_id, version`;
const COLUMNS = `SELECT table_name, column_name, data_type, is_nullable, column_default
                   FROM information_schema.columns WHERE table_schema = 'public' ORDER BY 1, 2`;
const INDEXES = `SELECT tablename, indexname, indexdef FROM pg_indexes WHERE schemaname = 'public' ORDER BY 1, 2`;

/** What is not as it would be, had the messages been recorded today: their authors, and the summaries of conversations. */
const UNKNOWN = `
  SELECT 'author' AS what FROM message WHERE message_direction = 'received' AND (author->>'contact_id') IS NULL
   UNION ALL
  SELECT 'summary' FROM conversation c
    JOIN LATERAL (SELECT count(*) AS messages,
                         array_agg(preview ORDER BY sent_at DESC, message_id DESC) AS previews FROM message m
                   WHERE m.organization_id = c.organization_id AND m.conversation_id = c.conversation_id) all_of ON true
   WHERE c.message_count <> all_of.messages OR c.preview IS DISTINCT FROM all_of.previews[1]`;

let shared: string;
let dataDir: string;
beforeAll(async () => {
  shared = await databaseUrl(process.env['PARLEY_TEST_DATA_DIR']!);
  dataDir = newDataDir();
});
afterAll(() => removeDataDir(dataDir));

async function query<Row = Record<string, unknown>>(url: string, text: string): Promise<Row[]> {
  const client = new Client({ connectionString: url });
  await client.connect();
  return client.query(text).then(
    ({ rows }) => client.end().then(() => rows as Row[]),
    (error: Error) => client.end().then(() => Promise.reject(error)),
  );
}

async function newDatabase(name: string): Promise<string> {
  await query(shared, `CREATE DATABASE ${name}`);
  const url = new URL(shared);
  url.pathname = name;
  return url.href;
}

async function run(command: string, DATABASE_URL: string): Promise<string> {
  const { code, stdout, stderr } = await cli([command], {
    env: { DATABASE_URL, PARLEY_DATA_DIR: dataDir },
  });
  if (code !== 0) throw new Error(`${command}: ${stdout}${stderr}`);
  return stdout;
}

describe.each(releases)('a database of %s', (file) => {
  const name = `release_${file.replace('.sql.gz', '').replace(/\W/g, '_')}_${process.pid}`;
  let url: string;
  let events: unknown[];
  let server: Server | undefined;

  beforeAll(async () => {
    url = await newDatabase(name);
    await query(url, gunzipSync(readFileSync(join(RELEASES, file))).toString());
    events = await query(url, EVENTS);
  });
  afterAll(async () => {
    await server?.stop();
    await query(shared, `DROP DATABASE IF EXISTS ${name} WITH (FORCE)`);
  });

  it('has events of many kinds', () => {
    const types = new Set(events.map((event) => (event as { type: string }).type));
    expect(types.size).toBeGreaterThan(12);
  });

  it('is brought to the schema of a new database, and keeps every event', async () => {
    // The dump comes from another cluster.
    await run('repair-positions', url);
    await run('migrate', url);
    const fresh = await newDatabase(`${name}_fresh`);
    await run('migrate', fresh);
    for (const catalog of [COLUMNS, INDEXES])
      expect(await query(url, catalog)).toEqual(await query(fresh, catalog));
    await query(shared, `DROP DATABASE ${name}_fresh WITH (FORCE)`);
    expect(await query(url, EVENTS)).toEqual(events);
  });

  it('has rows that are what its events say', async () => {
    await run('verify', url);
  });

  it('shows of earlier messages what can be known of them', async () => {
    expect(await query(url, 'SELECT FROM message WHERE preview <> $$$$ LIMIT 1')).toHaveLength(1);
    expect(await query(url, UNKNOWN)).toEqual([]);
  });

  it('is filled in by a process that was started on it, while it serves requests', async () => {
    const started = await newDatabase(`${name}_started`);
    await query(started, gunzipSync(readFileSync(join(RELEASES, file))).toString());
    await run('repair-positions', started);
    const worker = await startServer({ entry: 'worker', dataDir, env: { DATABASE_URL: started } });
    await until(async () => (await query(started, 'SELECT FROM pending_rebuild')).length === 0);
    await worker.stop();
    expect(await query(started, UNKNOWN)).toEqual([]);
    await query(shared, `DROP DATABASE ${name}_started WITH (FORCE)`);
  });

  it('is served', async () => {
    server = await startServer({ entry: 'api', dataDir, env: { DATABASE_URL: url } });
    const answer = await fetch(`${server.url}/admin/v1/organizations`, {
      headers: { 'X-ADMIN-KEY': ADMIN_KEY },
    });
    expect([answer.status, ((await answer.json()) as { data: unknown[] }).data.length]).toEqual([200, 4]);
  });
});

it('there is a dump of each release in the changelog', () => {
  const text = readFileSync(join(import.meta.dirname, '../../CHANGELOG.md'), 'utf8');
  const versions = [...text.matchAll(/^## \[(\d[^\]]*)\]/gm)].map(([, version]) => `${version}.sql.gz`);
  expect([...releases].sort()).toEqual(versions.sort());
});
