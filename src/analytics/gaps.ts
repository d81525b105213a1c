import { type Instant, microsBetween } from '#kernel/instant.js';

const SHORTEST = 4n * 3_600_000_000n;

/** Every gap there can be between two instants of the years 1 to 9999 has a number up to this. */
export const LONGEST_GAP = 13;

/**
 * The number of the class of a gap between two instants: class 0 is below 4 hours, each following one reaches four
 * times as far. Whoever looks for the gaps of a class that lie across an instant finds them within that reach.
 */
export function gapOf(from: Instant, to: Instant): number {
  let gap = 0;
  for (let rest = microsBetween(from, to) / SHORTEST; rest > 0n; rest /= 4n) gap++;
  return gap;
}
