import { jest } from '@jest/globals';
import { waitingFor } from './start-progress.js';

it('tells once what it waits for, and nothing when that comes soon', async () => {
  jest.useFakeTimers();
  const told: string[] = [];
  const wait = (work: Promise<string>) => waitingFor('PostgreSQL', work, (words) => told.push(words));
  expect(await wait(Promise.resolve('here'))).toBe('here');
  await jest.advanceTimersByTimeAsync(60_000);
  expect(told).toEqual([]);
  let come = (_: string) => {};
  const waiting = wait(new Promise((resolve) => (come = resolve)));
  await jest.advanceTimersByTimeAsync(60_000);
  expect(told).toEqual(['Waiting for PostgreSQL …']);
  come('late');
  expect(await waiting).toBe('late');
  jest.useRealTimers();
});
