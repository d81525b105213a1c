import { type Instant, microsBetween, plusSeconds } from '#kernel/instant.js';

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

/** The class of what has not ended yet. */
export const OPEN_GAP = LONGEST_GAP + 1;

const FIRST_INSTANT: Instant = '0001-01-01T00:00:00.000000Z';

/** For each class, the open one included, an instant before which no gap of it begins that reaches `at`. */
export function reachingTo(at: Instant): Instant[] {
  return Array.from({ length: OPEN_GAP + 1 }, (_, gap) => {
    // A second more, since not all years have exact sums.
    const reach = SHORTEST * 4n ** BigInt(gap) + 1_000_000n;
    return reach > microsBetween(FIRST_INSTANT, at)
      ? FIRST_INSTANT
      : plusSeconds(at, -Number(reach / 1_000_000n));
  });
}
