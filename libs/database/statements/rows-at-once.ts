/** Lists of long texts to remember; of one that is forgotten, the next reader asks for too much once. */
const MOST_KEPT = 1_000;

/**
 * How many rows of a list to ask for at once, as far as its last reader has shown: the server sends all rows that it is asked
 * for, and those beyond the room of the answer in vain.
 */
export class RowsAtOnce {
  private readonly fitting = new Map<string, number>();

  /** `most` is for lists of which nothing is known. */
  constructor(private readonly most: number) {}

  of(list: string): number {
    return this.fitting.get(list) ?? this.most;
  }

  /** Takes note of how many rows there was room for; of twice as many next time, if all of them fitted. */
  learn(list: string, rows: number, isCutShort: boolean): void {
    const known = this.fitting.get(list);
    this.fitting.delete(list);
    if (isCutShort) this.keep(list, rows);
    else if (known !== undefined && known * 2 < this.most) this.keep(list, known * 2);
  }

  private keep(list: string, rows: number): void {
    this.fitting.set(list, rows);
    const [oldest] = this.fitting.keys();
    if (this.fitting.size > MOST_KEPT) this.fitting.delete(oldest!);
  }
}
