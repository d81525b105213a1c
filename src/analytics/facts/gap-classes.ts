import { type Instant, microsBetween, plusSeconds } from '#kernel/instant.js';

const SHORTEST_S = 4 * 3_600;
const SECOND = 1_000_000n;

/** The highest class of a gap between two instants of the years 1 to 9999. */
export const LONGEST_GAP = 13;

/**
 * The class of a gap between two instants. Class 0 is below 4 hours, and each further class reaches four times as far. So a
 * gap of a class that spans an instant begins and ends within the class's reach of it.
 */
export function gapOf(from: Instant, to: Instant): number {
  const seconds = Number(microsBetween(from, to) / SECOND);
  let gap = 0;
  for (let least = SHORTEST_S; seconds >= least; least *= 4) gap++;
  return gap;
}

/** The class of a gap that has not ended. */
export const OPEN_GAP = LONGEST_GAP + 1;

const FIRST_INSTANT: Instant = '0001-01-01T00:00:00.000000Z';

/** For each class, including the open one, an instant so early that no gap of the class that reaches `at` begins before it. */
export function reachingTo(at: Instant): Instant[] {
  return Array.from({ length: OPEN_GAP + 1 }, (_, gap) => {
    // A second more: `plusSeconds` is not exact in all years.
    const reach = SHORTEST_S * 4 ** gap + 1;
    return BigInt(reach) * SECOND > microsBetween(FIRST_INSTANT, at)
      ? FIRST_INSTANT
      : plusSeconds(at, -reach);
  });
}
