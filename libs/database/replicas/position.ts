/** Where a server is in the log of its cluster. */
export interface Place {
  /** Names the cluster and the database in it. */
  cluster: string;
  /** Whether it follows another server. */
  is_replica: boolean;
  /** How far it has written its log or, as a replica, replayed the primary's: bytes since the cluster began. */
  position: number;
}

/** SQL: a position in the log as a number; of bytes that fit into one, a cluster writes thousands of years. */
export const asNumber = (position: string): string => `(${position} - '0/0')::float8`;

/** SQL: up to where the primary's log is safe; whatever a statement has seen lies before it. */
export const FLUSHED = asNumber('pg_current_wal_flush_lsn()');

export const PLACE = `SELECT (SELECT system_identifier FROM pg_control_system()) || '/' ||
       (SELECT oid FROM pg_database WHERE datname = current_database()) AS cluster,
       pg_is_in_recovery() AS is_replica,
       ${asNumber('CASE WHEN pg_is_in_recovery() THEN pg_last_wal_replay_lsn() ELSE pg_current_wal_lsn() END')} AS position`;
