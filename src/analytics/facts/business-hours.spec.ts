import { BusinessHours, type OpeningHours } from './business-hours.js';

const OFFICE = { days: [1, 2, 3, 4, 5], from: '09:00', to: '17:00' };
const AROUND_THE_CLOCK = { days: [1, 2, 3, 4, 5, 6, 7], from: '00:00', to: '23:59' };
const NIGHT = { days: [7], from: '00:00', to: '04:00' };

const between = (zone: string, hours: OpeningHours, from: string, to: string): number =>
  Number(new BusinessHours(zone, hours).microsBetween(from, to)) / 1e6;

const at = (text: string) => `${text.length === 16 ? `${text}:00` : text}.000000Z`;

describe('business hours', () => {
  // 2026-03-02 is a Monday.
  it.each([
    ['within one day', '2026-03-02T09:00', '2026-03-02T10:30', 5_400],
    ['over a night', '2026-03-02T16:59', '2026-03-03T09:01', 120],
    ['over a weekend', '2026-03-06T16:00', '2026-03-09T10:00', 7_200],
    ['of a week', '2026-03-02T00:00', '2026-03-09T00:00', 144_000],
    ['of a weekend, none', '2026-03-07T00:00', '2026-03-08T23:59', 0],
    ['before opening and after closing', '2026-03-02T05:00', '2026-03-02T23:00', 28_800],
    ['of no time, none', '2026-03-02T12:00', '2026-03-02T12:00', 0],
    ['of a day before 1970', '1969-12-22T00:00', '1969-12-23T00:00', 28_800],
  ])('counts only open seconds: %s', (_, from, to, expected) => {
    expect(between('UTC', OFFICE, at(from), at(to))).toBe(expected);
  });

  it('are exact to the microsecond', () => {
    const hours = new BusinessHours('UTC', OFFICE);
    expect(hours.microsBetween('2026-03-02T08:59:59.999999Z', '2026-03-02T09:00:00.000001Z')).toBe(1n);
    expect(hours.microsBetween('2026-03-02T16:59:59.999999Z', '2026-03-02T17:00:00.000001Z')).toBe(1n);
    // 521,722 weeks of 40 hours, and from Monday 0001-01-01 to Friday 9999-12-31 another five days.
    expect(hours.microsBetween('0001-01-01T09:00:00.000001Z', '9999-12-31T16:59:59.999999Z')).toBe(
      (521_722n * 40n + 40n) * 3_600_000_000n - 2n,
    );
  });

  it('begin with the opening and end before the closing', () => {
    const hours = new BusinessHours('Europe/Berlin', OFFICE);
    const open = [
      '2026-03-02T07:59:59.999999Z',
      '2026-03-02T08:00:00.000000Z',
      '2026-03-02T15:59:59.999999Z',
      '2026-03-02T16:00:00.000000Z',
      '2026-03-07T12:00:00.000000Z',
    ].map((instant) => hours.isOpen(instant));
    expect(open).toEqual([false, true, true, false, false]);
  });

  // New York: 8 March and 1 November 2026. Berlin: 29 March and 25 October 2026.
  it.each([
    ['America/New_York', '2026-03-06T14:00', '2026-03-09T13:00', 28_800],
    ['America/New_York', '2026-03-06T14:00', '2026-03-09T14:00', 32_400],
    ['America/New_York', '2026-10-30T13:00', '2026-11-02T14:00', 28_800],
    ['America/New_York', '2026-10-30T13:00', '2026-11-02T15:00', 32_400],
    ['Europe/Berlin', '2026-03-27T08:00', '2026-03-30T07:00', 28_800],
    ['Europe/Berlin', '2026-03-27T08:00', '2026-03-30T08:00', 32_400],
    ['Europe/Berlin', '2026-10-23T07:00', '2026-10-26T08:00', 28_800],
    ['Europe/Berlin', '2026-10-23T07:00', '2026-10-26T09:00', 32_400],
  ])('move with the clocks: %s, %s to %s', (zone, from, to, expected) => {
    expect(between(zone, OFFICE, at(from), at(to))).toBe(expected);
  });

  it.each([
    ['America/New_York', '2026-03-08', 3 * 3_600],
    ['America/New_York', '2026-11-01', 5 * 3_600],
    ['Europe/Berlin', '2026-03-29', 3 * 3_600],
    ['Europe/Berlin', '2026-10-25', 5 * 3_600],
    ['America/New_York', '2026-03-15', 4 * 3_600],
  ])('lose and gain the hour of the change when they are open then: %s, %s', (zone, day, expected) => {
    const noon = at(`${day}T12:00`);
    const before = at(`${new Date(Date.parse(day) - 86_400_000).toISOString().slice(0, 10)}T12:00`);
    expect(between(zone, NIGHT, before, noon)).toBe(expected);
  });

  it('of a year are those of its days', () => {
    const year = between(
      'America/New_York',
      AROUND_THE_CLOCK,
      at('2026-01-01T05:00'),
      at('2027-01-01T05:00'),
    );
    expect(year).toBe(365 * 86_340);
    expect(between('Asia/Kathmandu', AROUND_THE_CLOCK, at('2025-12-31T18:15'), at('2026-01-01T18:15'))).toBe(
      86_340,
    );
  });
});
