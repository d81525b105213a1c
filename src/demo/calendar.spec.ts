import { onWorkday, workedAfter } from './calendar.js';

const MINUTE = 60_000;
const at = (text: string) => Date.parse(`${text}:00Z`);
const told = (time: number) => new Date(time).toISOString().slice(0, 16);

describe('work in office hours', () => {
  it.each([
    ['within a day', '2026-03-12T10:00', 90, '2026-03-12T11:30'],
    ['from the morning on', '2026-03-12T03:00', 30, '2026-03-12T09:00'],
    ['over the night', '2026-03-12T17:00', 60, '2026-03-13T09:00'],
    ['over the weekend', '2026-03-13T17:00', 60, '2026-03-16T09:00'],
    ['of more than a day', '2026-03-12T08:30', 10 * 60, '2026-03-13T09:30'],
    ['begun on a Sunday', '2026-03-15T12:00', 15, '2026-03-16T08:45'],
  ])('is done %s', (_, from, minutes, done) =>
    expect(told(workedAfter(at(from), minutes * MINUTE))).toBe(done),
  );
});

describe('a working day', () => {
  it.each([
    ['today', '2026-03-12T23:00', 0, '2026-03-12T09:30'],
    ['the one before a Sunday', '2026-03-15T10:00', 0, '2026-03-13T09:30'],
    ['the last before a Monday', '2026-03-16T10:00', -1, '2026-03-13T09:30'],
    ['the next after a Friday', '2026-03-13T10:00', 1, '2026-03-16T09:30'],
    ['five on', '2026-03-12T10:00', 5, '2026-03-19T09:30'],
  ])('is %s', (_, now, days, day) => expect(told(onWorkday(at(now), days, 9.5))).toBe(day));
});
