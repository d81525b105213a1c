import { randomInt } from 'node:crypto';
import type pg from 'pg';
import type { Database } from '../database.js';
import type { Reader } from '../statements/statement.js';

/** Any constant: the class of advisory locks that stand for living processes. */
const PRESENCE_CLASS = 7_015_928;

/** SQL: the locks of living processes. */
const SIGNS_OF_LIFE = `locktype = 'advisory' AND classid = ${PRESENCE_CLASS} AND objsubid = 2
     AND granted AND database = (SELECT oid FROM pg_database WHERE datname = current_database())`;

/** Pause between the heartbeats of a process: statements on the connection of its sign of life, which PostgreSQL dates. */
const BEAT_MS = 2_000;
/** A process without a heartbeat for so long is frozen, or too busy to be of use. */
const SILENT_S = 10;

/** The processes that give signs of life. */
export interface Alive {
  /** Those with a heartbeat in the last ten seconds. */
  count: number;
  /** Seconds since the latest heartbeat of any; null when there is none, or the database does not tell. */
  heartbeat_age_seconds: number | null;
}

/** The ids of the processes that live. The locks are those of this server: what asks other nodes, too, cannot look at them. */
export async function livingWorkers(reader: Reader): Promise<number[]> {
  const rows = await reader.query<{ worker: number }>({
    name: 'living_workers',
    text: `SELECT DISTINCT objid::int AS worker FROM pg_locks WHERE ${SIGNS_OF_LIFE}`,
  });
  return rows.map(({ worker }) => worker);
}

/** Counts the processes that are alive. One whose heartbeats this user may not see counts, as its lock is there. */
export async function aliveProcesses(reader: Reader): Promise<Alive> {
  const [alive] = await reader.query<Alive>({
    name: 'alive_processes',
    text: `SELECT count(DISTINCT objid) FILTER (WHERE age IS NULL OR age < ${SILENT_S})::int AS count,
                  (CASE WHEN min(age) < 0 THEN 0 ELSE min(age) END)::float AS heartbeat_age_seconds
             FROM (SELECT objid, extract(epoch FROM clock_timestamp() - state_change) AS age
                     FROM pg_locks LEFT JOIN pg_stat_activity USING (pid) WHERE ${SIGNS_OF_LIFE}) signs`,
  });
  return alive!;
}

/** Pause before another attempt to take the lock again. */
const AGAIN_MS = 200;
/** Longer than a living process needs to be seen again after its connection was lost. */
const GRACE_MS = 2_000;

/**
 * This process's sign of life for all others: a session advisory lock, which PostgreSQL releases the moment the process or
 * its connection ends. A process that lives on after losing the connection takes the lock again, under the same id.
 */
export class WorkerLiveness {
  private readonly own = randomInt(1, 2 ** 31);
  private client: pg.Client | null = null;
  private announced: Promise<number> | null = null;
  private again: NodeJS.Timeout | null = null;
  private beating: NodeJS.Timeout | null = null;
  private hasLeft = false;

  constructor(private readonly database: Database) {}

  /** This process's id; takes its lock first if needed. */
  id(): Promise<number> {
    if (this.announced) return this.announced;
    const announced = this.announce();
    this.announced = announced;
    announced.catch(() => {
      if (this.announced === announced) this.announced = null;
    });
    return announced;
  }

  /** Ends the sign of life. Call it when the process has nothing in hand any more. */
  leave(): void {
    this.hasLeft = true;
    this.drop();
  }

  private drop(): void {
    if (this.again) clearTimeout(this.again);
    this.again = null;
    if (this.beating) clearInterval(this.beating);
    this.beating = null;
    if (this.client) endAtOnce(this.client);
    this.client = null;
    this.announced = null;
  }

  private async announce(): Promise<number> {
    const client = await this.database.connect();
    client.on('error', () => {
      if (this.client === client) this.beSeenAgain();
    });
    try {
      // Shared: PostgreSQL may not have noticed yet that the earlier connection is lost, and still hold its lock.
      await client.query('SELECT pg_advisory_lock_shared($1::int, $2::int)', [PRESENCE_CLASS, this.own]);
    } catch (error) {
      endAtOnce(client);
      throw error;
    }
    if (this.hasLeft) endAtOnce(client);
    else this.beat(client);
    return this.own;
  }

  private beat(client: pg.Client): void {
    this.client = client;
    let isAnswered = true;
    this.beating = setInterval(() => {
      // A server that is frozen answers when it is back: questions must not pile up meanwhile.
      if (!isAnswered) return;
      isAnswered = false;
      const answered = () => (isAnswered = true);
      client.query('SELECT 1').then(answered, answered);
    }, BEAT_MS).unref();
  }

  private beSeenAgain(): void {
    this.drop();
    this.id().catch(() => {
      if (!this.hasLeft) this.again ??= setTimeout(() => this.beSeenAgain(), AGAIN_MS);
    });
  }
}

/** Without waiting for a server that may not answer. */
function endAtOnce(client: pg.Client): void {
  client.end().catch(() => {});
}

/** Tells which of the processes without a sign of life have ended. */
export class Absences {
  /** When each process was first missed, in milliseconds. */
  private missed = new Map<number, number>();

  /** Those of the now missing processes that have been missing for `GRACE_MS`. Must be called regularly. */
  gone(missing: Iterable<number>, at = performance.now()): ReadonlySet<number> {
    this.missed = new Map([...missing].map((worker) => [worker, this.missed.get(worker) ?? at]));
    return new Set([...this.missed].filter(([, since]) => at - since >= GRACE_MS).map(([worker]) => worker));
  }
}
