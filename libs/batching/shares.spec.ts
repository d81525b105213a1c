import { setTimeout as sleep } from 'node:timers/promises';
import { Shares } from './shares.js';

/** Work that says when it goes on, and the most that went on at once. */
function counted() {
  let now = 0;
  const seen = { most: 0, order: [] as number[] };
  const work = (nr: number) => async () => {
    seen.order.push(nr);
    seen.most = Math.max(seen.most, ++now);
    await sleep(1);
    now--;
    return nr;
  };
  return { seen, work };
}

describe('Work of one owner', () => {
  it('goes on so many pieces at once, in their order', async () => {
    const shares = new Shares(3);
    const { seen, work } = counted();
    const numbers = Array.from({ length: 10 }, (_, nr) => nr);
    expect(await Promise.all(numbers.map((nr) => shares.run('a', work(nr))))).toEqual(numbers);
    expect(seen).toEqual({ most: 3, order: numbers });
  });

  it('does not wait for that of another', async () => {
    const shares = new Shares(1);
    const { seen, work } = counted();
    await Promise.all(['a', 'b', 'c'].map((owner, nr) => shares.run(owner, work(nr))));
    expect(seen.most).toBe(3);
  });

  it('does not wait within other work, which would wait for it', async () => {
    const shares = new Shares(1);
    expect(await shares.run('a', () => shares.run('a', () => Promise.resolve('inner')))).toBe('inner');
  });

  it('leaves its share when it fails', async () => {
    const shares = new Shares(1);
    await expect(shares.run('a', () => Promise.reject(new Error('no')))).rejects.toThrow('no');
    expect(await shares.run('a', () => Promise.resolve('next'))).toBe('next');
  });
});
