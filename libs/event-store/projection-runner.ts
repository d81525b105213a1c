import { setTimeout as sleep } from 'node:timers/promises';
import type { Database } from '#database/database.js';
import type { Transaction } from '#database/statements/statement.js';
import { keepReadersOut, lockCheckpoint, readCheckpoint, saveCheckpoint } from './checkpoint.js';
import { BEGINNING, type Cursor, cursorAfter, FeedBatches, isAfter, readDrawn, readSettled } from './feed.js';
import type { Projection } from './projection.js';
import { AlreadyRebuilding, rebuild } from './rebuild.js';
import { upcast, type Upcasters } from './upcast.js';

const BATCH = 500;
const SHORTEST_PAUSE_MS = 50;
const LONGEST_PAUSE_MS = 1_000;
const LONGEST_GATHERING_MS = 500;

/**
 * What a projection found in the feed, be it its own events or others': nothing new, what is held back (by somebody who still writes, by
 * another process whose turn it is, or by an error), everything up to its end, or a part.
 */
type Found = 'nothing' | 'held' | 'all' | 'more';

/** Where a projection stood when it had read all that there was, and the last position that was drawn by then. */
interface Read {
  checkpoint: Cursor;
  drawn: string;
}

/** Keeps asynchronous projections up to date with the feed. Any number of processes may run one; they take turns. */
export class ProjectionRunner {
  private running = false;
  private loop: Promise<void> = Promise.resolve();
  private rest: { timer: NodeJS.Timeout; end: () => void } | null = null;
  private woken = false;
  private readonly batches = new FeedBatches(BATCH);
  /** By the name of the projection. */
  private readonly readAll = new Map<string, Read>();
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
    for (const projection of this.projections) while (hasMoved(await this.advance(projection)));
  }

  private async run(): Promise<void> {
    let pause = SHORTEST_PAUSE_MS;
    while (this.running) {
      this.woken = false;
      const began = performance.now();
      const found = await this.round();
      if (found === 'more') continue;
      // Whoever has read the feed does so again only after a while, however many commits wake it.
      if (found !== 'nothing') await sleep(gatheringAfter(performance.now() - began));
      if (found === 'all') pause = SHORTEST_PAUSE_MS;
      else {
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
        found.add('held');
      }
    }
    return (['more', 'all', 'held'] as const).find((one) => found.has(one)) ?? 'nothing';
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
   * projection. Where nothing has been drawn since it had read all it only looks, so that an idle process writes nothing.
   */
  private async advance(projection: Projection): Promise<Found> {
    const known = await readCheckpoint(this.database, projection);
    if (known.version < projection.version) return this.startOver(projection);
    // Before the transaction that reads: who has drawn by now has a smaller xid.
    const drawn = await readDrawn(this.database);
    if (this.hasReadAll(projection, known, drawn)) return 'nothing';
    const turn = await this.database.transaction((tx) => this.turn(tx, projection));
    if (turn === null) return 'held';
    const { isLast, isSettled, isMoved, checkpoint } = turn;
    if (isLast && isSettled) this.readAll.set(projection.name, { checkpoint, drawn });
    if (isMoved) projection.applied?.();
    if (!isLast) return 'more';
    return isMoved ? 'all' : 'held';
  }

  /** A batch in its transaction; null when it is not our turn. */
  private async turn(tx: Transaction, projection: Projection) {
    const before = await lockCheckpoint(tx, projection, 'skip');
    // Another process has its turn, or a newer release has rebuilt the tables, and only that release can write them.
    if (before?.version !== projection.version) return null;
    const { watermark, isSettled } = await readSettled(tx);
    const { events, isLast } = await this.batches.read(tx, before, watermark, projection);
    if (events.length > 0)
      await projection.apply(
        tx,
        projection.headsOnly ? events : events.map((event) => upcast(this.upcasters, event)),
      );
    // The last batch has read everything below the watermark, including events that the selection leaves out.
    const checkpoint = isLast ? { tx: watermark, position: BEGINNING.position } : cursorAfter(events, before);
    const isMoved = isAfter(checkpoint, before);
    if (isMoved) {
      await saveCheckpoint(tx, projection, checkpoint);
      if (this.database.isDistributed) await keepReadersOut(tx, projection);
    }
    return { isLast, isSettled, isMoved, checkpoint: isMoved ? checkpoint : before };
  }

  private hasReadAll({ name }: Projection, { tx, position }: Cursor, drawn: string): boolean {
    const read = this.readAll.get(name);
    return read?.drawn === drawn && read.checkpoint.tx === tx && read.checkpoint.position === position;
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
}

const hasMoved = (found: Found): boolean => found === 'all' || found === 'more';

/**
 * Milliseconds to let events gather after a round that took `ms`. Under steady writing each commit wakes us, and most of a
 * round's cost does not depend on the number of events.
 */
const gatheringAfter = (ms: number): number =>
  Math.min(Math.max(3 * ms, SHORTEST_PAUSE_MS), LONGEST_GATHERING_MS);
