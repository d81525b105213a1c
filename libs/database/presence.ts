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

/**
 * This process's sign of life, seen by all others: a session advisory lock, which PostgreSQL takes back the moment the
 * process or its connection ends. A lost connection gives the process another id, under which it is alive again.
 */
export class Presence {
  private client: pg.PoolClient | null = null;
  private announced: Promise<number> | null = null;

  constructor(private readonly database: Database) {}

  /** The id under which this process is alive right now; announces it first when need be. */
  id(): Promise<number> {
    return (this.announced ??= this.announce().catch((error: unknown) => {
      this.announced = null;
      throw error;
    }));
  }

  /** Ends the sign of life; the process has nothing in hand any more. */
  leave(): void {
    this.client?.release(true);
    this.client = null;
    this.announced = null;
  }

  private async announce(): Promise<number> {
    const id = randomInt(1, 2 ** 31);
    const client = await this.database.connect();
    client.once('error', () => this.leave());
    try {
      await client.query('SELECT pg_advisory_lock($1::int, $2::int)', [PRESENCE_CLASS, id]);
    } catch (error) {
      client.release(true);
      throw error;
    }
    this.client = client;
    return id;
  }
}
