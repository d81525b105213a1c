import { type Instant, microsBetween } from '#kernel/instant.js';
import { randomFrom } from '../../../test/support/random.js';
import { cutByCalendar, type Interval, INTERVALS } from '../facts/calendar.js';
import { type Correction, cutParts } from './cut-parts.js';

const seed = Number(process.env['PARLEY_SEED'] ?? Math.floor(Math.random() * 2 ** 31));
const ZONES = [
  'UTC',
  'America/New_York',
  'Europe/Berlin',
  'Asia/Kolkata',
  'Australia/Lord_Howe',
  'Pacific/Apia',
];

const partsOf = (interval: Interval, zone: string, start_date: Instant, end_date: Instant) =>
  cutParts(cutByCalendar(interval, zone, { start_date, end_date }, 400)!, interval);

/** Microseconds, negative where the second instant is the earlier one. */
const length = (from: Instant, to: Instant): bigint =>
  from <= to ? microsBetween(from, to) : -microsBetween(to, from);

it('has in each bucket as much time as there is between its cuts', () => {
  const random = randomFrom(seed);
  for (let nr = 0; nr < 300; nr++) {
    const [[interval], [zone]] = [random.sample(INTERVALS, 1), random.sample(ZONES, 1)];
    const from = Date.UTC(2025, 0, 1) + random.integer(0, 400 * 86_400_000);
    const longest = { hour: 3, day: 300, week: 500, month: 900 }[interval!];
    const to = from + random.integer(1, longest * 86_400_000);
    const [start, end] = [from, to].map((time) => `${new Date(time).toISOString().slice(0, -1)}007Z`);
    const cuts = cutByCalendar(interval!, zone!, { start_date: start!, end_date: end! }, 400)!;
    const { nearest, days, hours, edges } = cutParts(cuts, interval!);
    const corrections = [...days, ...hours, ...edges];
    const lengths = cuts
      .slice(1)
      .map((_, bucket) =>
        corrections
          .filter(({ number }) => number === bucket)
          .reduce(
            (sum, { sign, begins, ends }) => sum + BigInt(sign) * length(begins, ends),
            length(nearest[bucket]!, nearest[bucket + 1]!),
          ),
      );
    const expected = cuts.slice(1).map((cut, bucket) => length(cuts[bucket]!, cut));
    expect([`PARLEY_SEED=${seed}`, lengths]).toEqual([`PARLEY_SEED=${seed}`, expected]);
  }
});

const spansOf = (corrections: Correction[]) =>
  corrections.map(({ number, sign, begins, ends }) => [number, sign, begins.slice(5, 16), ends.slice(5, 16)]);

it('takes days from the nearer midnight of UTC, and corrects both buckets at a cut by hours', () => {
  const parts = partsOf(
    'day',
    'America/New_York',
    '2026-06-01T04:00:00.000000Z',
    '2026-06-03T04:00:00.000000Z',
  );
  expect(parts.nearest.map((at) => at.slice(5, 16))).toEqual(['06-01T00:00', '06-02T00:00', '06-03T00:00']);
  expect(spansOf(parts.hours)).toEqual([
    [0, -1, '06-01T00:00', '06-01T04:00'],
    [0, 1, '06-02T00:00', '06-02T04:00'],
    [1, -1, '06-02T00:00', '06-02T04:00'],
    [1, 1, '06-03T00:00', '06-03T04:00'],
  ]);
  expect([parts.unit, parts.days, parts.edges]).toEqual(['day', [], []]);
});

it('stays below the year 10000', () => {
  const { nearest, edges, hours } = partsOf(
    'month',
    'UTC',
    '9999-11-30T23:59:59.000000Z',
    '9999-12-31T23:59:59.999999Z',
  );
  expect(nearest.at(-1)).toBe('9999-12-01T00:00:00.000000Z');
  expect([...edges, ...hours].every(({ begins, ends }) => begins < ends && ends < '9999-12-31T24')).toBe(
    true,
  );
});
