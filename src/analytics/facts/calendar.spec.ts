import fc from 'fast-check';
import { cutByCalendar, type Interval, INTERVALS } from './calendar.js';

const whole = (text: string) => `${text}${'0000-01-01T00:00:00.000000Z'.slice(text.length)}`;
const cut = (interval: Interval, zone: string, from: string, to: string, most = 400) =>
  cutByCalendar(interval, zone, { start_date: whole(from), end_date: whole(to) }, most);
const hoursOf = (cuts: string[]) =>
  cuts.slice(1).map((to, nr) => (Date.parse(to) - Date.parse(cuts[nr]!)) / 3_600_000);

describe('a window cut by the calendar', () => {
  it('begins and ends where it does, and is cut where the zone begins a day', () =>
    expect(cut('day', 'Europe/Berlin', '2026-01-01T10:30', '2026-01-03T12')).toEqual(
      ['2026-01-01T10:30', '2026-01-01T23', '2026-01-02T23', '2026-01-03T12'].map(whole),
    ));

  it('has days of 23 and 25 hours where the clocks change', () => {
    const spring = cut('day', 'Europe/Berlin', '2026-03-27T23', '2026-03-30T22')!;
    expect(hoursOf(spring)).toEqual([24, 23, 24]);
    const autumn = cut('day', 'America/New_York', '2026-10-31T04', '2026-11-03T05')!;
    expect(hoursOf(autumn)).toEqual([24, 25, 24]);
  });

  it('begins a day with the first instant of it where midnight does not exist', () => {
    expect(cut('day', 'America/Sao_Paulo', '2018-11-03T03', '2018-11-06T02')).toEqual(
      ['2018-11-03T03', '2018-11-04T03', '2018-11-05T02', '2018-11-06T02'].map(whole),
    );
    expect(hoursOf(cut('day', 'Africa/Cairo', '2024-04-24T22', '2024-04-27T21')!)).toEqual([24, 23, 24]);
  });

  it('begins a day once where midnight comes twice', () => {
    const cuts = cut('day', 'America/St_Johns', '2010-11-06T02:30', '2010-11-09T03:30')!;
    expect(hoursOf(cuts)).toEqual([24, 25, 24]);
  });

  it('has no part for a date that the zone left out', () =>
    expect(hoursOf(cut('day', 'Pacific/Apia', '2011-12-29T10', '2012-01-01T10')!)).toEqual([24, 24, 24]));

  it('begins weeks on Monday', () =>
    expect(cut('week', 'UTC', '2026-01-01', '2026-01-13')).toEqual(
      ['2026-01-01', '2026-01-05', '2026-01-12', '2026-01-13'].map(whole),
    ));

  it('has whole months where it begins and ends with them', () =>
    expect(cut('month', 'Asia/Kolkata', '2025-12-31T18:30', '2026-03-31T18:30')).toEqual(
      ['2025-12-31T18:30', '2026-01-31T18:30', '2026-02-28T18:30', '2026-03-31T18:30'].map(whole),
    ));

  it('has the hours that the clocks show, each of them when one comes twice', () => {
    expect(cut('hour', 'Asia/Kathmandu', '2026-01-01T00:00', '2026-01-01T01:30')).toEqual(
      ['2026-01-01T00:00', '2026-01-01T00:15', '2026-01-01T01:15', '2026-01-01T01:30'].map(whole),
    );
    const night = hoursOf(cut('hour', 'Europe/Berlin', '2026-10-24T22', '2026-10-25T03')!);
    expect(night).toEqual([1, 1, 1, 1, 1]);
  });

  it('has a short hour where the clocks change by half an hour', () => {
    expect(hoursOf(cut('hour', 'Australia/Lord_Howe', '2026-04-04T14', '2026-04-04T16:30')!)).toEqual([
      1, 0.5, 1,
    ]);
    expect(hoursOf(cut('hour', 'Australia/Lord_Howe', '2026-10-03T14:30', '2026-10-03T17')!)).toEqual([
      1, 0.5, 1,
    ]);
  });

  it('has at most so many parts', () => {
    expect(cut('hour', 'UTC', '2026-01-01', '2026-01-02', 24)).toHaveLength(25);
    expect(cut('hour', 'UTC', '2026-01-01', '2026-01-02T00:00:00.000001Z', 24)).toBeNull();
    expect(cut('hour', 'Europe/Berlin', '0001', '9999-12-31T23:59:59.999999Z')).toBeNull();
  });

  const ZONES = [
    'UTC',
    'Europe/Berlin',
    'America/New_York',
    'America/Sao_Paulo',
    'Africa/Cairo',
    'Asia/Kathmandu',
    'Australia/Lord_Howe',
    'America/St_Johns',
    'Pacific/Apia',
    'Africa/Casablanca',
  ];

  it('is covered once and whole, each part of one hour, day, week or month of the zone', () =>
    fc.assert(
      fc.property(
        fc.constantFrom(...INTERVALS),
        fc.constantFrom(...ZONES),
        fc.integer({ min: Date.parse('1990-01-01'), max: Date.parse('2040-01-01') }),
        fc.integer({ min: 1, max: 40 * 86_400_000 }),
        (interval, zone, from, length) => {
          const at = (ms: number) => new Date(ms).toISOString().replace('Z', '000Z');
          const cuts = cut(interval, zone, at(from), at(from + length), 100_000)!;
          expect([cuts[0], cuts.at(-1)]).toEqual([at(from), at(from + length)]);
          const format = new Intl.DateTimeFormat('sv', {
            timeZone: zone,
            dateStyle: 'short',
            timeStyle: 'medium',
          });
          const shown = (instant: string) => format.format(Date.parse(instant));
          for (const [nr, instant] of cuts.slice(1, -1).entries()) {
            expect(instant > cuts[nr]!).toBe(true);
            if (interval === 'hour') continue;
            // The day before is another one, and so is the week and the month.
            const [before, after] = [shown(at(Date.parse(instant) - 1_000)), shown(instant)];
            expect(before.slice(0, 10) < after.slice(0, 10)).toBe(true);
            if (interval === 'week') expect(new Date(after.slice(0, 10)).getUTCDay()).toBe(1);
            if (interval === 'month') expect(before.slice(0, 7) < after.slice(0, 7)).toBe(true);
          }
        },
      ),
      { numRuns: 300 },
    ));
});
