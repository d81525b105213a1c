import { once } from 'node:events';
import { Client } from 'pg';
import { type Json, newWorkspace, ok, type Workspace } from '../support/clients/client.js';
import { received } from '../support/data/records.js';
import { startCli } from '../support/server/cli.js';
import { readyDataDir, removeDataDir } from '../support/server/data-dir.js';
import { databaseUrl, type Server, startServer } from '../support/server/server.js';
import { until } from '../support/until.js';
import { verify } from '../support/server/verify.js';

/** Milliseconds: each rebuild and each verification is a process of its own. */
const PATIENCE = 180_000;
const CONVERSATIONS = 20;
const WINDOW = { start_date: '2000-01-01T00:00:00Z', end_date: '2100-01-01T00:00:00Z' };

let dataDir: string;
let server: Server;
let workspace: Workspace;
let database: Client;
/** Holds locks. */
let holder: Client;

beforeAll(async () => {
  dataDir = readyDataDir();
  server = await startServer({ dataDir });
  workspace = await newWorkspace({ url: server.url });
  database = new Client({ connectionString: await databaseUrl(dataDir) });
  await database.connect();
  holder = new Client({ connectionString: await databaseUrl(dataDir) });
  await holder.connect();
  for (let nr = 0; nr < CONVERSATIONS; nr++) {
    const { conversation_id } = await ok(
      received(workspace.api, { contact: { email: `grace${nr}@navy.example` } }),
    );
    await ok(received(workspace.api, { conversation_id, message_direction: 'sent' }));
  }
  await until(async () => (await figures()).volumeStats.numMessagesSent === CONVERSATIONS);
});

afterAll(async () => {
  await database.end();
  await holder.end();
  await server.stop();
  removeDataDir(dataDir);
});

async function figures(): Promise<Json> {
  const { as_of: _, ...shown } = await ok(workspace.api.get('analytics/conversations', WINDOW));
  return shown;
}

const rebuild = () => startCli(['rebuild', 'analytics'], { env: { PARLEY_DATA_DIR: dataDir } });

const count = async (sql: string): Promise<number> =>
  (await database.query<{ count: number }>(`SELECT count(*)::int AS count FROM ${sql}`)).rows[0]!.count;

const isWaitingFor = async (table: string): Promise<boolean> =>
  (await count(`pg_locks WHERE NOT granted AND relation = 'public.${table}'::regclass`)) > 0;

describe('kill -9 of a rebuild', () => {
  it.each([
    ['while it reads the events', 'LOCK TABLE organization IN ACCESS EXCLUSIVE MODE', 'organization'],
    ['while it swaps the tables', 'LOCK TABLE analytics_stay IN ACCESS SHARE MODE', 'analytics_stay'],
  ])(
    '%s leaves the figures as they were, and the next one ends',
    async (_, hold, table) => {
      const before = await figures();
      const oids = `SELECT array_agg(oid ORDER BY oid) AS oids FROM pg_class WHERE relname LIKE 'analytics%'
                     AND relnamespace = 'public'::regnamespace`;
      const tables = (await database.query(oids)).rows;
      await holder.query('BEGIN');
      await holder.query(hold);
      const killed = rebuild();
      const ended = once(killed, 'exit');
      await until(() => isWaitingFor(table));
      killed.kill('SIGKILL');
      await ended;
      await holder.query('ROLLBACK');

      expect(await figures()).toEqual(before);
      expect((await database.query(oids)).rows).toEqual(tables);
      expect(await verify(dataDir)).not.toContain('DIFFERS');

      const [code] = await once(rebuild(), 'exit');
      expect(code).toBe(0);
      expect(await figures()).toEqual(before);
      expect((await database.query(oids)).rows).not.toEqual(tables);
      expect(await verify(dataDir)).not.toContain('DIFFERS');
      expect(await count(`pg_namespace WHERE nspname LIKE 'rebuild%'`)).toBe(0);
      expect(await count('es_rebuild')).toBe(0);
    },
    PATIENCE,
  );

  it(
    'a rebuild gives the same figures while they are read',
    async () => {
      const before = await figures();
      let rebuilding = true;
      let reads = 0;
      const reader = async () => {
        for (; rebuilding; reads++) expect(await figures()).toEqual(before);
      };
      const reading = Promise.all([reader(), reader(), reader(), reader()]);
      const [code] = await once(rebuild(), 'exit');
      expect(code).toBe(0);
      rebuilding = false;
      await reading;
      expect(reads).toBeGreaterThan(3);
    },
    PATIENCE,
  );
});
