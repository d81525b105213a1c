import type { Database } from '#database/database.js';
import { HEARTBEAT_NAME } from '#database/monitoring/heartbeat.js';

/** Facts from the database server about itself and the work in the database. */
export interface ServerFacts {
  version_num: number;
  version: string;
  fsync: string;
  full_page_writes: string;
  synchronous_commit: string;
  in_recovery: boolean;
  /** Whether transactions of this user are read-only, as all of a replica's are. */
  read_only: boolean;
  encoding: string;
  max_connections: number;
  /** The names of user and database, quoted where SQL needs it. */
  role: string;
  database: string;
  /** Whether the role may create schemas in the database. */
  may_create: boolean;
  /** Whether it may create tables in the schema `public`: from PostgreSQL 15 on only the owner may, unless it is granted. */
  may_create_tables: boolean;
  /** Its clock, in milliseconds since 1970. */
  clock_ms: number;
  /** Seconds for which the oldest writing transaction has been open, or prepared; it holds back the feed. */
  oldest_writer_seconds: number;
}

export async function serverFacts(database: Database): Promise<ServerFacts> {
  const [facts] = await database.query<ServerFacts>({
    text: `SELECT current_setting('server_version_num')::int AS version_num, current_setting('server_version') AS version,
                  current_setting('fsync') AS fsync, current_setting('full_page_writes') AS full_page_writes,
                  current_setting('synchronous_commit') AS synchronous_commit, pg_is_in_recovery() AS in_recovery,
                  current_setting('transaction_read_only')::bool AS read_only,
                  current_setting('server_encoding') AS encoding,
                  current_setting('max_connections')::int AS max_connections,
                  quote_ident(current_user) AS role, quote_ident(current_database()) AS database,
                  has_database_privilege(current_database(), 'CREATE') AS may_create,
                  coalesce(has_schema_privilege(to_regnamespace('public'), 'CREATE'), false) AS may_create_tables,
                  (extract(epoch FROM clock_timestamp()) * 1000)::float AS clock_ms,
                  coalesce(extract(epoch FROM now() - least(
                    (SELECT min(xact_start) FROM pg_stat_activity WHERE backend_xid IS NOT NULL),
                    (SELECT min(prepared) FROM pg_prepared_xacts))), 0)::float AS oldest_writer_seconds`,
  });
  return facts!;
}

/** How many processes of Parley are connected to the database; a command line of this moment is none. */
export async function connectedProcesses(database: Database): Promise<number> {
  const [row] = await database.query<{ count: number }>({
    text: `SELECT count(*)::int AS count FROM pg_stat_activity
            WHERE datname = current_database() AND application_name = '${HEARTBEAT_NAME}'`,
  });
  return row!.count;
}

/** The channels that are set up, by organization. */
export function channelsInUse(database: Database): Promise<{ organization_id: string; modality: string }[]> {
  return database.query({
    text: 'SELECT organization_id, modality FROM channel ORDER BY organization_id, modality',
  });
}

/** The webhooks with their sealed secrets. */
export function webhooksInUse(database: Database): Promise<{ webhook_id: string; secrets: Buffer }[]> {
  return database.query({ text: 'SELECT webhook_id, secrets FROM webhook ORDER BY webhook_id' });
}
