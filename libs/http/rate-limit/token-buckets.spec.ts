import { TokenBuckets } from './token-buckets.js';

const buckets = () => new TokenBuckets({ burst: 20, perSecond: 10 });

/** How many of so many requests, `seconds` apart, are admitted. */
function admitted(of: TokenBuckets, requests: number, apart = 0, from = 0): number {
  let count = 0;
  for (let nr = 0; nr < requests; nr++) if (of.take('key', from + nr * apart) <= 20) count++;
  return count;
}

describe('a token bucket', () => {
  it('admits the burst at once, and no more', () => expect(admitted(buckets(), 100)).toBe(20));

  it('never refuses who keeps to the rate', () => expect(admitted(buckets(), 1_000, 0.1)).toBe(1_000));

  it('admits the rate after a burst, also to who never stops asking', () => {
    const one = buckets();
    admitted(one, 100);
    expect(admitted(one, 3 * 1_024, 1 / 1_024, 1 / 1_024)).toBe(30);
  });

  it('is full again after as long as the burst takes at the rate', () => {
    const one = buckets();
    admitted(one, 20);
    expect(admitted(one, 100, 0, 2)).toBe(20);
    expect(admitted(one, 100, 0, 1_000)).toBe(20);
  });

  it('says how many tokens are out, and how many must come back first', () => {
    const one = buckets();
    expect([one.take('key', 0), one.take('key', 0), one.take('key', 0.05)]).toEqual([1, 2, 2.5]);
    admitted(one, 17, 0, 0.05);
    expect(one.take('key', 0.05)).toBeCloseTo(20.5);
    expect(one.take('key', 0.1)).toBeCloseTo(20);
  });

  it('may be charged more than it has, and then admits nobody until that is back', () => {
    const one = buckets();
    one.charge('key', 30, 0);
    expect(admitted(one, 10, 0.1, 0)).toBe(0);
    expect(one.take('key', 1)).toBe(21);
    expect(one.take('key', 1.1)).toBe(20);
  });

  it('is one for each key', () => {
    const one = buckets();
    admitted(one, 100);
    expect(one.take('another', 0)).toBe(1);
  });
});
