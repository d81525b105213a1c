import { AT_COMMAND_LINE } from '#kernel/context.js';
import { spawnSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { chmodSync } from 'node:fs';
import { createServer, type Server as TcpServer } from 'node:net';
import { join } from 'node:path';
import { Redis } from 'ioredis';
import { type EmbeddedPostgres, startEmbeddedPostgres } from '#embedded-postgres/postgres.js';
import { openDatabase } from '#database/data-source.js';
import { examine } from '../../src/cli/doctor.js';
import { ENTITIES } from '../../src/app/schema.js';
import type { Finding } from '../../src/doctor/finding.js';
import { channelSetupOn, Vault } from '../../src/workspace/workspace.contract.js';
import { execute } from '../support/database/execute.js';
import { adminOf, emailChannel, newWorkspace, ok, type Workspace } from '../support/clients/client.js';
import { expectProblem } from '../support/clients/expectations.js';
import { cli } from '../support/server/cli.js';
import { handlersOn } from '../support/database/handlers.js';
import { startRedis } from '../support/server/redis.js';
import { newDataDir, removeDataDir } from '../support/server/data-dir.js';
import { needs } from '../support/needs.js';
import { databaseUrl, freePort, type Server, startServer } from '../support/server/server.js';
import { until } from '../support/until.js';

const SECRET = randomBytes(32).toString('hex');
const NOBODY = 65_534;

let postgres: EmbeddedPostgres;
let dataDir: string;
let sound: Record<string, string>;

/** A copy of the migrated database with something wrong in it; gives its URL. */
async function databaseWith(...statements: string[]): Promise<string> {
  const name = `sick_${randomBytes(4).toString('hex')}`;
  await execute(postgres.url, `CREATE DATABASE ${name} TEMPLATE healthy`);
  const url = at(name);
  await execute(url, ...statements);
  return url;
}

function at(name: string): string {
  const url = new URL(postgres.url);
  url.pathname = name;
  return url.href;
}

/** What the doctor finds wrong, as `verdict check: detail`. */
async function diagnose(env: object, minFree?: number): Promise<string[]> {
  return wrongOf(await examine({ ...sound, ...env }, minFree));
}

/** The same by the command, as a process. */
async function runDoctor(env: object, uid?: number): Promise<string[]> {
  const run = await cli(['doctor', '--json'], { env: { ...sound, ...env }, uid });
  if (!run.stdout) throw new Error(run.stderr);
  const findings = JSON.parse(run.stdout) as Finding[];
  expect(run.code).toBe(findings.some(({ verdict }) => verdict === 'error') ? 1 : 0);
  return wrongOf(findings);
}

function wrongOf(findings: Finding[]): string[] {
  const wrong = findings.filter(({ verdict }) => verdict !== 'ok');
  for (const { fix } of wrong) expect(fix).toEqual(expect.any(String));
  return wrong.map(({ verdict, check, detail }) => `${verdict} ${check}: ${detail}`);
}

beforeAll(async () => {
  dataDir = newDataDir();
  postgres = await startEmbeddedPostgres({ dataDir: join(dataDir, 'db') });
  await execute(postgres.url, 'CREATE DATABASE healthy');
  sound = {
    DATABASE_URL: at('healthy'),
    PARLEY_DATA_DIR: dataDir,
    PARLEY_SECRET_KEY: SECRET,
    PARLEY_ADMIN_KEY: 'admin-key-of-the-doctor',
    PORT: String(await freePort()),
    HOST: '127.0.0.1',
  };
  const { code, stderr } = await cli(['migrate'], { env: sound });
  if (code !== 0) throw new Error(stderr);
});

afterAll(async () => {
  await postgres.stop();
  removeDataDir(dataDir);
});

/** An event of another time, or of another cluster, whose xid it bears. */
const event = (tx: string, age: string) => `
  INSERT INTO es_event (organization_id, stream_id, version, tx, position, stream_type, event_id, type, schema_version,
                        data, meta, occurred_at)
  VALUES ('org', 'sale', 1, '${tx}'::xid8, 1, 'sale', 'event', 'SaleOpened', 1, '{}', '{}', now() - interval '${age}')`;

/** A database with an e-mail channel to that port of this machine. */
async function channelTo(port: number): Promise<Record<string, string>> {
  const DATABASE_URL = await databaseWith();
  const settings = { provider: 'smtp', host: '127.0.0.1', port, from_address: 'sales@acme.example' };
  const database = await openDatabase({ url: DATABASE_URL, poolSize: 2, entities: ENTITIES, migrations: [] });
  const { store, organizations } = handlersOn(database);
  const { organization_id } = await organizations.create(AT_COMMAND_LINE, { name: 'Acme' });
  const channels = channelSetupOn(store, Buffer.from(SECRET, 'hex'), 'http://localhost');
  await channels.put(AT_COMMAND_LINE, organization_id, 'email', settings);
  await database.close();
  return { DATABASE_URL };
}

describe('parley doctor', () => {
  it('finds nothing wrong with a sound set-up', async () => expect(await runDoctor({})).toEqual([]));

  it('ends with 1 when something is wrong', async () =>
    expect(await runDoctor({ PORT: '70000' })).toEqual([expect.stringContaining('error environment: PORT')]));

  it('warns of an operator key that is short', async () =>
    expect(await diagnose({ PARLEY_ADMIN_KEY: 'admin' })).toEqual([
      'warning environment: PARLEY_ADMIN_KEY has 5 characters: it can be guessed',
    ]));

  it('finds nothing wrong where nothing is yet, and makes nothing there', async () => {
    const PARLEY_DATA_DIR = join(dataDir, 'nothing', 'yet');
    expect(await diagnose({ DATABASE_URL: '', PARLEY_DATA_DIR })).toEqual([]);
  });

  it('knows the ports on which Parley listens itself', async () => {
    const INBOUND_SMTP_PORT = String(await freePort());
    const server = await startServer({ env: { INBOUND_SMTP_PORT } });
    const env = { ...sound, PORT: new URL(server.url).port, INBOUND_SMTP_PORT };
    const ports = (await examine(env)).filter(({ check }) => check === 'port');
    await server.stop();
    removeDataDir(server.dataDir);
    expect(ports.map(({ detail }) => detail)).toEqual([
      `Parley listens on ${env.PORT}`,
      `Parley listens on ${INBOUND_SMTP_PORT}`,
    ]);
  });

  it('refuses a --min-free that is no number, and examines nothing', async () => {
    const { code, stdout, stderr } = await cli(['doctor', '--min-free', 'much'], { env: sound });
    expect([code, stdout, stderr]).toEqual([1, '', expect.stringContaining('--min-free')]);
  });

  it('prints for people, too', async () => {
    const { stdout } = await cli(['doctor'], { env: { ...sound, PORT: 'x' } });
    expect(stdout).toMatch(/^error {3}environment: PORT: must be/);
  });
});

describe('GET /admin/v1/doctor', () => {
  let server: Server;
  let workspace: Workspace;
  beforeAll(async () => {
    const env = { PARLEY_PUBLIC_URL: 'https://parley.example', PARLEY_PUBLIC_ULR: 'x' };
    server = await startServer({ env });
    workspace = await newWorkspace({ url: server.url });
  });
  afterAll(async () => {
    await server.stop();
    removeDataDir(server.dataDir);
  });

  /** What is wrong, and which checks were made. */
  const examined = async (query = {}) => {
    const { data }: { data: Finding[] } = await ok(workspace.admin.get('doctor', query));
    return { wrong: wrongOf(data), checks: data.map(({ check }) => check) };
  };

  it('finds what the command finds, but for the ports', async () => {
    // What it found when it started is not folded at once.
    await until(async () => !(await examined()).wrong.some((finding) => finding.includes('standing still')));
    const { wrong, checks } = await examined();
    const unread = 'warning environment: PARLEY_PUBLIC_ULR is set, and nothing reads it';
    expect(wrong.filter((finding) => !finding.startsWith('warning disk'))).toEqual([unread]);
    expect(checks).toEqual(expect.arrayContaining(['data directory', 'database', 'workers', 'migrations']));
    expect(checks).not.toContain('port');
  });

  it('tries channels with their providers only when it is told to', async () => {
    await emailChannel(workspace, 1);
    expect((await examined()).checks).not.toContain(`channel email of ${workspace.organizationId}`);
    expect((await examined({ channels: true })).wrong).toContainEqual(
      expect.stringMatching(/^error channel email of org_\w+: .*ECONNREFUSED/),
    );
    expectProblem(await workspace.admin.get('doctor', { channels: 'all' }), 400, 'validation_failed');
  });

  it('says so when the database is away', async () => {
    const url = new URL(await databaseUrl(server.dataDir));
    const DATABASE_URL = url.href;
    const env = { DATABASE_URL, PARLEY_SECRET_KEY: SECRET };
    const other = await startServer({ entry: 'api', dataDir: newDataDir(), env });
    await server.stop();
    const { data }: { data: Finding[] } = await ok(adminOf(other.url).get('doctor'));
    expect(wrongOf(data)).toContainEqual(
      expect.stringContaining(`error database: the server at ${url.host} cannot be reached`),
    );
    await other.stop();
    removeDataDir(other.dataDir);
  });
});

describe('parley doctor names', () => {
  it.each([
    ['a value that cannot be used', { PORT: '70000' }, 'error environment: PORT'],
    [
      'a timeout beyond the lease',
      { DELIVERY_TIMEOUT_MS: '90000' },
      'error environment: DELIVERY_TIMEOUT_MS: must be below',
    ],
    ['a variable that nobody reads', { PARLEY_PUBLIC_ULR: 'x' }, 'warning environment: PARLEY_PUBLIC_ULR'],
    ['a missing secret key', { PARLEY_SECRET_KEY: '' }, 'warning environment: PARLEY_SECRET_KEY'],
    [
      'an unreachable database',
      { DATABASE_URL: 'postgres://x:y@127.0.0.1:1/z' },
      'error database: the server at 127.0.0.1:1 cannot be reached',
    ],
    ['an unreachable Redis', { REDIS_URL: 'redis://127.0.0.1:1' }, 'error redis: 127.0.0.1:1'],
    ['no Sentinel', { REDIS_URL: 'redis+sentinel://127.0.0.1:1/primary' }, 'error redis: 127.0.0.1:1 cannot'],
    [
      'no node of a Redis cluster',
      { REDIS_URL: 'redis+cluster://127.0.0.1:1' },
      'error redis: 127.0.0.1:1 cannot',
    ],
  ])('%s', async (_, env, finding) =>
    expect(await diagnose(env)).toEqual([expect.stringContaining(finding)]),
  );

  it('a wrong password', async () => {
    const url = new URL(sound['DATABASE_URL']!);
    url.password = 'wrong';
    expect(await diagnose({ DATABASE_URL: url.href })).toEqual([
      expect.stringContaining('refuses the password'),
    ]);
  });

  it('a database that does not exist', async () =>
    expect(await diagnose({ DATABASE_URL: at('nowhere') })).toEqual([
      expect.stringContaining('"nowhere" does not exist'),
    ]));

  it('missing migrations', async () => {
    await execute(postgres.url, 'CREATE DATABASE fresh');
    expect(await diagnose({ DATABASE_URL: at('fresh') })).toEqual([
      expect.stringMatching(/^error migrations: \d+ are missing: EventStore/),
    ]);
  });

  it('a database of a newer version, on which nothing else starts either', async () => {
    const DATABASE_URL = await databaseWith(
      `INSERT INTO migrations (timestamp, name) VALUES (9, 'Teleporting9000000000000')`,
    );
    expect(await diagnose({ DATABASE_URL })).toEqual([
      expect.stringMatching(/^error migrations: .*newer version: Teleporting9000000000000$/),
    ]);
    const { code, stderr } = await cli(['migrate'], { env: { ...sound, DATABASE_URL } });
    expect([code, stderr]).toEqual([1, expect.stringContaining('newer version')]);
  });

  it('a role that may not make tables', async () => {
    await execute(postgres.url, `CREATE ROLE guest LOGIN PASSWORD 'guest'`, 'CREATE DATABASE visited');
    await execute(postgres.url, 'GRANT CREATE ON DATABASE visited TO guest');
    const url = new URL(at('visited'));
    [url.username, url.password] = ['guest', 'guest'];
    const DATABASE_URL = url.href;
    expect(await diagnose({ DATABASE_URL })).toContainEqual(
      expect.stringMatching(/^error database rights: .*tables/),
    );
    await execute(at('visited'), 'GRANT CREATE ON SCHEMA public TO guest');
    expect(await diagnose({ DATABASE_URL })).toEqual([expect.stringMatching(/^error migrations: /)]);
    const { code, stderr } = await cli(['migrate'], { env: { ...sound, DATABASE_URL } });
    expect([code, stderr]).toEqual([0, '']);
  });

  it('events of another cluster', async () => {
    const DATABASE_URL = await databaseWith(event('99999999999', '1 second'));
    expect(await diagnose({ DATABASE_URL })).toEqual([
      expect.stringMatching(/^error restored events: .*another cluster/),
    ]);
  });

  it('read models that stand still', async () => {
    const DATABASE_URL = await databaseWith(event('3', '1 hour'));
    expect(await diagnose({ DATABASE_URL })).toEqual(
      expect.arrayContaining([
        expect.stringMatching(/^error read models: analytics has been standing still/),
      ]),
    );
  });

  it('commits that are answered before they are on disk', async () => {
    const DATABASE_URL = await databaseWith();
    const name = new URL(DATABASE_URL).pathname.slice(1);
    await execute(DATABASE_URL, `ALTER DATABASE ${name} SET synchronous_commit = off`);
    expect(await diagnose({ DATABASE_URL })).toEqual([
      expect.stringContaining('error durability: synchronous_commit is off'),
    ]);
  });

  it('a data directory that it cannot write', async () => {
    const closed = newDataDir();
    const uid = process.getuid?.() === 0 ? NOBODY : undefined;
    chmodSync(closed, 0o555);
    const found = await runDoctor({ PARLEY_DATA_DIR: closed }, uid);
    expect(found).toEqual([expect.stringMatching(/^error data directory: /)]);
    chmodSync(closed, 0o755);
    removeDataDir(closed);
  });

  it('a disk that is nearly full', async () =>
    expect(await diagnose({}, 1_000_000_000)).toEqual([
      expect.stringMatching(/^warning disk: \d+ MiB are free/),
    ]));

  it('a port that another program has', async () => {
    const other: TcpServer = createServer((socket) => socket.end('no'));
    const port = await new Promise<number>((resolve) =>
      other.listen(0, '127.0.0.1', () => resolve((other.address() as { port: number }).port)),
    );
    expect(await diagnose({ PORT: String(port) })).toEqual([
      `error port: ${port} is taken by another program`,
    ]);
    other.close();
  });

  it('a certificate that is not there, and one that is not that of the key', async () => {
    const INBOUND_SMTP_PORT = String(await freePort());
    const tls = (cert: string) => ({
      INBOUND_SMTP_PORT,
      INBOUND_SMTP_TLS_CERT: cert,
      INBOUND_SMTP_TLS_KEY: import.meta.filename,
    });
    expect(await diagnose(tls('/nowhere.crt'))).toEqual([
      expect.stringMatching(/^error certificate: INBOUND_SMTP_TLS_CERT: cannot be read/),
    ]);
    expect(await diagnose(tls(import.meta.filename))).toEqual([
      expect.stringMatching(
        /^error certificate: INBOUND_SMTP_TLS_CERT, INBOUND_SMTP_TLS_KEY: no certificate/,
      ),
    ]);
  });

  it('a channel whose SMTP server does not answer, and hooks that nobody can reach', async () => {
    const env = await channelTo(1);
    expect(await diagnose(env)).toEqual([
      expect.stringMatching(/^warning public URL: PARLEY_PUBLIC_URL is not set/),
      expect.stringMatching(/^error channel email of org_\w+: .*ECONNREFUSED/),
    ]);
    const other = { ...env, PARLEY_SECRET_KEY: '0'.repeat(64), PARLEY_PUBLIC_URL: 'https://parley.example' };
    expect(await diagnose(other)).toEqual([
      expect.stringMatching(/^error channel email of org_\w+: its secrets cannot be opened/),
    ]);
  });

  it('webhooks whose secrets another key has sealed, to which nothing is sent', async () => {
    const DATABASE_URL = await databaseWith();
    const database = await openDatabase({
      url: DATABASE_URL,
      poolSize: 1,
      entities: ENTITIES,
      migrations: [],
    });
    await database.query({
      text: `INSERT INTO webhook (organization_id, webhook_id, url, types, secrets, created_at)
             VALUES ('org_1', 'webhook_1', 'https://x.example', '{}', $1, now())`,
      values: [new Vault(Buffer.from(SECRET, 'hex')).seal({ current: 'x', previous: [] }, 'webhook_1')],
    });
    await database.close();
    expect(await diagnose({ DATABASE_URL })).toEqual([]);
    expect(await diagnose({ DATABASE_URL, PARLEY_SECRET_KEY: '0'.repeat(64) })).toEqual([
      expect.stringMatching(/^error webhooks: the secrets of 1 cannot be opened, webhook_1 for one/),
    ]);
  });

  const { it: withRedis } = needs('redis-server', spawnSync('redis-server', ['--version']).status === 0);

  withRedis('a Redis that evicts', async () => {
    const redis = await startRedis();
    const client = new Redis(redis.url);
    await client.config('SET', 'maxmemory-policy', 'allkeys-lru');
    expect(await diagnose({ REDIS_URL: redis.url })).toEqual([
      expect.stringContaining('error redis: maxmemory-policy is allkeys-lru'),
    ]);
    client.disconnect();
    await redis.close();
  });

  withRedis('a Redis user without the rights that queue, readiness and rate limits need', async () => {
    const redis = await startRedis();
    const client = new Redis(redis.url);
    const diagnosedWith = async (...rules: string[]) => {
      await client.call('ACL', 'SETUSER', 'parley', 'reset', 'on', '>secret', '&*', ...rules);
      return diagnose({ REDIS_URL: redis.url.replace('//', '//parley:secret@') });
    };
    const lacking = [expect.stringMatching(/^error redis: \S+ cannot be used: NOPERM/)];
    expect(await diagnosedWith('~bull:*', '~parley:*', '+@all')).toEqual([]);
    expect(await diagnosedWith('~parley:*', '+@all')).toEqual(lacking);
    expect(await diagnosedWith('~bull:*', '~parley:alive', '+@all')).toEqual(lacking);
    expect(await diagnosedWith('~*', '+@all', '-@scripting')).toEqual(lacking);
    client.disconnect();
    await redis.close();
  });
});
