import { setTimeout as sleep } from 'node:timers/promises';
import { DataSource } from 'typeorm';
import type pg from 'pg';
import { hasCode } from '#kernel/error-code.js';
import { Database } from './database.js';
import { isDistributed } from './distributed.js';
import { NAME } from '#config/product.js';
import { TYPES } from './statements/types.js';

type Constructor = new (...parameters: never[]) => unknown;

/** Options of `openDatabase`: connection URL, pool size, and the entities and migrations of every context. */
export interface DatabaseOptions {
  url: string;
  poolSize: number;
  entities: Constructor[];
  migrations: Constructor[];
  /** Called with each new connection of the pool. */
  onConnect?: (client: pg.PoolClient) => void;
  /** Aborts waiting for a server that is starting. */
  signal?: AbortSignal;
}

/**
 * Settings of every connection, whatever the server, the database or the role sets: instants are read in UTC, and tables
 * are in `public`.
 */
const SETTINGS = [
  'timezone=UTC',
  'datestyle=ISO',
  'search_path=public',
  'idle_in_transaction_session_timeout=60000',
  // Rebuilds take long, and wait for their locks.
  'statement_timeout=0',
  'lock_timeout=0',
  // For a process that vanished with its machine: its open transaction would hold locks and the feed until that timeout.
  'tcp_keepalives_idle=5',
  'tcp_keepalives_interval=5',
  'tcp_keepalives_count=2',
  'tcp_user_timeout=15000',
  'plan_cache_mode=force_generic_plan',
];

/** Adds our settings to the URL's own `options`, which would replace options given beside the URL. */
function withSettings(url: string): string {
  const ours = SETTINGS.map((setting) => `-c ${setting}`).join(' ');
  const [named, begin, given] = /([?&]options=)([^&#]*)/.exec(url) ?? [];
  if (named === undefined) return `${url}${url.includes('?') ? '&' : '?'}options=${encodeURIComponent(ours)}`;
  const both = `${decodeURIComponent(given!.replaceAll('+', ' '))} ${ours}`;
  return url.replace(named, () => begin! + encodeURIComponent(both));
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
  poolSize,
  entities,
  migrations,
  onConnect,
  signal,
}: DatabaseOptions): Promise<Database> {
  let distributed: boolean | undefined;
  const source = new DataSource({
    type: 'postgres',
    url: withSettings(url),
    entities,
    migrations,
    migrationsTransactionMode: 'each',
    poolSize,
    applicationName: NAME,
    // A lost connection emits an error and fails its statements. Without a listener (the pool's while it is idle, ours
    // while it is in use) the process would end.
    poolErrorHandler: () => {},
    extra: {
      onConnect: async (client: pg.PoolClient) => {
        client.on('error', () => {});
        onConnect?.(client);
        // A generic plan of Citus cannot ask more than one node (docs/adr/0025-citus.md).
        if ((distributed ??= await isDistributed(client))) await client.query('SET plan_cache_mode = auto');
      },
      // Only for this pool: the queue's own pool keeps the driver's parsers.
      types: TYPES,
      pipeline: true,
      connectionTimeoutMillis: 5_000,
      keepAlive: true,
    },
  });
  await initialize(source, performance.now() + STARTING_LIMIT_MS, signal);
  return new Database(source, distributed === true);
}

async function initialize(source: DataSource, giveUpAt: number, signal?: AbortSignal): Promise<void> {
  for (;;)
    try {
      await source.initialize();
      return;
    } catch (error) {
      if (!hasCode(error, STARTING) || performance.now() > giveUpAt) throw error;
      await sleep(STARTING_PAUSE_MS, null, { signal });
    }
}
