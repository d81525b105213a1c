import { isCutShort } from '#database/statement.js';

/** Bytes of events that are held at a time, unless a single one has more. */
export const ROOM = 16 * 2 ** 20;

/** As long as nobody knows how large they are. */
const FIRST = 250;

/** How many events to read next: at most so many, fewer while they are large, as one may have megabytes. */
export class BatchSize {
  private size: number;

  constructor(private readonly most: number) {
    this.size = Math.min(FIRST, most);
  }

  get current(): number {
    return this.size;
  }

  /** Learns from what was read, of which as much was asked for and there was `ROOM` for; tells whether it was the last. */
  learn(rows: object[]): { isLast: boolean } {
    const wanted = this.size;
    const wasCut = isCutShort(rows);
    // Those for which there was no room have come from the database all the same: not so many again.
    this.size = wasCut ? rows.length : Math.min(wanted * 2, this.most);
    return { isLast: rows.length < wanted && !wasCut };
  }
}
