import { randomInt } from 'node:crypto';
import type pg from 'pg';
import type { Database } from './database.js';

/** Any constant: the class of advisory locks that stand for living processes. */
const PRESENCE_CLASS = 7_015_928;

/** SQL: whether the process whose id stands in the column `worker` lives. */
export const WORKER_LIVES = `EXISTS (
  SELECT FROM pg_locks
   WHERE locktype = 'advisory' AND classid = ${PRESENCE_CLASS} AND objid = worker::oid AND objsubid = 2
     AND granted AND database = (SELECT oid FROM pg_database WHERE datname = current_database()))`;

/** Pause before another attempt to be seen again. */
const AGAIN_MS = 200;
/** Longer than a living process whose connection is lost needs to be seen again. */
const GRACE_MS = 2_000;

/**
 * This process's sign of life, seen by all others: a session advisory lock, which PostgreSQL takes back the moment the
 * process or its connection ends. Whoever lives on after a lost connection gives it again, under the same id.
 */
export class Presence {
  private readonly own = randomInt(1, 2 ** 31);
  private client: pg.PoolClient | null = null;
  private announced: Promise<number> | null = null;
  private again: NodeJS.Timeout | null = null;
  private hasLeft = false;

  constructor(private readonly database: Database) {}

  /** The id under which this process is alive; announces it first when need be. */
  id(): Promise<number> {
    if (this.announced) return this.announced;
    const announced = this.announce();
    this.announced = announced;
    announced.catch(() => {
      if (this.announced === announced) this.announced = null;
    });
    return announced;
  }

  /** Ends the sign of life; the process has nothing in hand any more. */
  leave(): void {
    this.hasLeft = true;
    this.drop();
  }

  private drop(): void {
    if (this.again) clearTimeout(this.again);
    this.again = null;
    this.client?.release(true);
    this.client = null;
    this.announced = null;
  }

  private async announce(): Promise<number> {
    const client = await this.database.connect();
    client.on('error', () => {
      if (this.client === client) this.beSeenAgain();
    });
    try {
      // Shared, since PostgreSQL may not know yet that the connection is lost under which it holds the one before.
      await client.query('SELECT pg_advisory_lock_shared($1::int, $2::int)', [PRESENCE_CLASS, this.own]);
    } catch (error) {
      client.release(true);
      throw error;
    }
    if (this.hasLeft) client.release(true);
    else this.client = client;
    return this.own;
  }

  private beSeenAgain(): void {
    this.drop();
    this.id().catch(() => {
      if (!this.hasLeft) this.again ??= setTimeout(() => this.beSeenAgain(), AGAIN_MS);
    });
  }
}

/** Tells which processes have ended of those that give no sign of life. */
export class Absences {
  /** When each was missed first, in milliseconds. */
  private missed = new Map<number, number>();

  /** Those of the processes missed at this moment that have been missed for long. To be asked time and again. */
  gone(missing: Iterable<number>, at = performance.now()): ReadonlySet<number> {
    this.missed = new Map([...missing].map((worker) => [worker, this.missed.get(worker) ?? at]));
    return new Set([...this.missed].filter(([, since]) => at - since >= GRACE_MS).map(([worker]) => worker));
  }
}
