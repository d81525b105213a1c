import fc from 'fast-check';
import { plusSeconds } from '#kernel/instant.js';
import { gapOf, LONGEST_GAP, OPEN_GAP, reachingTo } from './gap-classes.js';

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

describe('what reaches an instant', () => {
  it('begins no earlier than its class tells', () => {
    const start = Date.parse('0001-01-01T00:00:00Z');
    const instant = fc
      .integer({ min: 0, max: 3_652_000 })
      .map((day) => `${new Date(start + day * 86_400_000).toISOString().slice(0, 19)}.000000Z`);
    const seconds = fc.oneof(fc.integer({ min: 0, max: 10_000 }), fc.integer({ min: 0, max: 315_000_000 }));
    fc.assert(
      fc.property(instant, seconds, (from, length) => {
        const to = plusSeconds(from, length);
        if (to.startsWith('+')) return;
        expect(reachingTo(to)[gapOf(from, to)]! <= from).toBe(true);
        expect(reachingTo(to)[OPEN_GAP]! <= from).toBe(true);
      }),
    );
  });

  it('begins not much earlier than the class reaches', () =>
    expect(reachingTo('2026-01-02T04:00:01.000000Z').slice(0, 2)).toEqual([
      '2026-01-02T00:00:00.000000Z',
      '2026-01-01T12:00:00.000000Z',
    ]));
});
