import { setTimeout as sleep } from 'node:timers/promises';
import { NoTurn, ReadingRoom } from './reading-room.js';

const KIB = 1024;

describe('Mails that are being read', () => {
  it('hold no more memory together than there is room, in the order in which they came', async () => {
    // Each holds 41 KiB: two have room at once.
    const room = new ReadingRoom({ room: 100, longestWaitMs: 60_000 });
    let reading = 0;
    let most = 0;
    const order: number[] = [];
    await Promise.all(
      [0, 1, 2, 3, 4].map((nr) =>
        room.whileReading(10 * KIB, async () => {
          most = Math.max(most, ++reading);
          order.push(nr);
          await sleep(5);
          reading--;
        }),
      ),
    );
    expect({ most, order }).toEqual({ most: 2, order: [0, 1, 2, 3, 4] });
  });

  it('are read alone when they are larger than the room', async () => {
    const room = new ReadingRoom({ room: 100, longestWaitMs: 60_000 });
    await expect(room.whileReading(1_000 * KIB, async () => 'read')).resolves.toBe('read');
  });

  it('give their room back when they cannot be read', async () => {
    const room = new ReadingRoom({ room: 100, longestWaitMs: 60_000 });
    const failing = room.whileReading(1_000 * KIB, () => Promise.reject(new Error('unreadable')));
    await expect(failing).rejects.toThrow('unreadable');
    await expect(room.whileReading(1_000 * KIB, async () => 'read')).resolves.toBe('read');
  });

  it('do not wait for ever', async () => {
    const room = new ReadingRoom({ room: 100, longestWaitMs: 20 });
    let end!: () => void;
    const first = room.whileReading(1_000 * KIB, () => new Promise<void>((resolve) => (end = resolve)));
    await expect(room.whileReading(1, async () => {})).rejects.toThrow(NoTurn);
    end();
    await first;
    await expect(room.whileReading(1, async () => 'read')).resolves.toBe('read');
  });
});
