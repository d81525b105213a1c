/** A bucket of `burst` tokens that is filled by `perSecond`. */
export interface BucketSize {
  burst: number;
  perSecond: number;
}

/** A bucket for each key, in the memory of this process. */
export class TokenBuckets {
  private readonly taken = new Map<string, { count: number; at: number }>();

  constructor(private readonly size: BucketSize) {}

  /**
   * Takes a token. Gives how many are out then, including this one. More than `burst`: there was none, and the excess is
   * how many must come back first. `now` in seconds.
   */
  take(key: string, now = performance.now() / 1_000): number {
    const count = this.out(key, now) + 1;
    if (count <= this.size.burst) this.taken.set(key, { count, at: now });
    return count;
  }

  /** Takes more for a request that was admitted, also more than there are: who follows waits until they are back. */
  charge(key: string, tokens: number, now = performance.now() / 1_000): void {
    this.taken.set(key, { count: this.out(key, now) + tokens, at: now });
  }

  private out(key: string, now: number): number {
    const before = this.taken.get(key);
    return before ? Math.max(0, before.count - (now - before.at) * this.size.perSecond) : 0;
  }
}
