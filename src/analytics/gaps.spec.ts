import { gapOf, LONGEST_GAP } from './gaps.js';

describe('the class of a gap', () => {
  it.each([
    ['2026-01-01T00:00:00.000000Z', 0],
    ['2026-01-01T03:59:59.999999Z', 0],
    ['2026-01-01T04:00:00.000000Z', 1],
    ['2026-01-01T15:59:59.999999Z', 1],
    ['2026-01-01T16:00:00.000000Z', 2],
    ['2026-01-03T16:00:00.000000Z', 3],
  ])('to %s reaches 4 hours, four times as far, and so on', (to, expected) =>
    expect(gapOf('2026-01-01T00:00:00.000000Z', to)).toBe(expected),
  );

  it('is never above the longest', () =>
    expect(gapOf('0001-01-01T00:00:00.000000Z', '9999-12-31T23:59:59.999999Z')).toBeLessThanOrEqual(
      LONGEST_GAP,
    ));
});
