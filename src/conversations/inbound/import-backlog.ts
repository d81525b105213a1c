import type { PreparedMessage } from '../recording/message-planner.js';

/** Messages in a transaction: at most, and at least if so many wait. */
const LARGEST = 64;
const SMALLEST = 2;
/** The whole database shares the room for locks. */
const MOST_KEYS = 1_000;
/** Messages that wait at most, and characters of their contents at most: some write a megabyte. */
const MOST_WAITING = 2 * LARGEST;
const MOST_CHARACTERS = 16 * 1024 * 1024;

/** A message with its place in the file. */
export interface Waiting {
  nr: number;
  prepared: PreparedMessage;
}

/** Messages that wait to be recorded, in the order of their file. */
export class Backlog {
  private waiting: Waiting[] = [];
  private characters = 0;
  private share = LARGEST;

  get isEmpty(): boolean {
    return this.waiting.length === 0;
  }

  get isFull(): boolean {
    return this.waiting.length >= MOST_WAITING || this.characters >= MOST_CHARACTERS;
  }

  add(one: Waiting): void {
    this.waiting.push(one);
    this.characters += sizeOf(one);
  }

  /** The first messages, as many as may well be recorded together. */
  next(): Waiting[] {
    let keys = 0;
    const end = this.waiting.findIndex(
      ({ prepared }, nr) => nr === this.share || ((keys += prepared.keys.length) > MOST_KEYS && nr > 0),
    );
    return this.waiting.slice(0, end === -1 ? undefined : end);
  }

  /** Removes what need not come again. When that was little, as within one long thread, the next share is small. */
  done(ended: ReadonlySet<Waiting>): void {
    this.waiting = this.waiting.filter((one) => !ended.has(one));
    for (const one of ended) this.characters -= sizeOf(one);
    this.share = Math.min(Math.max(2 * ended.size, SMALLEST), LARGEST);
  }
}

const sizeOf = ({ prepared }: Waiting): number => prepared.message.content.length;
