import { setTimeout as sleep } from 'node:timers/promises';
import type pg from 'pg';
import { NAME } from '#config/product.js';
import { OwnConnection } from '../monitoring/own-connection.js';
import { isRefusal } from '../refusal.js';
import { cutConnections, run, snapshot } from '../run.js';
import { newSession } from '../server-client.js';
import { Servers } from '../servers.js';
import type { Reader, Statement } from '../statements/statement.js';
import type { PrimaryLog } from './lag.js';
import { asNumber, type Place, PLACE } from './position.js';
import { within } from './within.js';

/** How long a replica may take to say where it is. */
const ANSWER_MS = 500;
/** A replica that is further behind is left out, */
export const MOST_LAG_MS = 5_000;
/** and used again once it is no further behind than this. */
const BACK_LAG_MS = 2_500;
/** Pause between looks whether a position has been replayed. */
const LOOK_MS = 5;

const REPLAYED: Statement = {
  name: 'replayed',
  text: `SELECT ${asNumber('pg_last_wal_replay_lsn()')} AS position`,
};

/** Where something is read. */
export interface ReadSource {
  readonly server: string;
  /** By how many seconds at most what is read there may be behind. */
  readonly lagSeconds: number;
}

export const PRIMARY: ReadSource = { server: 'primary', lagSeconds: 0 };

/** A server that follows the primary, and may be read from while it is near enough. */
export class Replica implements ReadSource {
  /** Host and port. */
  readonly server: string;
  private readonly connection: OwnConnection;
  /** Up to where it has replayed at least; 0 when that is unknown. */
  private replayed = 0;
  /** Why it is left out; null while it is in use. */
  private trouble: string | null = 'has not been asked yet';
  private isAsked = false;
  private looking: Promise<void> | null = null;

  constructor(
    url: string,
    private readonly pool: pg.Pool,
    private readonly primary: PrimaryLog,
  ) {
    this.server = new URL(url).host;
    const servers = new Servers(url);
    this.connection = new OwnConnection(() => newSession(servers, `${NAME} replica watch`));
  }

  /** By how many seconds at most what is read here now is behind; Infinity when that is unknown. */
  get lagSeconds(): number {
    return this.primary.lagOf(this.replayed) / 1_000;
  }

  /** Why it must not be read from at the moment; null when it may. */
  get leftOut(): string | null {
    return this.trouble ?? (this.lagSeconds * 1_000 > MOST_LAG_MS ? 'is too far behind' : null);
  }

  /** Asks where it is. `onChange` is called when it is left out, and with null when it is used again. */
  async watch(cluster: string, onChange: (trouble: string | null) => void): Promise<void> {
    if (this.isAsked) return;
    this.isAsked = true;
    const trouble = await this.examine(cluster).finally(() => (this.isAsked = false));
    const isChange = (trouble === null) !== (this.trouble === null);
    this.trouble = trouble;
    if (isChange) onChange(trouble);
  }

  private async examine(cluster: string): Promise<string | null> {
    try {
      const [place] = await within(ANSWER_MS, this.connection.query<Place>(PLACE));
      this.replayed = place!.position;
      return unfit(place!, cluster) ?? this.isBehind();
    } catch (error) {
      this.connection.end();
      this.replayed = 0;
      // A machine that has vanished closes no connection: the statements that wait on them are answered elsewhere.
      cutConnections(this.pool);
      return `is away: ${(error as Error).message}`;
    }
  }

  private isBehind(): string | null {
    const lag = this.primary.lagOf(this.replayed);
    if (lag <= (this.trouble === null ? MOST_LAG_MS : BACK_LAG_MS)) return null;
    return lag === Infinity ? 'is further behind than is known' : `is ${(lag / 1_000).toFixed(1)} s behind`;
  }

  /** Whether it is known to have replayed this position. */
  hasReplayed(position: number): boolean {
    return this.replayed >= position;
  }

  /** Whether it replays this position within that many milliseconds. */
  async reaches(position: number, milliseconds: number): Promise<boolean> {
    const end = performance.now() + milliseconds;
    for (;;) {
      if (this.hasReplayed(position)) return true;
      const left = end - performance.now();
      if (left <= 0) return false;
      // One statement for all who wait. It may be on a connection to a machine that has vanished.
      this.looking ??= this.look().finally(() => (this.looking = null));
      await Promise.race([this.looking, sleep(left)]);
      if (!this.hasReplayed(position)) await sleep(LOOK_MS);
    }
  }

  private async look(): Promise<void> {
    const rows = await this.query(REPLAYED).catch(() => []);
    const [row] = rows as { position: number }[];
    if (row) this.replayed = row.position;
  }

  query(statement: Statement): Promise<object[]> {
    return this.noticing(run(this.pool, statement));
  }

  snapshot<Result>(begin: string, read: (tx: Reader) => Promise<Result>): Promise<Result> {
    return this.noticing(snapshot(this.pool, begin, read));
  }

  /** A server that was killed may come back at an earlier position than it had reached. */
  private async noticing<Answer>(answer: Promise<Answer>): Promise<Answer> {
    try {
      return await answer;
    } catch (error) {
      if (!isRefusal(error)) this.replayed = 0;
      throw error;
    }
  }

  async close(): Promise<void> {
    this.connection.end();
    await this.pool.end();
  }
}

/** Why a server at this place cannot be a replica of the cluster; null when it can. */
export function unfit(place: Place, cluster: string): string | null {
  if (place.cluster !== cluster) return 'is of another cluster, or has another database';
  return place.is_replica ? null : 'is no replica: it takes writes itself';
}
