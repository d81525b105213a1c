import type { Database } from '#database/database.js';
import { plusSeconds } from '#kernel/instant.js';
import { testDatabase, type TestDatabase } from '../../../test/support/database/postgres.js';
import { BusinessHours, type OpeningHours } from './business-hours.js';

let test: TestDatabase;
let database: Database;
beforeAll(async () => {
  test = await testDatabase();
  database = test.database;
});
afterAll(() => test.close());

/** The minutes of some days whose local time, as PostgreSQL tells it, is within the hours. */
async function openMinutes(zone: string, { days, from, to }: OpeningHours, start: string, minutes: number) {
  const rows = await database.query<{ minute: number }>({
    text: `SELECT minute FROM generate_series(0, $2::int - 1) AS minute,
                  LATERAL (SELECT ($1::timestamptz + minute * interval '1 minute') AT TIME ZONE $3 AS local) l
            WHERE extract(isodow FROM local) = ANY ($4::int[]) AND local::time >= $5::time AND local::time < $6::time`,
    values: [start, minutes, zone, days, from, to],
  });
  return new Set(rows.map(({ minute }) => minute));
}

const HOURS: OpeningHours[] = [
  { days: [1, 2, 3, 4, 5], from: '09:00', to: '17:00' },
  { days: [7], from: '01:30', to: '02:30' },
  { days: [1, 6, 7], from: '00:00', to: '23:59' },
];

describe('business hours are what PostgreSQL says of every minute', () => {
  it.each([
    ['America/New_York', '2026-03-06T00:00:00.000000Z'],
    ['America/New_York', '2026-10-30T00:00:00.000000Z'],
    ['Europe/Berlin', '2026-03-27T00:00:00.000000Z'],
    ['Europe/Berlin', '2026-10-23T00:00:00.000000Z'],
    ['Australia/Lord_Howe', '2026-04-03T00:00:00.000000Z'],
    ['Africa/Casablanca', '2026-02-13T00:00:00.000000Z'],
  ])('%s, five days from %s', async (zone, start) => {
    const minutes = 5 * 24 * 60;
    const at = (minute: number) => plusSeconds(start, minute * 60);
    for (const opening of HOURS) {
      const open = await openMinutes(zone, opening, start, minutes);
      const hours = new BusinessHours(zone, opening);
      let seconds = 0;
      for (let minute = 0; minute <= minutes; minute += 30) {
        expect([at(minute), hours.isOpen(at(minute))]).toEqual([
          at(minute),
          minute < minutes ? open.has(minute) : expect.anything(),
        ]);
        expect([at(minute), Number(hours.microsBetween(start, at(minute))) / 1e6]).toEqual([
          at(minute),
          seconds,
        ]);
        for (let one = minute; one < minute + 30; one++) if (open.has(one)) seconds += 60;
      }
    }
  });
});
