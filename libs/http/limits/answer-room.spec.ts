import { AnswerRoom, type Room, type Share } from './answer-room.js';
import { Problem } from '../problems/problem.js';

const answers = () => {
  const room = new AnswerRoom(150);
  return { enter: (owner: string, bytes: number) => room.enter([{ owner, most: 100 }], bytes) };
};
const REFUSED = expect.objectContaining({ status: 503, code: 'unavailable' });

/** Whether something that may wait has come to an end. */
async function isSettled(waiting: unknown): Promise<boolean> {
  const pending = Symbol();
  const first = await Promise.race([waiting, Promise.resolve(pending)]).catch(() => null);
  return first !== pending;
}

describe('the room for answers', () => {
  it('lets in at once what there is room for, of each owner and of all', () => {
    const room = answers();
    for (const owner of ['one', 'one', 'two']) expect(room.enter(owner, 50)).not.toBeInstanceOf(Promise);
  });

  it.each([
    ['its owner', ['one', 'one'], 'one'],
    ['all', ['one', 'one', 'two'], 'three'],
  ])('lets a request wait while those under way fill the room of %s', async (_, owners, late) => {
    const room = answers();
    const [first, ...others] = owners.map((owner) => room.enter(owner, 50) as Room);
    const waiting = room.enter(late, 50);
    for (const one of others) one.isReady(45);
    expect(await isSettled(waiting)).toBe(false);
    first!.free();
    expect(await waiting).toBeDefined();
  });

  it('counts an answer in each of its shares: keys of one organization take no more than that may', () => {
    const room = new AnswerRoom(1_000);
    const sharesOf = (key: string, organization: string): Share[] => [
      { owner: key, most: 60 },
      { owner: organization, most: 100 },
    ];
    for (const key of ['one', 'two']) (room.enter(sharesOf(key, 'Navy'), 50) as Room).isReady(50);
    expect(() => room.enter(sharesOf('three', 'Navy'), 50)).toThrow(Problem);
    expect(() => room.enter(sharesOf('one', 'Army'), 50)).toThrow(Problem);
    expect(() => room.enter(sharesOf('three', 'Army'), 50)).not.toThrow();
  });

  it('refuses at once what has no room because of answers that nobody reads', () => {
    const room = answers();
    (room.enter('one', 50) as Room).isReady(90);
    expect(() => room.enter('one', 50)).toThrow(Problem);
    expect(() => room.enter('two', 50)).not.toThrow();
  });

  it('refuses those that wait once only answers that nobody reads are left', async () => {
    const room = answers();
    const under = [room.enter('one', 50), room.enter('one', 50)] as Room[];
    const waiting = [room.enter('one', 50), room.enter('one', 50)] as Promise<Room>[];
    const refused = Promise.all(waiting.map((one) => expect(one).rejects.toEqual(REFUSED)));
    for (const one of under) one.isReady(60);
    await refused;
  });

  it('keeps none for an answer that is ready after its reader has gone', () => {
    const room = answers();
    const gone = room.enter('one', 50) as Room;
    gone.free();
    gone.isReady(100);
    expect(room.enter('one', 50)).not.toBeInstanceOf(Promise);
  });

  it('lets a single request in whose answer is larger than all room, and is empty when all have left', () => {
    const room = answers();
    for (let round = 0; round < 3; round++) {
      const large = room.enter('one', 50) as Room;
      large.isReady(1_000);
      expect(() => room.enter('one', 50)).toThrow(Problem);
      large.free();
    }
  });
});
