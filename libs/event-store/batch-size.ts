import { isCutShort } from '#database/statements/statement.js';

/** Bytes of events to hold at a time; a single event may have more. */
export const ROOM = 16 * 2 ** 20;

/** The first size, while the size of events is unknown. */
const FIRST = 250;

/** How many events to read next: at most `most`, fewer while events are large, as one may have megabytes. */
export class BatchSize {
  private size: number;

  constructor(
    private readonly most: number,
    first = FIRST,
  ) {
    this.size = Math.min(first, most);
  }

  get current(): number {
    return this.size;
  }

  /** Learns from the rows of a read that asked for `current` events and had `ROOM` for them; tells whether it was the last. */
  learn(rows: object[]): { isLast: boolean } {
    const wanted = this.size;
    const wasCut = isCutShort(rows);
    // Rows without room came from the database all the same: ask for fewer next time.
    this.size = wasCut ? rows.length : Math.min(wanted * 2, this.most);
    return { isLast: rows.length < wanted && !wasCut };
  }
}
