import { AsyncLocalStorage } from 'node:async_hooks';
import { createHash } from 'node:crypto';
import type pg from 'pg';
import { NAME } from '#config/product.js';
import { Sweeper } from '#jobs/sweeper.js';
import { OwnConnection } from '../monitoring/own-connection.js';
import type { Reader } from '../statements/statement.js';
import { PrimaryLog } from './lag.js';
import { FLUSHED, type Place, PLACE } from './position.js';
import { WritePositions } from './positions.js';
import { Reading } from './reading.js';
import { MOST_LAG_MS, Replica } from './replica.js';
import { within } from './within.js';

/** How often to ask all servers where they are. */
const WATCH_MS = 250;
const ANSWER_MS = 500;
/** How long a request waits for a replica to have what its key has written. */
const PATIENCE_MS = 50;
const FORGET_MS = 60_000;

/** Why a request that could have read from a replica, or a statement of it, has gone to the primary. */
type Reason = 'none in use' | 'behind' | 'position unknown' | 'failed';

/** The replicas of a process, and who reads from them. */
export class Replicas {
  readonly all: readonly Replica[];
  /** Statements of requests that may read from replicas, by server. */
  readonly statements = new Map<string, number>([['primary', 0]]);
  readonly fallbacks = new Map<Reason, number>();
  private readonly readings = new AsyncLocalStorage<Reading | undefined>();
  private readonly primaryLog = new PrimaryLog();
  private readonly primary: OwnConnection;
  private readonly onPool: Reader;
  private readonly positions: WritePositions;
  private readonly forgetting: Sweeper;
  private timer?: NodeJS.Timeout;
  private cluster = '';
  private isAskingPrimary = false;

  constructor(
    primary: Reader & { newClient(name: string): pg.Client },
    replicas: { url: string; pool: pg.Pool }[],
    private readonly log: { warn(text: string): void },
  ) {
    this.all = replicas.map(({ url, pool }) => new Replica(url, pool, this.primaryLog));
    for (const { server } of this.all) this.statements.set(server, 0);
    this.primary = new OwnConnection(() => primary.newClient(`${NAME} replica watch`));
    this.onPool = { query: (statement) => this.onPrimary(() => primary.query(statement)) };
    this.positions = new WritePositions(this.onPool, log);
    this.forgetting = new Sweeper(log, () => this.positions.forgetOld());
  }

  /** Resolves when each replica is in use, or known not to be. */
  async start(): Promise<void> {
    await this.askPrimary();
    await this.watch(() => {});
    for (const { server, leftOut } of this.all) if (leftOut !== null) this.tell(server, leftOut);
    this.timer = setInterval(() => void this.watch(), WATCH_MS).unref();
    this.forgetting.start(FORGET_MS);
  }

  async close(): Promise<void> {
    clearInterval(this.timer);
    await this.forgetting.stop();
    this.primary.end();
    await Promise.all(this.all.map((replica) => replica.close()));
  }

  /** Runs what may read from a replica that has all writes of this key. Its end is told by `leave` of the reading. */
  read(keyId: string, work: () => void): Reading {
    const reading = new Reading(() => this.choose(keyId));
    this.readings.run(reading, work);
    return reading;
  }

  /** That of the running code. */
  get reading(): Reading | undefined {
    return this.readings.getStore();
  }

  /** Runs what must see the latest, or outlives the request. */
  onPrimary<Result>(work: () => Result): Result {
    return this.readings.run(undefined, work);
  }

  /** Notes that a request with this key may have written. */
  noteWrite(keyId: string): Promise<void> {
    return this.positions.note(keyId);
  }

  /** Notes what a request with this key has seen. Call it before its answer leaves. */
  noteRead(keyId: string): void {
    if (this.reading?.hasLeft) this.positions.noteSeen(keyId);
  }

  /** Waits until the replicas in use have what the primary has now. */
  async untilReplayed(): Promise<void> {
    if (this.inUse().length === 0) return;
    const [now] = await this.onPool.query<{ flushed: number }>({ text: `SELECT ${FLUSHED} AS flushed` });
    await Promise.all(this.inUse().map((replica) => replica.reaches(now!.flushed, MOST_LAG_MS)));
  }

  count(replica: Replica | null): void {
    const server = replica?.server ?? 'primary';
    this.statements.set(server, this.statements.get(server)! + 1);
  }

  /** Counts, and lets the running code read on from the primary. */
  fallBack(reason: Reason): null {
    this.fallbacks.set(reason, (this.fallbacks.get(reason) ?? 0) + 1);
    this.reading?.leave();
    return null;
  }

  private async choose(keyId: string): Promise<Replica | null> {
    if (this.inUse().length === 0) return this.fallBack('none in use');
    try {
      const position = await this.positions.of(keyId);
      if (position === Infinity) return this.fallBack('position unknown');
      const replica = ownOf(keyId, this.inUse());
      if (!replica) return this.fallBack('none in use');
      return (await replica.reaches(position, PATIENCE_MS)) ? replica : this.fallBack('behind');
    } catch {
      return this.fallBack('position unknown');
    }
  }

  private inUse(): Replica[] {
    return this.all.filter(({ leftOut }) => leftOut === null);
  }

  private async watch(
    onChange: (server: string, trouble: string | null) => void = (...change) => this.tell(...change),
  ): Promise<void> {
    // It may be away for long: replicas are asked all the same.
    void this.askPrimary();
    if (this.cluster === '') return;
    await Promise.all(
      this.all.map((replica) => replica.watch(this.cluster, (trouble) => onChange(replica.server, trouble))),
    );
  }

  private async askPrimary(): Promise<void> {
    if (this.isAskingPrimary) return;
    this.isAskingPrimary = true;
    const askedAt = performance.now();
    try {
      const [place] = await within(ANSWER_MS, this.primary.query<Place>(PLACE));
      this.cluster = place!.cluster;
      this.primaryLog.note(askedAt, place!.position);
    } catch {
      this.primary.end();
    } finally {
      this.isAskingPrimary = false;
    }
  }

  private tell(server: string, trouble: string | null): void {
    this.log.warn(
      trouble === null
        ? `replica ${server}: reads go there again`
        : `replica ${server} ${trouble}; reads go elsewhere`,
    );
  }
}

/**
 * The replica of a key, in every process the same as long as the same ones are in use: what one has seen there is there when it
 * reads again. Rendezvous hashing: when another one is left out or comes back, a key of this one stays.
 */
export function ownOf<Item extends { server: string }>(keyId: string, replicas: Item[]): Item | undefined {
  const rank = ({ server }: Item) => createHash('md5').update(`${keyId} ${server}`).digest('hex');
  return replicas
    .map((replica) => ({ replica, rank: rank(replica) }))
    .sort((one, other) => (one.rank < other.rank ? -1 : 1))[0]?.replica;
}
