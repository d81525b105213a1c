import { setTimeout as sleep } from 'node:timers/promises';
import { DataSource } from 'typeorm';
import pg from 'pg';
import { hasCode } from '#kernel/error-code.js';
import { Database } from './database.js';
import { ServerClient, withSettings } from './server-client.js';
import { Servers } from './servers.js';
import { CLUSTER_SETTINGS, CONNECT_MS, partsOf, POOLED_STARTUP, SETTINGS } from './settings.js';
import { isDistributed } from './distributed.js';
import { NAME } from '#config/product.js';
import { TYPES } from './statements/types.js';

type Constructor = new (...parameters: never[]) => unknown;

/** Called with each new connection of a pool. */
type OnConnect = (client: pg.PoolClient) => void | Promise<void>;

/** Options of `openDatabase`: where it is, pool size, and the entities and migrations of every context. */
export interface DatabaseOptions {
  url: string;
  /** Where the servers themselves are when `url` leads through a pooler: there connections keep no session. */
  direct?: Servers;
  poolSize: number;
  entities: Constructor[];
  migrations: Constructor[];
  onConnect?: OnConnect;
  /** Aborts waiting for a server that is starting. */
  signal?: AbortSignal;
}

/** The refusal of a PostgreSQL that is starting (`cannot_connect_now`), which after a crash includes reading its log. */
const STARTING = '57P03';
const STARTING_LIMIT_MS = 60_000;
const STARTING_PAUSE_MS = 250;

/**
 * Opens the connection pool, waiting for a server that is starting. Instants come back as ISO 8601 UTC text with
 * microseconds, never as `Date`, which would lose them.
 */
export async function openDatabase({
  url,
  direct,
  poolSize,
  entities,
  migrations,
  onConnect,
  signal,
}: DatabaseOptions): Promise<Database> {
  const servers = new Servers(url);
  const client = direct ? { settings: [], startup: POOLED_STARTUP } : { settings: SETTINGS };
  let distributed: boolean | undefined;
  const source = new DataSource({
    type: 'postgres',
    url: servers.url,
    entities,
    migrations,
    // Says nothing by itself: what fails is thrown, or tried again.
    logger: 'debug',
    poolSize,
    applicationName: NAME,
    poolErrorHandler: () => {},
    extra: {
      Client: ServerClient,
      servers,
      ...client,
      ...poolOptions(async (client) => {
        await onConnect?.(client);
        distributed ??= await isDistributed(client);
        // Through a pooler the role has them.
        if (distributed && !direct) await client.query(FOR_CLUSTER);
      }),
    },
  });
  await initialize(source, servers, performance.now() + STARTING_LIMIT_MS, signal);
  return new Database(source, servers, direct ?? servers, distributed === true);
}

const FOR_CLUSTER = CLUSTER_SETTINGS.map((setting) => `SET ${partsOf(setting).join(' = ')}`).join('; ');

/** How connections of a pool are made and kept. */
const poolOptions = (onConnect?: OnConnect) => ({
  // The pool waits for a promise, though its types do not say so.
  onConnect: (client: pg.ClientBase): unknown => {
    // A lost connection emits an error and fails its statements. Without a listener (the pool's while it is idle, ours
    // while it is in use) the process would end.
    client.on('error', () => {});
    return onConnect?.(client as pg.PoolClient);
  },
  // Only for these pools: the queue's own pool keeps the driver's parsers.
  types: TYPES,
  pipeline: true,
  connectionTimeoutMillis: CONNECT_MS,
  keepAlive: true,
});

/** A pool of connections with the same settings, which connects when it is used. */
export function openPool({
  url,
  poolSize,
  onConnect,
}: Pick<DatabaseOptions, 'url' | 'poolSize' | 'onConnect'>): pg.Pool {
  const pool = new pg.Pool({
    connectionString: withSettings(url, SETTINGS),
    application_name: NAME,
    max: poolSize,
    ...poolOptions(onConnect),
  });
  return pool.on('error', () => {});
}

async function initialize(
  source: DataSource,
  servers: Servers,
  giveUpAt: number,
  signal?: AbortSignal,
): Promise<void> {
  for (;;)
    try {
      await servers.look();
      await source.initialize();
      return;
    } catch (error) {
      if (!hasCode(error, STARTING) || performance.now() > giveUpAt) throw error;
      await sleep(STARTING_PAUSE_MS, null, { signal });
    }
}
