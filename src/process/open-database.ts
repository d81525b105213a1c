import { type Config, ConfigurationError } from '../config/config.js';
import { openDatabase, openPool } from '#database/data-source.js';
import type { Database } from '#database/database.js';
import { openReplicas, WrongReplica } from '#database/replicas/open.js';
import { migrate } from '#database/migrate.js';
import { requireOwnEvents } from '#event-store/repair.js';
import type { Tracing } from '#telemetry/otel.js';
import { ENTITIES, MIGRATIONS } from '../app/schema.js';
import { judgeRefusal } from '../doctor/server.js';
import { waitingFor } from './start-progress.js';

/** Opens the database with its schema up to date. `guard`: refuse events that come from another cluster. */
export async function openSchema(
  config: Config,
  databaseUrl: string,
  {
    guard = true,
    tracing = null,
    signal,
  }: { guard?: boolean; tracing?: Tracing | null; signal?: AbortSignal },
): Promise<Database> {
  const { host } = new URL(databaseUrl);
  const opening = openDatabase({
    url: databaseUrl,
    poolSize: config.databasePoolSize,
    entities: ENTITIES,
    migrations: MIGRATIONS,
    onConnect: tracing?.traceConnection,
    signal,
  });
  const database = await waitingFor(`PostgreSQL at ${host}`, opening).catch(
    (error: Error & { code?: string }) => {
      // Errors of PostgreSQL and the network have a code.
      if (error.code === undefined) throw error;
      const { detail, fix } = judgeRefusal(error, host);
      throw new Error(`Database: ${detail}. ${fix}`, { cause: error });
    },
  );
  try {
    await migrate(database, {
      signal,
      onLongWait: () => process.stderr.write('Waiting for another process that migrates the database.\n'),
    });
    if (guard) await requireOwnEvents(database);
    return database;
  } catch (error) {
    await database.close();
    throw error;
  }
}

/** Lets the database be read from the replicas that are configured. Refuses those that are none. */
export async function openReplicasOf(
  database: Database,
  { databaseReplicaUrls, databasePoolSize: poolSize }: Config,
  { tracing, log }: { tracing: Tracing | null; log: { warn(text: string): void } },
): Promise<void> {
  if (databaseReplicaUrls.length === 0) return;
  const onConnect = tracing?.traceConnection;
  const openReplicaPool = (url: string) => openPool({ url, poolSize, onConnect });
  await openReplicas(database, databaseReplicaUrls, openReplicaPool, log).catch((error: unknown) => {
    if (!(error instanceof WrongReplica)) throw error;
    throw new ConfigurationError(
      `DATABASE_REPLICA_URLS: ${error.message}. Name physical replicas of the server in DATABASE_URL, or leave it out.`,
    );
  });
}
