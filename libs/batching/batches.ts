import { AsyncResource } from 'node:async_hooks';

interface Timing {
  /** Milliseconds before another batch may begin beside a running one. */
  patienceMs: number;
  /** Most batches at work side by side. */
  lanes: number;
  /** Milliseconds that the first item waits for company; 0 for that of its turn alone. */
  gatherMs: number;
}

/** A commit on a fast disk takes less than this patience. */
const USUAL: Timing = { patienceMs: 5, lanes: 4, gatherMs: 0 };

/**
 * Works in batches, since under load a batch costs much and an item in it little. Items of one turn of the event loop go
 * together; items that come while a batch is under way wait for it. None waits for company otherwise, unless told to, and
 * a batch that takes long does not hold up the next.
 */
export class Batches<Item> {
  private readonly timing: Timing;
  private waiting: Item[] = [];
  /** The async context of the first item since the last batch began: the next batch belongs to its trace. */
  private origin: AsyncResource | null = null;
  private underWay = 0;
  /** The batch that began latest. */
  private latest = { size: 0, hasMadeWay: false };
  private impatience: NodeJS.Timeout | null = null;
  private endOfTurn: NodeJS.Immediate | null = null;

  /**
   * @param take takes the next batch, one item at least, out of those that wait
   * @param work never rejects, and tells each item how it went. By `makeWay` it lets the next batch begin beside it once
   * that is at least as large: the cost is per batch, so smaller ones gain nothing
   */
  constructor(
    private readonly take: (waiting: Item[]) => { batch: Item[]; left: Item[] },
    private readonly work: (batch: Item[], makeWay: () => void) => Promise<void>,
    timing: Partial<Timing> = {},
  ) {
    this.timing = { ...USUAL, ...timing };
  }

  add(item: Item): void {
    this.waiting.push(item);
    this.origin ??= new AsyncResource('Batches');
    if (this.timing.gatherMs > 0 && this.underWay === 0) this.beginWithin(this.timing.gatherMs);
    else this.soon();
  }

  /** Adds items of a batch again, in front of the others: they have waited longest. */
  addAgain(items: Item[]): void {
    this.waiting.unshift(...items);
    this.soon();
  }

  /** Waits for the end of the turn: then all requests that have arrived, and all that a batch's answers lead to, are added. */
  private soon(): void {
    this.endOfTurn ??= setImmediate(() => {
      this.endOfTurn = null;
      this.next();
    });
  }

  private next(): void {
    if (this.waiting.length === 0) return;
    if (this.underWay === 0 || (this.mayFollow() && this.underWay < this.timing.lanes)) this.begin();
    else if (this.underWay < this.timing.lanes) this.beginWithin(this.timing.patienceMs);
  }

  private beginWithin(milliseconds: number): void {
    this.impatience ??= setTimeout(() => this.begin(), milliseconds);
  }

  private mayFollow(): boolean {
    return this.latest.hasMadeWay && this.waiting.length >= this.latest.size;
  }

  private begin(): void {
    if (this.impatience) clearTimeout(this.impatience);
    this.impatience = null;
    if (this.waiting.length === 0) return;
    const { batch, left } = this.take(this.waiting);
    this.waiting = left;
    this.underWay++;
    const latest = { size: batch.length, hasMadeWay: false };
    this.latest = latest;
    const makeWay = () => {
      latest.hasMadeWay = true;
      this.soon();
    };
    const work = () => this.work(batch, makeWay);
    const done = this.origin ? this.origin.runInAsyncScope(work) : work();
    this.origin = null;
    void done.finally(() => {
      this.underWay--;
      this.soon();
    });
    this.next();
  }
}

/**
 * Takes at most `most` items, longest waiting first. Of items that share a key only the first is taken; the others stay in
 * order.
 */
export function takeBatch<Item>(
  waiting: Item[],
  most: number,
  keysOf: (item: Item) => string[],
  fitsIn: (item: Item) => boolean = () => true,
): { batch: Item[]; left: Item[] } {
  const batch: Item[] = [];
  const left: Item[] = [];
  const taken = new Set<string>();
  for (const item of waiting) {
    const keys = keysOf(item);
    const fits = batch.length < most && fitsIn(item) && !keys.some((key) => taken.has(key));
    (fits ? batch : left).push(item);
    for (const key of keys) taken.add(key);
  }
  return { batch, left };
}
