import { AsyncResource } from 'node:async_hooks';

/** How long a batch has the way to itself, in milliseconds: a commit on a fast disk takes less. */
const PATIENCE_MS = 5;
/** Batches that are worked on side by side at most. */
const LANES = 4;

/**
 * Works on what is asked for in batches, since under load most of the cost is that of a batch and little that of an item:
 * what is asked for in one turn of the event loop goes together, and what comes while a batch is under way waits for it.
 * Nothing waits for company beyond that, and one batch that takes long does not hold up the next.
 */
export class Batches<Item> {
  private waiting: Item[] = [];
  /** Where the first was asked for that came since the last batch began: the next is worked on in its trace. */
  private origin: AsyncResource | null = null;
  private underWay = 0;
  /** The batch that began last. */
  private latest = { size: 0, hasMadeWay: false };
  private impatience: NodeJS.Timeout | null = null;
  private endOfTurn: NodeJS.Immediate | null = null;

  /**
   * @param take takes the next batch, one item at least, out of those that wait
   * @param work never rejects; each item is told how it went. By `makeWay` it lets the next batch begin beside it, if that is
   *   as large by then: the cost is that of a batch, so smaller ones gain nothing
   */
  constructor(
    private readonly take: (waiting: Item[]) => { batch: Item[]; left: Item[] },
    private readonly work: (batch: Item[], makeWay: () => void) => Promise<void>,
    private readonly patienceMs = PATIENCE_MS,
  ) {}

  add(item: Item): void {
    this.waiting.push(item);
    this.origin ??= new AsyncResource('Batches');
    this.soon();
  }

  /** The same for what was in a batch and is to come again: it has waited longest. */
  addAgain(items: Item[]): void {
    this.waiting.unshift(...items);
    this.soon();
  }

  /** When all requests that have arrived, and all that the answers of a batch lead to, are asked for. */
  private soon(): void {
    this.endOfTurn ??= setImmediate(() => {
      this.endOfTurn = null;
      this.next();
    });
  }

  private next(): void {
    if (this.waiting.length === 0) return;
    if (this.underWay === 0 || (this.mayFollow() && this.underWay < LANES)) this.begin();
    else if (this.underWay < LANES) this.impatience ??= setTimeout(() => this.begin(), this.patienceMs);
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
 * A batch of the longest waiting that may go together, `most` at most; of those that share a key only the first, the others
 * in their order later.
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
