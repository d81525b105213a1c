import { laterTimes } from './later-times.js';

const clocksOf = (now: string) => laterTimes(now).map(({ name, clock }) => `${name} ${clock}`);

describe('The times that one puts things off to', () => {
  it('are later today, tomorrow, on Monday and in a week by the clock that is given', () =>
    expect(clocksOf('2026-03-27T08:40')).toEqual([
      'laterToday 2026-03-27T11:00',
      'tomorrow 2026-03-28T09:00',
      'monday 2026-03-30T09:00',
      'nextWeek 2026-04-03T09:00',
    ]));

  it('are not today any more in the evening', () =>
    expect(clocksOf('2026-12-31T16:00')[0]).toBe('tomorrow 2027-01-01T09:00'));

  it.each([
    ['a Sunday', '2026-03-29T20:00', ['tomorrow 2026-03-30T09:00', 'nextWeek 2026-04-05T09:00']],
    ['a Monday', '2026-03-30T20:00', ['tomorrow 2026-03-31T09:00', 'nextWeek 2026-04-06T09:00']],
  ])('name Monday no second time on %s', (_day, now, times) => expect(clocksOf(now)).toEqual(times));

  it('are all different, whatever day and hour it is', () => {
    for (let hours = 0; hours < 24 * 14; hours++) {
      const clocks = laterTimes(new Date(Date.UTC(2026, 1, 20, hours)).toISOString()).map(
        ({ clock }) => clock,
      );
      expect(new Set(clocks).size).toBe(clocks.length);
    }
  });
});
