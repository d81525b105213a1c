/** Buckets per doubling of a time, as a power of two. */
const FINENESS = 5;

/**
 * The number of the bucket that a time in microseconds falls into. Buckets are as wide as 1/32 of their times, and
 * their order is that of the times, so the middle time is found by counting buckets and sorting only one of them.
 */
export function bucketOf(micros: bigint): number {
  const shift = Math.max(bitsOf(micros) - 1 - FINENESS, 0);
  return (shift << FINENESS) + Number(micros >> BigInt(shift));
}

function bitsOf(value: bigint): number {
  const high = Number(value >> 32n);
  return high > 0 ? 64 - Math.clz32(high) : 32 - Math.clz32(Number(value));
}
