import { type Instant, microsBetween, plusSeconds } from '#kernel/instant.js';

const SHORTEST_S = 4 * 3_600;
const SECOND = 1_000_000n;

/** Every gap there can be between two instants of the years 1 to 9999 has a number up to this. */
export const LONGEST_GAP = 13;

/**
 * The number of the class of a gap between two instants: class 0 is below 4 hours, each following one reaches four
 * times as far. Whoever looks for the gaps of a class that lie across an instant finds them within that reach.
 */
export function gapOf(from: Instant, to: Instant): number {
  const seconds = Number(microsBetween(from, to) / SECOND);
  let gap = 0;
  for (let least = SHORTEST_S; seconds >= least; least *= 4) gap++;
  return gap;
}

/** The class of what has not ended yet. */
export const OPEN_GAP = LONGEST_GAP + 1;

const FIRST_INSTANT: Instant = '0001-01-01T00:00:00.000000Z';

/** For each class, the open one included, an instant before which no gap of it begins that reaches `at`. */
export function reachingTo(at: Instant): Instant[] {
  return Array.from({ length: OPEN_GAP + 1 }, (_, gap) => {
    // A second more, since not all years have exact sums.
    const reach = SHORTEST_S * 4 ** gap + 1;
    return BigInt(reach) * SECOND > microsBetween(FIRST_INSTANT, at)
      ? FIRST_INSTANT
      : plusSeconds(at, -reach);
  });
}
