import { type Config, ConfigurationError } from '../config/config.js';
import { databaseAddress } from '#config/database-address.js';
import { openDatabase, openPool } from '#database/data-source.js';
import type { Database } from '#database/database.js';
import { openReplicas, WrongReplica } from '#database/replicas/open.js';
import { migrate } from '#database/migrate.js';
import { setRoleSettings } from '#database/pooler.js';
import type { Servers } from '#database/servers.js';
import { requireOwnEvents } from '#event-store/repair.js';
import { hasCode } from '#kernel/error-code.js';
import type { Tracing } from '#telemetry/otel.js';
import { ENTITIES, MIGRATIONS } from '../app/schema.js';
import type { Finding } from '../doctor/finding.js';
import { examineDirectWay, examinePooler } from '../doctor/pooler.js';
import { serverFacts } from '../doctor/doctor.queries.js';
import { judgeFitness, judgeRefusal, judgeRights } from '../doctor/server.js';
import { waitingFor } from './start-progress.js';

interface Opening {
  /** Refuse events that come from another cluster. */
  guard?: boolean;
  tracing?: Tracing | null;
  signal?: AbortSignal;
}

/** SQLSTATE insufficient_privilege. */
const NO_RIGHT = '42501';

/** Connections for the migrations, where the pool's do not lead to the server itself. */
const MIGRATING = 2;

/** Opens the database with its schema up to date. Throws a sentence that says what is wrong with the set-up, and what to do. */
export async function openSchema(config: Config, databaseUrl: string, opening: Opening): Promise<Database> {
  const { databaseDirectUrl } = config;
  if (databaseDirectUrl === null)
    return prepared(await open(config, 'DATABASE_URL', databaseUrl, opening), 'DATABASE_URL', opening);
  const own = { ...config, databasePoolSize: MIGRATING };
  const direct = await prepared(
    await open(own, 'DATABASE_DIRECT_URL', databaseDirectUrl, opening),
    'DATABASE_DIRECT_URL',
    opening,
  );
  try {
    const session = await direct.connect();
    await setRoleSettings(session).finally(() => session.end());
    return await throughPooler(config, databaseUrl, direct.direct, opening);
  } finally {
    await direct.close();
  }
}

type Variable = 'DATABASE_URL' | 'DATABASE_DIRECT_URL';

/** `direct`: the servers themselves, where the variable may lead through a pooler. */
async function open(
  { databasePoolSize }: Config,
  variable: Variable,
  url: string,
  { tracing, signal }: Opening,
  direct?: Servers,
): Promise<Database> {
  const where = databaseAddress(url)!.shown;
  const opened = openDatabase({
    url,
    ...(direct && { direct }),
    poolSize: databasePoolSize,
    entities: ENTITIES,
    migrations: MIGRATIONS,
    onConnect: tracing?.traceConnection,
    signal,
  });
  return waitingFor(`PostgreSQL at ${where}`, opened).catch((error: Error & { code?: string }) => {
    // Errors of PostgreSQL and the network have a code.
    if (error.code === undefined) throw error;
    throw refusal(judgeRefusal(error, where, variable), error);
  });
}

/** Brings the schema up to date, on servers that are reached without a pooler. */
async function prepared(
  database: Database,
  variable: Variable,
  { guard = true, signal }: Opening,
): Promise<Database> {
  try {
    const facts = await serverFacts(database);
    const wrong = (await examineDirectWay(database.direct, variable)) ?? judgeFitness(facts)[0];
    if (wrong) throw refusal(wrong);
    await migrate(database, {
      signal,
      onLongWait: (forWhat) => process.stderr.write(`Waiting for ${forWhat}.\n`),
    }).catch((error: Error) => {
      if (!hasCode(error, NO_RIGHT)) throw error;
      throw refusal(judgeRights(facts)[0] ?? judgeRefusal(error, database.direct.shown, variable), error);
    });
    if (guard) await requireOwnEvents(database);
    return database;
  } catch (error) {
    await database.close();
    throw error;
  }
}

async function throughPooler(
  config: Config,
  url: string,
  direct: Servers,
  opening: Opening,
): Promise<Database> {
  const database = await open(config, 'DATABASE_URL', url, opening, direct);
  try {
    const found = await examinePooler(database, config.databasePoolSize);
    if (found.verdict === 'error') throw refusal(found);
    return database;
  } catch (error) {
    await database.close();
    throw error;
  }
}

const refusal = ({ detail, fix }: Finding, cause?: Error): Error =>
  new Error(`Database: ${detail}. ${fix}`, { cause });

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
