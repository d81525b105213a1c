/** Buckets per doubling of the time, as a power of two. */
const FINENESS = 7;
/** Buckets in a group, as a power of two. */
const GROUPED = 4;

/**
 * The bucket of a time in microseconds. A bucket is as wide as 1/128 of its times, and buckets are ordered as times are. So
 * the median is found by counting groups of buckets, then the buckets of one group, and sorting the times of only one
 * bucket.
 */
export function bucketOf(micros: bigint): number {
  const shift = Math.max(bitsOf(micros) - 1 - FINENESS, 0);
  return (shift << FINENESS) + Number(micros >> BigInt(shift));
}

/** The group of a bucket; groups are ordered as buckets are. */
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
