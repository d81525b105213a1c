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

  it.each([
    ['Europe/Berlin', '2026-03-29T02:30', '2026-03-29T03:30'],
    ['America/New_York', '2026-03-08T02:30', '2026-03-08T03:30'],
    ['America/Los_Angeles', '2026-03-08T02:00', '2026-03-08T03:00'],
    ['America/Santiago', '2026-09-06T00:15', '2026-09-06T01:15'],
    ['Australia/Lord_Howe', '2026-10-04T02:10', '2026-10-04T02:40'],
    ['Pacific/Apia', '2011-12-30T12:00', '2011-12-31T12:00'],
  ])('of %s that skips %s goes forward, to %s', (zone, skipped, next) =>
    expect(clockIn(zone, instantAt(zone, skipped))).toBe(next),
  );

  it.each([
    ['Europe/Berlin', '2026-10-25T02:30', '2026-10-25T00:30:00.000Z'],
    ['America/New_York', '2026-11-01T01:30', '2026-11-01T05:30:00.000Z'],
    ['Australia/Lord_Howe', '2026-04-05T01:45', '2026-04-04T14:45:00.000Z'],
  ])('of %s that shows %s twice does so first at %s', (zone, clock, instant) =>
    expect(instantAt(zone, clock).toISOString()).toBe(instant),
  );
});
