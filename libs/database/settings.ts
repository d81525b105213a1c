/**
 * Settings of every connection, whatever the server, the database or the role sets: instants are read in UTC, and tables
 * are in `public`.
 */
export const SETTINGS = [
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
  // Without a value for LIMIT a page of a large table looks costly, and to compile its statement takes 200 ms (docs/adr/0011-plans.md).
  'jit=off',
];

/**
 * Of connections to a cluster, in place of those above: a generic plan of Citus cannot ask more than one node, and a statement that asks
 * all shards has one connection to each node, where Citus would start servers for more of them each time
 * (docs/adr/0027-citus.md).
 */
export const CLUSTER_SETTINGS = ['plan_cache_mode=auto', 'citus.max_adaptive_executor_pool_size=1'];

/** A setting in its parts. */
export const partsOf = (setting: string) => setting.split('=') as [name: string, value: string];

/**
 * What a pooler keeps apart by itself for each of its clients, when it is told so in the startup message. The other settings have to
 * be the role's.
 */
export const POOLED_STARTUP = { TimeZone: 'UTC', DateStyle: 'ISO' };

/** How long a connection may take to open. */
export const CONNECT_MS = 5_000;
