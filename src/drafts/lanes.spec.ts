import { setImmediate as turn } from 'node:timers/promises';
import { Lanes } from './lanes.js';

/** Work that ends when it is told to; `started` names what has begun, in order. */
function workshop() {
  const started: string[] = [];
  const finish = new Map<string, () => void>();
  const work = (id: string) => () =>
    new Promise<void>((resolve) => {
      started.push(id);
      finish.set(id, resolve);
    });
  return {
    started,
    work,
    end: async (id: string) => {
      finish.get(id)!();
      await turn();
    },
  };
}

describe('lanes', () => {
  it('run no more than their width of one owner, the rest in turn', async () => {
    const lanes = new Lanes(2, 10);
    const { started, work, end } = workshop();
    for (const id of ['a', 'b', 'c', 'd']) lanes.run('one', id, work(id));
    expect(started).toEqual(['a', 'b']);
    await end('b');
    expect(started).toEqual(['a', 'b', 'c']);
    await end('a');
    await end('c');
    expect(started).toEqual(['a', 'b', 'c', 'd']);
  });

  it('do not let one owner hold up another', () => {
    const lanes = new Lanes(1, 10);
    const { started, work } = workshop();
    for (const id of ['a', 'b', 'c']) lanes.run('hanging', id, work(id));
    lanes.run('other', 'x', work('x'));
    expect(started).toEqual(['a', 'x']);
  });

  it('take the same id once at a time, and again when it has ended', async () => {
    const lanes = new Lanes(2, 10);
    const { started, work, end } = workshop();
    lanes.run('one', 'a', work('a'));
    lanes.run('one', 'a', work('a'));
    expect(started).toEqual(['a']);
    await end('a');
    lanes.run('one', 'a', work('a'));
    expect(started).toEqual(['a', 'a']);
  });

  it('drop what is beyond their depth', async () => {
    const lanes = new Lanes(1, 1);
    const { started, work, end } = workshop();
    for (const id of ['a', 'b', 'c']) lanes.run('one', id, work(id));
    await end('a');
    await end('b');
    expect(started).toEqual(['a', 'b']);
  });

  it('ask for more when there is room again for what they dropped, once', async () => {
    const asked: string[] = [];
    const lanes = new Lanes(1, 2, (owner) => asked.push(owner));
    const { work, end } = workshop();
    for (const id of ['a', 'b', 'c', 'd', 'e']) lanes.run('one', id, work(id));
    expect(asked).toEqual([]);
    await end('a');
    expect(asked).toEqual(['one']);
    await end('b');
    await end('c');
    expect(asked).toEqual(['one']);
  });

  it('drop what waits when they are closed, and wait for what runs', async () => {
    const lanes = new Lanes(1, 10);
    const { started, work, end } = workshop();
    for (const id of ['a', 'b']) lanes.run('one', id, work(id));
    const closed = lanes.close(10_000);
    await end('a');
    await closed;
    lanes.run('one', 'c', work('c'));
    expect(started).toEqual(['a']);
  });
});
