import { setTimeout as sleep } from 'node:timers/promises';
import { randomBytes } from 'node:crypto';
import type pg from 'pg';
import { hasCode } from '#kernel/error-code.js';
import type { Database } from './database.js';
import { isDistributed } from './distributed.js';
import { ServerClient } from './server-client.js';
import type { Servers } from './servers.js';
import { CLUSTER_SETTINGS, CONNECT_MS, partsOf, POOLED_STARTUP, SETTINGS } from './settings.js';

/** The settings that connections through a pooler get by their role; how long a client is waited for is the pooler's business. */
const ROLE_SETTINGS = SETTINGS.filter((setting) => !/^(timezone|datestyle|tcp_\w+)=/.test(setting));

const roleSettings = (isDistributed: boolean): string[] => {
  const others = new Set(isDistributed ? CLUSTER_SETTINGS.map((setting) => partsOf(setting)[0]) : []);
  const kept = ROLE_SETTINGS.filter((setting) => !others.has(partsOf(setting)[0]));
  return isDistributed ? [...kept, ...CLUSTER_SETTINGS] : kept;
};

/** Any constant: one process at a time changes the role. */
const ROLE_LOCK = 7_015_929;

const NOT_ALLOWED = '42501';

const CHECKS = { tries: 6, pauseMs: 500, most: 20 };

/** Runs `work` on a connection as a pooler takes it, without settings of the session. */
export async function withPlainClient<Result>(
  servers: Servers,
  work: (client: pg.Client) => Promise<Result>,
): Promise<Result> {
  const client = new ServerClient({
    servers,
    settings: [],
    startup: POOLED_STARTUP,
    connectionTimeoutMillis: CONNECT_MS,
  });
  client.on('error', () => {});
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}

/** Whether there is a pooler on the way: to its clients it gives process ids of its own. */
export async function isPooled(client: pg.Client): Promise<boolean> {
  const { processID } = client as unknown as { processID: number };
  const { rows } = await client.query<{ pid: number }>('SELECT pg_backend_pid() AS pid');
  return rows[0]!.pid !== processID;
}

/** What tells a database from every other one: its name, and the identifier of its servers where this user may know it. */
export interface Identity {
  name: string;
  system: string | null;
}

export async function identityOf(client: pg.Client): Promise<Identity> {
  const { rows } = await client.query<{ name: string }>('SELECT current_database() AS name');
  const system = await client
    .query<{ id: string }>('SELECT system_identifier::text AS id FROM pg_control_system()')
    .then(({ rows }) => rows[0]!.id)
    .catch((error: Error) => {
      if (!hasCode(error, NOT_ALLOWED)) throw error;
      return null;
    });
  return { name: rows[0]!.name, system };
}

export const isSameDatabase = (one: Identity, other: Identity): boolean =>
  one.name === other.name && (one.system === other.system || one.system === null || other.system === null);

/** Makes our settings those of the role in this database, unless they are. */
export async function setRoleSettings(client: pg.Client): Promise<void> {
  if ((await missingSettings(client)).length === 0) return;
  await client.query('BEGIN');
  await client.query('SELECT pg_advisory_xact_lock($1)', [ROLE_LOCK]);
  const { rows } = await client.query<{ name: string }>('SELECT quote_ident(current_database()) AS name');
  for (const setting of await missingSettings(client)) {
    const [name, value] = partsOf(setting);
    await client.query(`ALTER ROLE CURRENT_USER IN DATABASE ${rows[0]!.name} SET ${name} = '${value}'`);
  }
  await client.query('COMMIT');
}

/** Those of our settings that are not the role's in this database. */
export async function missingSettings(client: pg.Client): Promise<string[]> {
  const { rows } = await client.query<{ setting: string }>(
    `SELECT unnest(setconfig) AS setting FROM pg_db_role_setting
      WHERE setrole = current_user::regrole
        AND setdatabase = (SELECT oid FROM pg_database WHERE datname = current_database())`,
  );
  const had = new Set(rows.map(({ setting }) => setting));
  return roleSettings(await isDistributed(client)).filter((setting) => !had.has(setting));
}

/** The settings that servers behind the pooler lack, as they were connected to before the role had them; looks a few times. */
export async function outdatedSettings(database: Database, poolSize: number): Promise<string[]> {
  for (let attempt = 1; ; attempt++) {
    // At the same moment, so that the pooler has to take many of its connections.
    const looks = Array.from({ length: Math.min(poolSize, CHECKS.most) }, () => settingsOf(database));
    const found = new Set((await Promise.all(looks)).flat());
    if (found.size === 0 || attempt === CHECKS.tries) return [...found];
    await sleep(CHECKS.pauseMs);
  }
}

async function settingsOf(database: Database): Promise<string[]> {
  const expected = roleSettings(database.isDistributed).map(partsOf);
  const rows = await database.query<{ name: string; setting: string }>({
    text: `SELECT name, setting FROM pg_settings, (SELECT pg_sleep(0.02)) held WHERE name = ANY ($1)`,
    values: [expected.map(([name]) => name)],
  });
  const values = new Map(rows.map(({ name, setting }) => [name, setting]));
  return expected
    .filter(([name, value]) => values.get(name) !== value)
    .map(([name]) => `${name}=${values.get(name)}`);
}

/**
 * Whether the pooler gives prepared statements names of its own, by which it finds them again on every server. One that passes our
 * name on leaves the statement on a server that the next transaction does not have.
 */
export async function renamesStatements(database: Database): Promise<boolean> {
  const name = `probe_${randomBytes(8).toString('hex')}`;
  return database.transaction(async (tx) => {
    await tx.query({ name, text: 'SELECT 1' });
    const own = await tx.query({
      text: 'SELECT FROM pg_prepared_statements WHERE name = $1',
      values: [name],
    });
    if (own.length > 0) await tx.query({ text: `DEALLOCATE ${name}` });
    return own.length === 0;
  });
}
