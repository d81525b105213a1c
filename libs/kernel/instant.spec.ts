import fc from 'fast-check';
import {
  Clock,
  hourOf,
  instantOfHour,
  isCalendarDate,
  justAfter,
  microsBetween,
  microsOf,
  now,
  parseInstant,
  plusSeconds,
  secondsOf,
} from './instant.js';

const [FIRST, LAST] = [Date.parse('0001-01-01T00:00:00Z'), Date.parse('9999-12-31T23:59:59Z')].map(
  (millis) => millis / 1_000,
) as [number, number];
/** A second of any year there is, as an instant and as seconds since 1970. */
const anySecond = fc
  .integer({ min: 0, max: LAST - FIRST })
  .map((after) => FIRST + after)
  .map((second) => [`${new Date(second * 1_000).toISOString().slice(0, 19)}.000000Z`, second] as const);

/** A clock that reads these, and the seconds by which it says it was set back. */
function clockReading(readings: number[]): [Clock, number[]] {
  const left = [...readings];
  const clock = new Clock(() => left.shift()!);
  const told: number[] = [];
  clock.onSetBack = (seconds) => told.push(seconds);
  return [clock, told];
}

describe('parseInstant', () => {
  it.each([
    ['2026-01-02T03:04:05.678901Z', '2026-01-02T03:04:05.678901Z'],
    ['2026-01-02T03:04:05Z', '2026-01-02T03:04:05.000000Z'],
    ['2026-01-02T03:04:05.5+02:00', '2026-01-02T01:04:05.500000Z'],
    ['2026-01-02t03:04:05z', '2026-01-02T03:04:05.000000Z'],
    ['2024-02-29T23:59:59-14:00', '2024-03-01T13:59:59.000000Z'],
    ['0001-01-01T00:00:00Z', '0001-01-01T00:00:00.000000Z'],
    ['9999-12-31T23:59:59.999999Z', '9999-12-31T23:59:59.999999Z'],
  ])('reads %s as %s', (text, instant) => expect(parseInstant(text)).toBe(instant));

  it.each([
    '2026-01-02',
    '2026-01-02T03:04:05',
    '2026-02-30T00:00:00Z',
    '2025-02-29T00:00:00Z',
    '2026-01-02T25:00:00Z',
    '2026-01-02T24:00:00Z',
    '2026-01-02T00:60:00Z',
    '2026-01-02T00:00:60Z',
    '2026-01-02T00:00:00.1234567Z',
    '2026-01-02T00:00:00.Z',
    '2026-01-02T00:00:00+24:00',
    '2026-01-02 00:00:00Z',
    '0000-12-31T00:00:00Z',
    '0001-01-01T00:00:00+01:00',
    '9999-12-31T23:59:59-01:00',
    '26-01-02T00:00:00Z',
    ' 2026-01-02T00:00:00Z',
    '',
  ])('refuses %p', (text) => expect(parseInstant(text)).toBeNull());
});

describe('now', () => {
  it('never gives the same instant twice, and never goes back', () => {
    const instants = Array.from({ length: 1000 }, now);
    expect(instants).toEqual([...new Set(instants)].toSorted());
  });

  const at = (millis: number) => Date.parse('2026-01-01T12:00:00Z') + millis;

  it('goes on in order while its clock is set back by a second at most', () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 0, max: 999 }), { minLength: 2 }), (readings) => {
        const [clock, told] = clockReading(readings.map(at));
        const instants = readings.map(() => clock.now());
        expect(instants).toEqual([...new Set(instants)].toSorted());
        expect(told).toEqual([]);
      }),
    );
  });

  it('follows its clock again after it was ahead, and tells by how much', () => {
    const [clock, told] = clockReading([at(0), at(7_200_000), at(10), at(20)]);
    expect([1, 2, 3, 4].map(() => clock.now())).toEqual([
      '2026-01-01T12:00:00.000000Z',
      '2026-01-01T14:00:00.000000Z',
      '2026-01-01T12:00:00.010000Z',
      '2026-01-01T12:00:00.020000Z',
    ]);
    expect(told).toEqual([7_199.99]);
  });

  it('is never more than a second ahead of its clock, whatever that does', () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 0, max: 1e10 }), { minLength: 1 }), (readings) => {
        const [clock] = clockReading(readings.map(at));
        for (const reading of readings)
          expect(Date.parse(clock.now()) - at(reading)).toBeLessThanOrEqual(1_000);
      }),
    );
  });
});

describe('plusSeconds', () => {
  it('keeps microseconds in both directions', () => {
    expect(plusSeconds('2026-01-01T00:00:00.000001Z', -30 * 24 * 3600)).toBe('2025-12-02T00:00:00.000001Z');
    expect(plusSeconds('2025-12-31T23:59:59.999999Z', 0.000001)).toBe('2026-01-01T00:00:00.000000Z');
  });
});

describe('microsBetween', () => {
  it('is exact over all the years there are', () => {
    expect(microsBetween('0001-01-01T00:00:00.000001Z', '9999-12-31T23:59:59.999999Z')).toBe(
      315_537_897_599_999_998n,
    );
    expect(microsBetween('2026-01-01T00:00:00.000000Z', '2025-12-31T23:59:59.999999Z')).toBe(-1n);
  });
});

describe('secondsOf', () => {
  it('is what the calendar says, in every year there is', () => {
    fc.assert(fc.property(anySecond, ([instant, second]) => expect(secondsOf(instant)).toBe(second)));
    expect([FIRST, LAST]).toEqual(
      ['0001-01-01T00:00:00.000000Z', '9999-12-31T23:59:59.999999Z'].map(secondsOf),
    );
  });
});

describe('microsOf', () => {
  it('is what is left of the second', () => {
    expect(microsOf('2026-01-02T03:04:05.060708Z')).toBe(60_708);
  });
});

describe('hourOf', () => {
  it('numbers hours in their order, so that days and months are parts of the number', () => {
    fc.assert(
      fc.property(anySecond, anySecond, ([one], [other]) => {
        expect(instantOfHour(hourOf(one))).toBe(`${one.slice(0, 13)}:00:00.000000Z`);
        expect(instantOfHour(Math.floor(hourOf(one) / 24) * 24)).toBe(`${one.slice(0, 10)}T00:00:00.000000Z`);
        const month = 24 * 31;
        expect(instantOfHour(Math.floor(hourOf(one) / month) * month)).toBe(
          `${one.slice(0, 7)}-01T00:00:00.000000Z`,
        );
        expect(hourOf(one) < hourOf(other)).toBe(one.slice(0, 13) < other.slice(0, 13));
      }),
    );
  });
});

describe('isCalendarDate', () => {
  it('knows leap years', () => {
    expect([isCalendarDate(2024, 2, 29), isCalendarDate(2025, 2, 29), isCalendarDate(2026, 13, 1)]).toEqual([
      true,
      false,
      false,
    ]);
  });
});

describe('justAfter', () => {
  it.each([
    ['2026-01-02T03:04:05.678901Z', '2026-01-02T03:04:05.678902Z'],
    ['2026-12-31T23:59:59.999999Z', '2027-01-01T00:00:00.000000Z'],
    ['0001-01-01T00:00:00.000000Z', '0001-01-01T00:00:00.000001Z'],
    ['9999-12-31T23:59:59.999998Z', '9999-12-31T23:59:59.999999Z'],
  ])('of %s is %s', (instant, next) => expect(justAfter(instant)).toBe(next));

  it('is exactly one microsecond later, whatever the year', () =>
    fc.assert(
      fc.property(anySecond, fc.integer({ min: 0, max: 999_998 }), ([second], micros) => {
        const instant = `${second.slice(0, 20)}${String(micros).padStart(6, '0')}Z`;
        expect(microsBetween(instant, justAfter(instant))).toBe(1n);
      }),
    ));
});
