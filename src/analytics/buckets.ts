/** Buckets per doubling of a time, as a power of two. */
const FINENESS = 5n;

/**
 * The number of the bucket that a time in microseconds falls into. Buckets are as wide as 1/32 of their times, and
 * their order is that of the times, so the middle time is found by counting buckets and sorting only one of them.
 */
export function bucketOf(micros: bigint): number {
  const bits = BigInt(micros.toString(2).length);
  if (bits <= FINENESS + 1n) return Number(micros);
  const shift = bits - 1n - FINENESS;
  return Number((shift << FINENESS) + (micros >> shift));
}
