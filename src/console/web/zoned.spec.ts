import { clockIn, instantAt } from './zoned.js';

describe('A clock in a zone', () => {
  it.each([
    ['Europe/Berlin', '2026-01-15T09:00', '2026-01-15T08:00:00.000Z'],
    ['Europe/Berlin', '2026-07-15T09:00', '2026-07-15T07:00:00.000Z'],
    ['America/New_York', '2026-03-08T00:30', '2026-03-08T05:30:00.000Z'],
    ['America/New_York', '2026-03-08T23:30', '2026-03-09T03:30:00.000Z'],
    ['Asia/Kathmandu', '2026-01-01T00:00', '2025-12-31T18:15:00.000Z'],
    ['UTC', '2026-01-01T00:00', '2026-01-01T00:00:00.000Z'],
  ])('of %s shows %s at %s, and that is when it does', (zone, clock, instant) => {
    expect(clockIn(zone, new Date(instant))).toBe(clock);
    expect(instantAt(zone, clock).toISOString()).toBe(instant);
  });
});
