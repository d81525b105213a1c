import { setImmediate } from 'node:timers/promises';
import { othersTurn } from './turns.js';

it('of works that let others have their turn, one goes on in each turn of the event loop', async () => {
  const PIECES = 5;
  let pieces = 0;
  const work = async () => {
    for (let piece = 0; piece < PIECES; piece++) {
      await othersTurn();
      pieces++;
    }
  };
  const works = Promise.all([work(), work(), work()]);
  let most = 0;
  while (pieces < 3 * PIECES) {
    const before = pieces;
    await setImmediate();
    most = Math.max(most, pieces - before);
  }
  await works;
  expect(most).toBe(1);
});
