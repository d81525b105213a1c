import { AsyncLocalStorage } from 'node:async_hooks';
import { setImmediate as turn, setTimeout as sleep } from 'node:timers/promises';
import { until } from '../../test/support/until.js';
import { Batches, takeBatch } from './batches.js';

/** Batches of at most three, whose work ends when it is told to; `begun` tells what was begun. */
function workshop(timing?: ConstructorParameters<typeof Batches>[2]) {
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
    timing,
  );
  const end = async (nr: number) => {
    ends[nr]!();
    // The end of its promise, then that of the turn in which it is noticed.
    await turn();
    await turn();
  };
  return { batches, begun, end, makeWays };
}

const PATIENT = { patienceMs: 30_000 };

describe('batches', () => {
  it('take what is asked for in one turn together, and then all that has come meanwhile', async () => {
    const { batches, begun, end } = workshop(PATIENT);
    for (const item of [1, 2]) batches.add(item);
    expect(begun).toEqual([]);
    await turn();
    expect(begun).toEqual([[1, 2]]);
    for (const item of [3, 4]) {
      batches.add(item);
      await turn();
    }
    await end(0);
    expect(begun).toEqual([
      [1, 2],
      [3, 4],
    ]);
  });

  it('leave to the next what is too much for one', async () => {
    const { batches, begun, end } = workshop(PATIENT);
    for (const item of [1, 2, 3, 4]) batches.add(item);
    await turn();
    await end(0);
    expect(begun).toEqual([[1, 2, 3], [4]]);
  });

  it('take what the answers of one batch lead to together', async () => {
    const { batches, begun, end } = workshop(PATIENT);
    batches.add(1);
    await turn();
    batches.add(2);
    const ended = end(0);
    for (const item of [3, 4]) void Promise.resolve().then(() => batches.add(item));
    await ended;
    expect(begun).toEqual([[1], [2, 3, 4]]);
  });

  it('are not held up by one that takes long, but are no more than four side by side', async () => {
    const { batches, begun, end } = workshop();
    for (let item = 1; item <= 15; item++) batches.add(item);
    await until(() => Promise.resolve(begun.length === 4));
    expect(begun).toEqual([
      [1, 2, 3],
      [4, 5, 6],
      [7, 8, 9],
      [10, 11, 12],
    ]);
    await end(2);
    await until(() => Promise.resolve(begun.length === 5));
    expect(begun.at(-1)).toEqual([13, 14, 15]);
  });

  it('gather for a while where told to, and again once nothing is left to do', async () => {
    const { batches, begun, end } = workshop({ gatherMs: 20, lanes: 1 });
    for (const item of [1, 2]) {
      batches.add(item);
      await turn();
    }
    expect(begun).toEqual([]);
    await until(() => Promise.resolve(begun.length > 0));
    for (const item of [3, 4]) batches.add(item);
    await end(0);
    expect(begun).toEqual([
      [1, 2],
      [3, 4],
    ]);
    await end(1);
    batches.add(5);
    await turn();
    expect(begun).toHaveLength(2);
    await until(() => Promise.resolve(begun.length === 3));
  });

  it('do not go side by side where there is one lane', async () => {
    const { batches, begun, end } = workshop({ patienceMs: 1, lanes: 1 });
    for (let item = 1; item <= 4; item++) batches.add(item);
    await until(() => Promise.resolve(begun.length === 1));
    await sleep(20);
    expect(begun).toHaveLength(1);
    await end(0);
    expect(begun).toEqual([[1, 2, 3], [4]]);
  });

  it('follow one that has made way when as many wait as it has', async () => {
    const { batches, begun, makeWays } = workshop(PATIENT);
    for (const item of [1, 2]) batches.add(item);
    await turn();
    batches.add(3);
    makeWays[0]!();
    await turn();
    expect(begun).toEqual([[1, 2]]);
    batches.add(4);
    await turn();
    expect(begun).toEqual([
      [1, 2],
      [3, 4],
    ]);
    // It has not made way itself.
    for (const item of [5, 6, 7]) batches.add(item);
    await turn();
    expect(begun).toHaveLength(2);
    makeWays[1]!();
    await turn();
    expect(begun.at(-1)).toEqual([5, 6, 7]);
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
    for (const item of ['first', 'second']) request.run(item, () => batches.add(item));
    setImmediate(() => request.run('third', () => batches.add('third')));
    await until(() => Promise.resolve(seen.length === 2));
    expect(seen).toEqual(['first', 'third']);
  });
});

describe('a batch', () => {
  const take = (waiting: string[][], most: number) => takeBatch(waiting, most, (keys) => keys);

  it('is of those that wait longest', () =>
    expect(take([['a'], ['b'], ['c']], 2)).toEqual({ batch: [['a'], ['b']], left: [['c']] }));

  it('has of those that share a key only the first, and nobody overtakes the others', () =>
    expect(take([['a'], ['a', 'b'], ['b'], ['c']], 4)).toEqual({
      batch: [['a'], ['c']],
      left: [['a', 'b'], ['b']],
    }));
});
