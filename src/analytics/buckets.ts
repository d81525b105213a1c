/** Buckets per doubling of a time, as a power of two. */
const FINENESS = 7;
/** Of them, as a power of two, those that make a group. */
const GROUPED = 4;

/**
 * The number of the bucket that a time in microseconds falls into. Buckets are as wide as 1/128 of their times, and
 * their order is that of the times, so the middle time is found by counting groups of buckets, then the buckets of one
 * group, and sorting only one bucket.
 */
export function bucketOf(micros: bigint): number {
  const shift = Math.max(bitsOf(micros) - 1 - FINENESS, 0);
  return (shift << FINENESS) + Number(micros >> BigInt(shift));
}

/** The group of a bucket: their order is that of the buckets. */
export const groupOf = (bucket: number): number => bucket >> GROUPED;

/** The same in SQL. */
export const groupOfColumn = (bucket: string): string => `${bucket} >> ${GROUPED}`;

/** The first and the last bucket of a group. */
export const bucketsOf = (group: number): [first: number, last: number] => [
  group << GROUPED,
  ((group + 1) << GROUPED) - 1,
];

function bitsOf(value: bigint): number {
  const high = Number(value >> 32n);
  return high > 0 ? 64 - Math.clz32(high) : 32 - Math.clz32(Number(value));
}
