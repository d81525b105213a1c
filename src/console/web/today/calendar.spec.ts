import { choiceOf, intervalsOf, spansOf } from './calendar.js';

const choice = (query: string) => choiceOf(new URLSearchParams(query));
const spans = (query: string, zone: string, at: string) => spansOf(choice(query), zone, Date.parse(at));
const span = (start_date: string, end_date: string) => ({ start_date, end_date });

describe('the window of the address', () => {
  it.each([
    ['', { window: '30d', interval: 'day' }],
    ['window=nonsense&interval=century', { window: '30d', interval: 'day' }],
    ['window=13w', { window: '13w', interval: 'week' }],
    ['window=12m', { window: '12m', interval: 'month' }],
    ['window=12m&interval=day', { window: '12m', interval: 'day' }],
    ['window=7d&interval=month', { window: '7d', interval: 'day' }],
    [
      'from=2026-01-01&to=2026-03-31',
      { window: null, from: '2026-01-01', to: '2026-03-31', interval: 'week' },
    ],
    ['from=2026-03-31&to=2026-01-01', { window: '30d', from: null }],
    ['from=2026-13-01&to=2026-13-31', { window: '30d', from: null }],
  ])('%s', (query, expected) => expect(choice(query)).toMatchObject(expected));

  it('offers no interval that makes too many buckets, or only one', () => {
    expect(intervalsOf(choice('from=2020-01-01&to=2025-12-31'))).toEqual(['week', 'month']);
    expect(intervalsOf(choice('from=2026-01-01&to=2026-01-07'))).toEqual(['day']);
    expect(intervalsOf(choice('from=2025-01-01&to=2025-12-31'))).toEqual(['day', 'week', 'month']);
  });
});

describe('a window', () => {
  it('ends with this minute, and the one before as many days earlier at the same time', () =>
    expect(spans('window=7d', 'Europe/Berlin', '2026-06-10T12:34:56.789Z')).toEqual({
      now: span('2026-06-03T22:00:00.000Z', '2026-06-10T12:35:00.000Z'),
      before: span('2026-05-27T22:00:00.000Z', '2026-06-03T12:35:00.000Z'),
    }));

  it('begins on a Monday where it is cut by weeks', () =>
    expect(spans('window=13w', 'UTC', '2026-06-10T12:00:00.000Z').now.start_date).toBe(
      '2026-03-16T00:00:00.000Z',
    ));

  it('is compared with the month before until its last day, where that is shorter', () =>
    expect(spans('from=2026-03-01&to=2026-03-31&interval=day', 'UTC', '2026-05-01T00:00:00Z')).toEqual({
      now: span('2026-03-01T00:00:00.000Z', '2026-04-01T00:00:00.000Z'),
      before: span('2026-01-29T00:00:00.000Z', '2026-03-01T00:00:00.000Z'),
    }));

  it('has whole months, however long they are', () =>
    expect(spans('window=12m', 'UTC', '2026-03-31T10:00:00.000Z')).toEqual({
      now: span('2025-04-01T00:00:00.000Z', '2026-03-31T10:01:00.000Z'),
      before: span('2024-04-01T00:00:00.000Z', '2025-03-31T10:01:00.000Z'),
    }));

  it.each([
    ['which clocks jump over at midnight', 'Africa/Cairo', '2026-04-24', '2026-04-23T22:00:00.000Z'],
    ['that is followed by a change of clocks', 'Europe/Berlin', '2026-03-29', '2026-03-28T23:00:00.000Z'],
    ['to which clocks go back', 'Africa/Cairo', '2026-10-30', '2026-10-29T22:00:00.000Z'],
  ])('begins with the first instant of a day %s', (_, zone, day, start) =>
    expect(spans(`from=${day}&to=${day}`, zone, '2026-12-01T00:00:00Z').now.start_date).toBe(start),
  );

  it('ends now, if its last day is still to come', () =>
    expect(spans('from=2026-06-01&to=2026-06-30', 'UTC', '2026-06-10T12:00:00.000Z').now.end_date).toBe(
      '2026-06-10T12:01:00.000Z',
    ));
});
