import { LONGEST_WRITER_S } from '#event-store/feed.js';
import { QUEUE_CONNECTIONS } from '#jobs/jobs.js';
import { failed, type Finding, warning, ok } from './finding.js';
import type { ServerFacts } from './doctor.queries.js';

const OLDEST_VERSION = 14;
const MOST_SKEW_MS = 2_000;
/** One connection asks whether the server answers, one whether the configuration has changed, and one is a worker's sign of life. */
const WATCHING_CONNECTIONS = 3;

/** Why Parley cannot work on a server at all. */
export const judgeFitness = (facts: ServerFacts): Finding[] =>
  [
    facts.version_num < OLDEST_VERSION * 10_000 &&
      failed(
        'database version',
        `PostgreSQL ${facts.version} is older than ${OLDEST_VERSION}`,
        `Upgrade it to ${OLDEST_VERSION} or later.`,
      ),
    facts.in_recovery &&
      failed('database', 'the server is a read-only replica', 'Point DATABASE_URL at the primary.'),
    !facts.in_recovery &&
      facts.read_only &&
      failed(
        'database',
        "this user's transactions are read-only",
        `ALTER ROLE ${facts.role} RESET default_transaction_read_only, or the same for the database or the server.`,
      ),
  ].filter((finding) => finding !== false);

/** What this user may not do, and Parley does. */
export const judgeRights = (facts: ServerFacts): Finding[] =>
  [
    !facts.may_create &&
      failed(
        'database rights',
        'this user may not create schemas in the database, which the queue and rebuilds do',
        `Run as its owner, or GRANT CREATE ON DATABASE ${facts.database} TO ${facts.role}.`,
      ),
    !facts.may_create_tables &&
      failed(
        'database rights',
        'this user may not create tables in the schema public, which migrations do',
        `Run as the owner of the database, or GRANT CREATE ON SCHEMA public TO ${facts.role}.`,
      ),
  ].filter((finding) => finding !== false);

/**
 * What is wrong with a database server, by its own facts. `asked` and `answered`: this process's clock before and after
 * reading them.
 */
export function judgeServer(
  facts: ServerFacts,
  poolSize: number,
  [asked, answered]: [asked: number, answered: number],
  { isQueueOnRedis = false, isPooled = false } = {},
): Finding[] {
  const pool = isPooled ? 0 : poolSize;
  const connections = pool + (isQueueOnRedis ? 0 : QUEUE_CONNECTIONS) + WATCHING_CONNECTIONS;
  // The time that the answer took is no difference of the clocks.
  const skew = Math.round(facts.clock_ms - Math.min(Math.max(facts.clock_ms, asked), answered));
  const found = [
    ...judgeFitness(facts),
    facts.encoding !== 'UTF8' &&
      failed(
        'database encoding',
        `the database is encoded in ${facts.encoding}`,
        "Make one with CREATE DATABASE … ENCODING 'UTF8' TEMPLATE template0.",
      ),
    ...judgeRights(facts),
    ...(['fsync', 'full_page_writes'] as const).map(
      (setting) =>
        facts[setting] === 'off' &&
        failed(
          'durability',
          `${setting} is off: a crash can destroy the database`,
          `ALTER SYSTEM SET ${setting} = on.`,
        ),
    ),
    facts.synchronous_commit === 'off' &&
      failed(
        'durability',
        'synchronous_commit is off: writes that were answered are lost in a crash',
        'ALTER SYSTEM SET synchronous_commit = on, also for the role and the database.',
      ),
    facts.max_connections < connections &&
      warning(
        'connections',
        `the server takes ${facts.max_connections} connections, and one process may want ${connections}`,
        isPooled ? 'Raise max_connections.' : 'Raise max_connections, or lower DATABASE_POOL_SIZE.',
      ),
    Math.abs(skew) > MOST_SKEW_MS &&
      warning(
        'clock',
        `the clocks of the database and of this machine are ${(Math.abs(skew) / 1000).toFixed(1)} s apart`,
        'Keep both by NTP.',
      ),
    facts.oldest_writer_seconds > LONGEST_WRITER_S &&
      warning(
        'event feed',
        `a transaction has been open for ${Math.round(facts.oldest_writer_seconds)} s and holds the event feed back`,
        'Find it in pg_stat_activity (backend_xid is not null) or pg_prepared_xacts and end it.',
      ),
  ].filter((finding) => finding !== false);
  return found.length > 0 ? found : [ok('database', `PostgreSQL ${facts.version}`)];
}

/** Why no connection could be made, with advice. `where` is host and port; `variable` names them. */
export function judgeRefusal(
  { code, message }: { code?: string; message: string },
  where: string,
  variable: 'DATABASE_URL' | 'DATABASE_DIRECT_URL' = 'DATABASE_URL',
): Finding {
  const check = 'database';
  switch (code ?? '') {
    case '28P01':
      return failed(check, `the server at ${where} refuses the password`, `Correct it in ${variable}.`);
    case '28000':
      return failed(
        check,
        `the server at ${where} refuses the user: ${message}`,
        `Correct ${variable} or pg_hba.conf.`,
      );
    case '3D000':
      return failed(check, message, `Create it (CREATE DATABASE), or correct ${variable}.`);
    case '42501':
      return failed(
        check,
        `this user lacks a right: ${message}`,
        `Make the user in ${variable} the owner of the database and its tables, or grant it the right.`,
      );
    case '53300':
      return failed(check, `the server at ${where} has no connection left`, 'Raise max_connections.');
    case '08P01':
      if (!/startup parameter/.test(message)) break;
      return variable === 'DATABASE_URL' ? poolerAlone(where) : poolerTwice(where);
  }
  return failed(
    check,
    `the server at ${where} cannot be reached: ${message || code}`,
    `Start it, correct ${variable}, or open the way to it.`,
  );
}

/** A pooler refuses the settings of the session, or is seen by its process ids. */
export const poolerAlone = (where: string): Finding =>
  failed(
    'pooler',
    `DATABASE_URL leads through a connection pooler (${where})`,
    'Set DATABASE_DIRECT_URL, too: the address of PostgreSQL itself, for what needs a session.',
  );

export const poolerTwice = (where: string): Finding =>
  failed(
    'pooler',
    `DATABASE_DIRECT_URL leads through a connection pooler (${where})`,
    'Make it the address of PostgreSQL itself.',
  );
