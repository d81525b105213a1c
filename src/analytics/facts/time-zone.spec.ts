import fc from 'fast-check';
import { jest } from '@jest/globals';
import { offsetAt, transitionsBetween } from './time-zone.js';

/** As the formatter of the runtime names it, such as GMT-05:00. */
function shownOffset(zone: string, second: number): number {
  const format = new Intl.DateTimeFormat('en-US', { timeZone: zone, timeZoneName: 'longOffset' });
  const name = format.formatToParts(second * 1_000).find(({ type }) => type === 'timeZoneName')!.value;
  const [, sign, hours, minutes, seconds = '0'] = /GMT(?:([+-])(\d\d):(\d\d)(?::(\d\d))?)?/.exec(name)!;
  if (sign === undefined) return 0;
  return (Number(hours) * 3_600 + Number(minutes) * 60 + Number(seconds)) * (sign === '-' ? -1 : 1);
}

const secondOf = (text: string): number => Date.parse(text) / 1_000;

describe('the clocks of a zone', () => {
  const zones = [
    'America/New_York',
    'Europe/London',
    'Australia/Lord_Howe',
    'Africa/Casablanca',
    'Asia/Tokyo',
  ];

  it('are at any time those that the runtime shows', () =>
    fc.assert(
      fc.property(
        fc.constantFrom(...zones),
        fc.integer({ min: secondOf('1800-01-01T00:00:00Z'), max: secondOf('9999-12-31T23:59:59Z') }),
        (zone, second) => {
          expect([zone, second, offsetAt(zone, second)]).toEqual([zone, second, shownOffset(zone, second)]);
        },
      ),
      { numRuns: 300 },
    ));

  it('change when one offset ends and the next begins, in far years, too', () => {
    const [from, to] = [secondOf('7300-01-01T00:00:00Z'), secondOf('7310-01-01T00:00:00Z')];
    const found = transitionsBetween('America/New_York', from, to);
    expect(found).toHaveLength(20);
    for (const { at, before, after } of found)
      expect([shownOffset('America/New_York', at - 1), shownOffset('America/New_York', at)]).toEqual([
        before,
        after,
      ]);
  });

  it('are looked for in seven centuries of ten millennia, since others have no changes or repeat them', () => {
    const asked = jest.spyOn(Intl.DateTimeFormat.prototype, 'formatToParts');
    const found = transitionsBetween(
      'Europe/Paris',
      secondOf('0001-01-01T00:00:00Z'),
      secondOf('9999-12-31T00:00:00Z'),
    );
    expect(found.length).toBeGreaterThan(2 * 7_900);
    expect(asked.mock.calls.length).toBeLessThan(100_000);
    asked.mockRestore();
  });
});
