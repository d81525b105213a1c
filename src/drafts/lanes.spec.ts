import { setImmediate as turn, setTimeout as sleep } from 'node:timers/promises';
import { Lanes, type Taken } from './lanes.js';

/** Owners' work that ends when it is told to; `started` names what has begun, in order, `asked` the rooms there were. */
function workshop(todo: Record<string, string[]>) {
  const started: string[] = [];
  const asked: number[] = [];
  const finish = new Map<string, () => void>();
  const work = (id: string) => () =>
    new Promise<void>((resolve) => {
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
    end: async (...ids: string[]) => {
      for (const id of ids) {
        finish.get(id)!();
        await turn();
      }
      await turns();
    },
  };
}

/** Until what was begun has been taken and started, in lanes that gather for 10 ms. */
const turns = () => sleep(50);

describe('lanes', () => {
  it('run no more than their width of one owner, the rest when there is room', async () => {
    const { started, take, end } = workshop({ one: ['a', 'b', 'c', 'd'] });
    new Lanes(2, take).wake('one');
    await turns();
    expect(started).toEqual(['a', 'b']);
    await end('b');
    expect(started).toEqual(['a', 'b', 'c']);
    await end('a', 'c');
    expect(started).toEqual(['a', 'b', 'c', 'd']);
  });

  it('do not let one owner hold up another', async () => {
    const { started, take } = workshop({ hanging: ['a', 'b'], other: ['x'] });
    const lanes = new Lanes(1, take);
    lanes.wake('hanging');
    lanes.wake('other');
    await turns();
    expect(started).toEqual(['a', 'x']);
  });

  it('take at once for all the room that comes free within some milliseconds', async () => {
    const { asked, take, end } = workshop({ one: ['a', 'b', 'c', 'd', 'e', 'f'] });
    new Lanes(4, take).wake('one');
    await turns();
    await end('a', 'b', 'c');
    expect(asked).toEqual([4, 3]);
  });

  it('ask again only when there may be more', async () => {
    const { asked, take, end } = workshop({ one: ['a'] });
    new Lanes(2, take).wake('one');
    await turns();
    await end('a');
    expect(asked).toEqual([2]);
  });

  it('take what has come while they were taking', async () => {
    const { started, todo, take } = workshop({ one: [] });
    const lanes = new Lanes(2, take);
    lanes.wake('one');
    lanes.wake('one');
    await turn();
    todo['one']!.push('a');
    await turns();
    expect(started).toEqual(['a']);
  });

  it('take nothing further once they are closed, and wait for what runs, what is being taken included', async () => {
    const { started, take, end } = workshop({ one: ['a', 'b'], other: ['x'] });
    const lanes = new Lanes(1, take);
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
    const lanes = new Lanes(1, take);
    lanes.wake('one');
    await expect(lanes.close(50)).resolves.toBeUndefined();
  });
});
