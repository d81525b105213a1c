import { bucketOf, bucketsOf, groupOf } from './response-time-buckets.js';

describe('buckets of times', () => {
  it('are in the order of the times, without gaps', () => {
    let last = bucketOf(0n);
    expect(last).toBe(0);
    for (let micros = 1n; micros < 5_000n; micros++) {
      const bucket = bucketOf(micros);
      expect([0, 1]).toContain(bucket - last);
      last = bucket;
    }
  });

  it('make groups in their order, of which each has its first and last', () => {
    for (const micros of [0n, 999n, 60_000_000n, 86_400_000_000n]) {
      const group = groupOf(bucketOf(micros));
      const [first, last] = bucketsOf(group);
      expect([first - 1, first, last, last + 1].map(groupOf)).toEqual([group - 1, group, group, group + 1]);
    }
  });

  it('are narrow, and not many, up to the longest time there is', () => {
    const longest = 315_537_897_599_999_999n;
    expect(bucketOf(longest)).toBeLessThan(7_000);
    expect(groupOf(bucketOf(longest))).toBeLessThan(450);
    for (const micros of [1_000n, 60_000_000n, 86_400_000_000n, longest])
      expect(bucketOf(micros + micros / 64n)).toBeGreaterThan(bucketOf(micros));
  });
});
