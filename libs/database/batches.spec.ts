import { AsyncLocalStorage } from 'node:async_hooks';
import { setImmediate as turn } from 'node:timers/promises';
import { until } from '../../test/support/until.js';
import { Batches } from './batches.js';

/** Batches of at most three, whose work ends when it is told to; `begun` tells what was begun. */
function workshop(patienceMs?: number) {
  const begun: number[][] = [];
  const ends: (() => void)[] = [];
  const makeWays: (() => void)[] = [];
  const batches = new Batches<number>(
    (waiting) => ({ batch: waiting.slice(0, 3), left: waiting.slice(3) }),
    (batch, makeWay) => {
      begun.push(batch);
      makeWays.push(makeWay);
      return new Promise((resolve) => ends.push(resolve));
    },
    patienceMs,
  );
  const end = async (nr: number) => {
    ends[nr]!();
    await turn();
  };
  return { batches, begun, end, makeWays };
}

const PATIENT = 30_000;

describe('batches', () => {
  it('begin with the first item at once, and go on with all that has come meanwhile', async () => {
    const { batches, begun, end } = workshop(PATIENT);
    for (const item of [1, 2, 3]) batches.add(item);
    expect(begun).toEqual([[1]]);
    await end(0);
    expect(begun).toEqual([[1], [2, 3]]);
  });

  it('leave to the next what is too much for one', async () => {
    const { batches, begun, end } = workshop(PATIENT);
    for (const item of [1, 2, 3, 4, 5]) batches.add(item);
    await end(0);
    await end(1);
    expect(begun).toEqual([[1], [2, 3, 4], [5]]);
  });

  it('begin at once when nothing is under way any more', async () => {
    const { batches, begun, end } = workshop(PATIENT);
    batches.add(1);
    await end(0);
    batches.add(2);
    expect(begun).toEqual([[1], [2]]);
  });

  it('are not held up by one that takes long, but are no more than four side by side', async () => {
    const { batches, begun, end } = workshop();
    for (let item = 1; item <= 15; item++) batches.add(item);
    await until(() => Promise.resolve(begun.length === 4));
    expect(begun).toEqual([[1], [2, 3, 4], [5, 6, 7], [8, 9, 10]]);
    await end(2);
    await until(() => Promise.resolve(begun.length === 5));
    expect(begun.at(-1)).toEqual([11, 12, 13]);
  });

  it('follow one that has made way when as many wait as it has', async () => {
    const { batches, begun, end, makeWays } = workshop(PATIENT);
    batches.add(1);
    for (const item of [2, 3]) batches.add(item);
    await end(0);
    batches.add(4);
    makeWays[1]!();
    expect(begun).toEqual([[1], [2, 3]]);
    batches.add(5);
    expect(begun).toEqual([[1], [2, 3], [4, 5]]);
    // It has not made way itself.
    for (const item of [6, 7, 8]) batches.add(item);
    expect(begun).toHaveLength(3);
    makeWays[2]!();
    expect(begun.at(-1)).toEqual([6, 7, 8]);
  });

  it('are each worked on in the trace of one that asked for them', async () => {
    const request = new AsyncLocalStorage<string>();
    const seen: (string | undefined)[] = [];
    const batches = new Batches<string>(
      (waiting) => ({ batch: waiting, left: [] }),
      async () => {
        seen.push(request.getStore());
        await turn();
      },
      PATIENT,
    );
    for (const item of ['first', 'second', 'third']) request.run(item, () => batches.add(item));
    await until(() => Promise.resolve(seen.length === 2));
    expect(seen).toEqual(['first', 'second']);
  });
});
