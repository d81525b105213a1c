import { isCutShort } from '#database/statement.js';

/** Bytes of events that are held at a time, unless a single one has more. */
export const ROOM = 16 * 2 ** 20;

/** How many events to read next: at most so many, fewer while they are large, as one may have megabytes. */
export class BatchSize {
  private size: number;

  constructor(private readonly most: number) {
    this.size = most;
  }

  get current(): number {
    return this.size;
  }

  /** Whether these, of which as many were asked for and there was `ROOM` for, are the last. */
  isLast(events: object[]): boolean {
    const wanted = this.size;
    // Those for which there was no room have come from the database all the same: not so many again.
    this.size = isCutShort(events) ? events.length : Math.min(wanted * 2, this.most);
    return events.length < wanted && !isCutShort(events);
  }
}
