import { fewInASecond } from './request-log.js';

it('tells of a few errors in each second, however many there are', () => {
  let now = 500;
  const mayTell = fewInASecond(3, () => now);
  const told = (count: number) => Array.from({ length: count }, mayTell).filter(Boolean).length;
  expect(told(100)).toBe(3);
  now = 1_000;
  expect(told(2)).toBe(2);
  expect(told(100)).toBe(1);
  now = 60_000;
  expect(told(100)).toBe(3);
});
