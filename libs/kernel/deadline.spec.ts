import { jest } from '@jest/globals';
import { Deadline } from './deadline.js';

afterEach(() => jest.restoreAllMocks());

/** Sets both clocks: the system's, which can be set, and the steady one. Milliseconds. */
function clocks(system: number, steady: number) {
  jest.spyOn(Date, 'now').mockReturnValue(system);
  jest.spyOn(performance, 'now').mockReturnValue(steady);
}

it.each([
  ['time passes', 400, 400, 600],
  ['the clock is set back by an hour', 400 - 3_600_000, 400, 600],
  ['a fraction of a millisecond is left, which timers do not take', 400, 399.3, 600],
  ['the machine was asleep, which the steady clock does not count', 5_000, 10, -4_000],
])('a deadline is right when %s', (_, system, steady, left) => {
  clocks(1e12, 70);
  const deadline = new Deadline(1_000);
  clocks(1e12 + system, 70 + steady);
  expect(deadline.left()).toBe(left);
  expect(deadline.isOver).toBe(left <= 0);
});
