import { Client } from 'pg';
import { openDatabase } from '#database/data-source.js';
import { Servers } from '#database/servers.js';
import { type EmbeddedPostgres, startEmbeddedPostgres } from '#embedded-postgres/postgres.js';
import {
  type Answer,
  apiOf,
  emailChannel,
  type Json,
  newWorkspace,
  unique,
  type Workspace,
} from '../support/clients/client.js';
import { firstMessage, openedBy } from '../support/data/message-drafts.js';
import { hasPgBouncer, type PgBouncer, PGBOUNCER, startPgBouncer } from '../support/database/pgbouncer.js';
import { needs } from '../support/needs.js';
import { cli } from '../support/server/cli.js';
import { readyDataDir, removeDataDir } from '../support/server/data-dir.js';
import { type Server, startServer } from '../support/server/server.js';
import { startSmtp, type TestSmtp } from '../support/stand-ins/smtp.js';

const SERVER_CONNECTIONS = 20;
/** Connections that each of three processes may have to the pooler. */
const POOL_OF_EACH = 67;
const WINDOW = { start_date: '2026-01-01T00:00:00Z', end_date: '2030-01-01T00:00:00Z' };
const CLIENTS = 40;
const ROUNDS = 6;

needs(PGBOUNCER, hasPgBouncer).describe('with PgBouncer in transaction mode before the database', () => {
  let dataDir: string;
  let postgres: EmbeddedPostgres;
  const poolers: PgBouncer[] = [];

  beforeAll(async () => {
    dataDir = readyDataDir();
    postgres = await startEmbeddedPostgres({ dataDir });
  });
  afterAll(async () => {
    await postgres.stop();
    removeDataDir(dataDir);
  });
  afterEach(async () => {
    for (const pooler of poolers.splice(0)) await pooler.close();
  });

  async function pooler(...settings: [Record<string, string>?, { database?: string }?]): Promise<PgBouncer> {
    const started = await startPgBouncer(postgres.url, ...settings);
    poolers.push(started);
    return started;
  }

  async function execute<Row extends object>(text: string): Promise<Row[]> {
    const client = new Client({ connectionString: postgres.url });
    await client.connect();
    return client
      .query<Row>(text)
      .then(({ rows }) => rows)
      .finally(() => client.end());
  }

  const started = (env: Record<string, string>) =>
    startServer({ entry: 'api', dataDir, env: { PARLEY_SECRET_KEY: 'ab'.repeat(32), ...env } });

  describe('a start', () => {
    const refusal = async (env: Record<string, string>) => {
      const message = await started(env).then(
        async (server) => server.stop().then(() => 'it started'),
        (error: Error) => error.message,
      );
      return message.slice(message.indexOf('\n') + 1).trim();
    };

    it.each([
      ['refuses our settings', {}],
      ['ignores our settings', { ignore_startup_parameters: 'options' }],
    ])('without the address of the server says so, where the pooler %s', async (_, settings) => {
      const { url } = await pooler(settings);
      expect(await refusal({ DATABASE_URL: url })).toMatch(
        /^Parley cannot start\.\nDatabase: DATABASE_URL leads through a connection pooler \(.*\)\. Set DATABASE_DIRECT_URL, too: .*$/,
      );
    });

    it('says so when the address of the server leads through a pooler, too', async () => {
      const { url } = await pooler({ ignore_startup_parameters: 'options' });
      expect(await refusal({ DATABASE_URL: url, DATABASE_DIRECT_URL: url })).toMatch(
        /DATABASE_DIRECT_URL leads through a connection pooler \(.*\)\. Make it the address of PostgreSQL itself\.$/,
      );
    });

    it('says so when the two lead to different databases', async () => {
      await execute('CREATE DATABASE elsewhere');
      const { url } = await pooler({}, { database: 'elsewhere' });
      expect(await refusal({ DATABASE_URL: url, DATABASE_DIRECT_URL: postgres.url })).toMatch(
        /DATABASE_URL leads to another database \(elsewhere by way of .*\) than DATABASE_DIRECT_URL \(parley at /,
      );
    });

    it('says so when the pooler does not keep track of prepared statements', async () => {
      const { url } = await pooler({ max_prepared_statements: '0' });
      expect(await refusal({ DATABASE_URL: url, DATABASE_DIRECT_URL: postgres.url })).toMatch(
        /does not keep track of prepared statements\. Set max_prepared_statements in PgBouncer/,
      );
    });

    it('says so when the pooler has connections from before the role had our settings', async () => {
      const { url, command } = await pooler();
      await execute('ALTER ROLE CURRENT_USER IN DATABASE parley RESET ALL');
      const client = new Client({ connectionString: url });
      await client.connect();
      await client.query('SELECT 1');
      await client.end();
      const env = { DATABASE_URL: url, DATABASE_DIRECT_URL: postgres.url };
      expect(await refusal(env)).toMatch(/with other settings \(.*plan_cache_mode=auto.*\)\. Run RECONNECT/);
      await command('RECONNECT');
      expect(await refusal(env)).toBe('it started');
    });

    it('is examined by the doctor, too', async () => {
      const { url } = await pooler();
      const examined = async (env: Record<string, string>) =>
        (await cli(['doctor'], { env: { PARLEY_DATA_DIR: dataDir, DATABASE_URL: url, ...env } })).stdout;
      expect(await examined({})).toContain('error   pooler: DATABASE_URL leads through');
      expect(await examined({ DATABASE_DIRECT_URL: postgres.url })).toMatch(
        /ok {6}pooler: .* works as it has to/,
      );
      expect(await examined({ DATABASE_DIRECT_URL: url })).toContain(
        'error   pooler: DATABASE_DIRECT_URL leads',
      );
    });
  });

  it('a prepared statement that was refused can be prepared again', async () => {
    const { url } = await pooler();
    const direct = new Servers(postgres.url);
    const database = await openDatabase({ url, direct, poolSize: 1, entities: [], migrations: [] });
    const statement = { name: 'one', text: 'SELECT 1 AS one' };
    const failed = database.transaction(async (tx) => {
      void tx.query({ text: 'SELECT 1 / 0' });
      await tx.query(statement);
    });
    await expect(failed).rejects.toThrow('division by zero');
    expect(await database.query(statement)).toEqual([{ one: 1 }]);
    expect(await database.query(statement)).toEqual([{ one: 1 }]);
    await database.close();
  });

  describe('processes with ten times as many connections as the pooler has', () => {
    const servers: Server[] = [];
    let smtp: TestSmtp;
    let bouncer: PgBouncer;
    let workspace: Workspace;
    let observer: Client;
    let most = 0;

    beforeAll(async () => {
      bouncer = await startPgBouncer(postgres.url, {
        default_pool_size: String(SERVER_CONNECTIONS),
        application_name_add_host: '1',
      });
      smtp = await startSmtp();
      const env = {
        DATABASE_URL: bouncer.url,
        DATABASE_DIRECT_URL: postgres.url,
        DATABASE_POOL_SIZE: String(POOL_OF_EACH),
        PARLEY_SECRET_KEY: 'ab'.repeat(32),
      };
      for (const entry of ['api', 'api', 'worker'] as const)
        servers.push(await startServer({ entry, dataDir, env }));
      workspace = await newWorkspace({ url: servers[0]!.url });
      await emailChannel(workspace, smtp.port);
      observer = new Client({ connectionString: postgres.url });
      await observer.connect();
    });
    afterAll(async () => {
      await observer.end();
      await Promise.all(servers.map((server) => server.stop()));
      await smtp.close();
      await bouncer.close();
    });

    /** Looks at the connections to PostgreSQL that the pooler has made: it adds the address of its client to their names. */
    async function countWhile(isBusy: () => boolean): Promise<void> {
      while (isBusy()) {
        const { rows } = await observer.query<{ count: number }>(
          `SELECT count(*)::int FROM pg_stat_activity WHERE application_name LIKE '% - 127.0.0.1:%'`,
        );
        most = Math.max(most, rows[0]!.count);
      }
    }

    /** What one client does, round after round; gives the drafts that it has sent. */
    async function work(nr: number, statuses: number[]): Promise<Json[]> {
      const { organizationId, key } = workspace;
      const api = apiOf(organizationId, key, servers[nr % 2]!.url);
      const said = async (asked: Promise<Answer>) => {
        const answer = await asked;
        statuses.push(answer.status);
        return answer.body;
      };
      const drafts: Json[] = [];
      for (let round = 0; round < ROUNDS; round++) {
        const email = `${unique('person')}@navy.example`;
        const { contact_id } = await said(api.post('contacts', { name: 'Grace', email }));
        await said(api.get('contacts', { limit: 50 }));
        await said(api.patch(`contacts/${contact_id}`, { name: `Grace ${round}` }));
        await said(api.get('analytics/conversations/volume', WINDOW));
        await said(
          api.post('messages', {
            modality: 'text',
            message_direction: 'received',
            content: 'Hello',
            contact: { email },
          }),
        );
        if (round % 2 === 0)
          drafts.push(
            await said(
              api.post('message-drafts', firstMessage({ subject: unique('subject'), to_email: email })),
            ),
          );
      }
      return drafts;
    }

    it('answer everything, send each draft once, and take no more of its connections than there are', async () => {
      const statuses: number[] = [];
      let isBusy = true;
      const counting = countWhile(() => isBusy);
      const drafts = await Promise.all(Array.from({ length: CLIENTS }, (_, nr) => work(nr, statuses)));
      isBusy = false;
      await counting;
      expect(statuses.filter((status) => status >= 300)).toEqual([]);
      for (const draft of drafts.flat()) await openedBy(workspace, draft);
      const sent = smtp.mails.map(({ messageId }) => messageId);
      expect(sent).toHaveLength(drafts.flat().length);
      expect(new Set(sent).size).toBe(sent.length);
      expect(most).toBeGreaterThan(1);
      expect(most).toBeLessThanOrEqual(SERVER_CONNECTIONS);
    }, 300_000);

    it('rebuild read models beside all that', async () => {
      const env = {
        PARLEY_DATA_DIR: dataDir,
        DATABASE_URL: bouncer.url,
        DATABASE_DIRECT_URL: postgres.url,
      };
      const [rebuilt, verified] = [await cli(['rebuild', 'all'], { env }), await cli(['verify'], { env })];
      expect([rebuilt.code, verified.code, verified.stdout]).toEqual([
        0,
        0,
        expect.not.stringContaining('DIFFERS'),
      ]);
    }, 300_000);
  });
});
