import { setImmediate as turn, setTimeout as sleep } from 'node:timers/promises';
import { Lanes, type Taken } from './lanes.js';

/** Owners' work that ends when it is told to; `started` names what has begun, in order, `asked` the rooms there were. */
function workshop(todo: Record<string, string[]>) {
  const started: string[] = [];
  const asked: number[] = [];
  const finish = new Map<string, (wentWell: boolean) => void>();
  const work = (id: string) => () =>
    new Promise<boolean>((resolve) => {
      started.push(id);
      finish.set(id, resolve);
    });
  return {
    started,
    asked,
    todo,
    take: async (owner: string, room: number): Promise<Taken> => {
      asked.push(room);
      await turn();
      const taken = todo[owner]!.splice(0, room);
      return { work: taken.map(work), more: taken.length === room };
    },
    end: (...ids: string[]) => finishAll(ids, true),
    fail: (...ids: string[]) => finishAll(ids, false),
  };

  async function finishAll(ids: string[], wentWell: boolean): Promise<void> {
    for (const id of ids) {
      finish.get(id)!(wentWell);
      await turn();
    }
    await turns();
  }
}

/** Lanes of one width, whatever becomes of the work. */
const lanesOf = (width: number, take: ConstructorParameters<typeof Lanes>[1]) =>
  new Lanes({ first: width, most: width }, take);

/** Until what was begun has been taken and started, in lanes that gather for 10 ms: some turns, however long they take. */
async function turns(): Promise<void> {
  for (let i = 0; i < 4; i++) {
    await sleep(12);
    await turn();
  }
}

describe('lanes', () => {
  it('run no more than their width of one owner, the rest when there is room', async () => {
    const { started, take, end } = workshop({ one: ['a', 'b', 'c', 'd'] });
    lanesOf(2, take).wake('one');
    await turns();
    expect(started).toEqual(['a', 'b']);
    await end('b');
    expect(started).toEqual(['a', 'b', 'c']);
    await end('a', 'c');
    expect(started).toEqual(['a', 'b', 'c', 'd']);
  });

  it('are widened by each piece that went well, up to their most', async () => {
    const { asked, take, end } = workshop({ one: [...'abcdefghijkl'] });
    new Lanes({ first: 2, most: 5 }, take).wake('one');
    await turns();
    await end('a');
    await end('b');
    await end('c', 'd', 'e', 'f');
    expect(asked).toEqual([2, 2, 2, 5]);
  });

  it('are as narrow as at first after a piece that did not go well', async () => {
    const { started, asked, take, end, fail } = workshop({ one: [...'abcdefghijkl'] });
    new Lanes({ first: 2, most: 4 }, take).wake('one');
    await turns();
    await end('a', 'b');
    expect(started.join('')).toBe('abcdef');
    await fail('c', 'd');
    expect(started.join('')).toBe('abcdef');
    await fail('e');
    expect(started.join('')).toBe('abcdefg');
    expect(asked).toEqual([2, 4, 1]);
  });

  it('do not let one owner hold up another', async () => {
    const { started, take } = workshop({ hanging: ['a', 'b'], other: ['x'] });
    const lanes = lanesOf(1, take);
    lanes.wake('hanging');
    lanes.wake('other');
    await turns();
    expect(started).toEqual(['a', 'x']);
  });

  it('take at once for all the room that comes free within some milliseconds', async () => {
    const { asked, take, end } = workshop({ one: ['a', 'b', 'c', 'd', 'e', 'f'] });
    lanesOf(4, take).wake('one');
    await turns();
    await end('a', 'b', 'c');
    expect(asked).toEqual([4, 3]);
  });

  it('ask again only when there may be more', async () => {
    const { asked, take, end } = workshop({ one: ['a'] });
    lanesOf(2, take).wake('one');
    await turns();
    await end('a');
    expect(asked).toEqual([2]);
  });

  it('take what has come while they were taking', async () => {
    const { started, todo, take } = workshop({ one: [] });
    const lanes = lanesOf(2, take);
    lanes.wake('one');
    lanes.wake('one');
    await turn();
    todo['one']!.push('a');
    await turns();
    expect(started).toEqual(['a']);
  });

  it('take nothing further once they are closed, and wait for what runs, what is being taken included', async () => {
    const { started, take, end } = workshop({ one: ['a', 'b'], other: ['x'] });
    const lanes = lanesOf(1, take);
    lanes.wake('one');
    let closed = false;
    const closing = lanes.close(10_000).then(() => (closed = true));
    lanes.wake('other');
    await turns();
    expect([started, closed]).toEqual([['a'], false]);
    await end('a');
    await closing;
    expect(started).toEqual(['a']);
  });

  it('do not wait longer than they were told to', async () => {
    const { take } = workshop({ one: ['a'] });
    const lanes = lanesOf(1, take);
    lanes.wake('one');
    await expect(lanes.close(50)).resolves.toBeUndefined();
  });
});
