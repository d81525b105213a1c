import { setTimeout as sleep } from 'node:timers/promises';
import type { Database } from '#database/database.js';
import { keepReadersOut, lockCheckpoint, readCheckpoint, saveCheckpoint } from './checkpoint.js';
import { BEGINNING, type Cursor, cursorAfter, FeedBatches, readEvents, readWatermark } from './feed.js';
import type { Projection } from './projection.js';
import { AlreadyRebuilding, rebuild } from './rebuild.js';
import { upcast, type Upcasters } from './upcast.js';

const BATCH = 500;
const SHORTEST_PAUSE_MS = 50;
const LONGEST_PAUSE_MS = 1_000;
const LONGEST_GATHERING_MS = 150;

/** What a projection found in the feed: nothing, everything up to its end, or a part. */
type Found = 'nothing' | 'all' | 'more';

/** Keeps asynchronous projections up to date with the feed. Any number of processes may run one; they take turns. */
export class ProjectionRunner {
  private running = false;
  private loop: Promise<void> = Promise.resolve();
  private rest: { timer: NodeJS.Timeout; end: () => void } | null = null;
  private woken = false;
  private readonly batches = new FeedBatches(BATCH);
  private readonly ending = new AbortController();

  constructor(
    private readonly database: Database,
    private readonly projections: Projection[],
    private readonly upcasters: Upcasters,
    private readonly onError: (error: unknown, projection: string) => void,
  ) {}

  start(): void {
    this.running = true;
    this.loop = this.run();
  }

  async stop(): Promise<void> {
    this.running = false;
    this.ending.abort();
    this.wake();
    await this.loop;
  }

  /** Ends a pause for lack of events. */
  wake(): void {
    this.woken = true;
    this.rest?.end();
  }

  /** Applies everything that is readable now. */
  async catchUp(): Promise<void> {
    for (const projection of this.projections) while ((await this.advance(projection)) !== 'nothing');
  }

  private async run(): Promise<void> {
    let pause = SHORTEST_PAUSE_MS;
    while (this.running) {
      this.woken = false;
      const began = performance.now();
      const found = await this.round();
      if (found === 'more') continue;
      if (found === 'all') {
        pause = SHORTEST_PAUSE_MS;
        await sleep(gatheringAfter(performance.now() - began));
      } else {
        pause = this.woken ? SHORTEST_PAUSE_MS : Math.min(pause * 2, LONGEST_PAUSE_MS);
        await this.pause(pause);
      }
    }
  }

  /** Advances every projection by a batch; gives the most that any of them found. */
  private async round(): Promise<Found> {
    const found = new Set<Found>();
    for (const projection of this.projections) {
      try {
        found.add(await this.advance(projection));
      } catch (error) {
        this.onError(error, projection.name);
      }
    }
    return (['more', 'all'] as const).find((one) => found.has(one)) ?? 'nothing';
  }

  private pause(milliseconds: number): Promise<void> {
    return new Promise((resolve) => {
      const end = () => {
        clearTimeout(this.rest?.timer);
        this.rest = null;
        resolve();
      };
      this.rest = { timer: setTimeout(end, milliseconds), end };
    });
  }

  /**
   * Applies one batch and moves the checkpoint in the same transaction, also when no event of the batch concerns the
   * projection.
   */
  private async advance(projection: Projection): Promise<Found> {
    const known = await readCheckpoint(this.database, projection);
    if (known.version < projection.version) return this.startOver(projection);
    if (!(await this.hasNews(known))) return 'nothing';
    const found = await this.database.transaction(async (tx): Promise<Found> => {
      const checkpoint = await lockCheckpoint(tx, projection, 'skip');
      // Another process has its turn, or a newer release has rebuilt the tables, and only that release can write them.
      if (checkpoint?.version !== projection.version) return 'nothing';
      const watermark = await readWatermark(tx);
      const { events: stored, isLast } = await this.batches.read(tx, checkpoint, watermark, projection);
      if (stored.length > 0)
        await projection.apply(
          tx,
          projection.headsOnly ? stored : stored.map((event) => upcast(this.upcasters, event)),
        );
      // The last batch has read everything below the watermark, including events that the selection leaves out.
      const all = { tx: watermark, position: BEGINNING.position };
      await saveCheckpoint(tx, projection, isLast ? all : cursorAfter(stored, checkpoint));
      if (this.database.isDistributed) await keepReadersOut(tx, projection);
      return isLast ? 'all' : 'more';
    });
    if (found !== 'nothing') projection.applied?.();
    return found;
  }

  private async startOver(projection: Projection): Promise<Found> {
    const { database, upcasters } = this;
    const cancelled = this.ending.signal;
    try {
      await rebuild({ database, projection, kind: 'async', upcasters, cancelled });
      return 'more';
    } catch (error) {
      if (error instanceof AlreadyRebuilding || cancelled.aborted) return 'nothing';
      throw error;
    }
  }

  /** Looks without drawing an xid, so that an idle process writes nothing. */
  private async hasNews(after: Cursor): Promise<boolean> {
    const watermark = await readWatermark(this.database);
    return (await readEvents(this.database, after, watermark, 1, { headsOnly: true })).length > 0;
  }
}

/**
 * Milliseconds to let events gather after a round that took `ms`. Under steady writing each commit wakes us, and most of a
 * round's cost does not depend on the number of events.
 */
const gatheringAfter = (ms: number): number =>
  Math.min(Math.max(3 * ms, SHORTEST_PAUSE_MS), LONGEST_GATHERING_MS);
