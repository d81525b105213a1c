/** Positions of the primary that are remembered: ten minutes at four a second. */
const MOST = 2_400;

/**
 * Where the primary was when. A replica's lag is the age of the newest of these positions that it has replayed: what PostgreSQL
 * tells of the last replayed commit grows old on a primary where nothing happens.
 */
export class PrimaryLog {
  private readonly seen: { at: number; position: number }[] = [];

  /** `at`: milliseconds of a steady clock, from before the primary was asked. */
  note(at: number, position: number): void {
    const last = this.seen.at(-1);
    // Another server has become the primary, which had not got as far.
    if (last && last.position > position) this.seen.length = 0;
    // Nothing has been written since.
    if (last?.position === position) last.at = at;
    else this.seen.push({ at, position });
    if (this.seen.length > MOST) this.seen.shift();
  }

  /** By how many milliseconds at most a server is behind that has replayed up to this position; Infinity when that is unknown. */
  lagOf(replayed: number, now = performance.now()): number {
    const newest = this.seen.findLast(({ position }) => position <= replayed);
    return newest === undefined ? Infinity : now - newest.at;
  }
}
