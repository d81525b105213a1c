import type { Reader } from '#database/statements/statement.js';
import { bucketsOf, groupOfColumn } from '../facts/response-time-buckets.js';
import { readResponseTimes, type Times } from '../figures/response-times.queries.js';
import { slicedEach, slicedEachValues } from '../figures/sliced.queries.js';
import type { Window } from '../figures/window-slices.js';

/** The most turns of a window's middle group whose times are read; of more, their buckets are counted first. */
const MOST_READ = 2_000;

/** A group of buckets with a middle time of a window: the group's turns, those before it, and all of the window. */
interface Middle {
  number: number;
  bucket_group: number;
  turns: number;
  before: number;
  count: number;
}

const MIDDLES = `
  SELECT number, bucket_group, turns, before, count
    FROM (SELECT number, bucket_group, turns,
                 (sum(turns) OVER (PARTITION BY number ORDER BY bucket_group))::int - turns AS before,
                 (sum(turns) OVER (PARTITION BY number))::int AS count
            FROM (SELECT number, bucket_group, sum(turns)::int AS turns
                    FROM (${slicedEach(
                      `SELECT bucket_group, turns FROM analytics_response_group WHERE organization_id = $1 AND kind = 'all'`,
                      (from, to) => `SELECT ${groupOfColumn('response_bucket')}, 1 FROM analytics_turn
                         WHERE organization_id = $1 AND inbound_at >= ${from} AND inbound_at < ${to}`,
                    )}) parts (number, bucket_group, turns)
                   GROUP BY number, bucket_group HAVING sum(turns) > 0) grouped) ranked
   WHERE before <= count / 2 AND before + turns >= (count + 1) / 2`;

const PLACED = `
  SELECT middle.number, placed.micros
    FROM unnest($2::int[], $3::timestamptz[], $4::timestamptz[], $5::int[], $6::int[], $7::int[], $8::int[])
           AS middle (number, begins, ends, first, last, skipped, wanted)
   CROSS JOIN LATERAL (
         SELECT response_us AS micros FROM generate_series(middle.first, middle.last) AS series (bucket) CROSS JOIN LATERAL (
                SELECT response_us FROM analytics_turn
                 WHERE organization_id = $1 AND response_bucket = series.bucket
                   AND inbound_at >= middle.begins AND inbound_at < middle.ends OFFSET 0) turn
          ORDER BY micros OFFSET middle.skipped LIMIT middle.wanted) placed`;

/**
 * The response times of each of many windows, where there are any. As `readResponseTimes`, but the times of a window's middle
 * group are read at once, since most windows have few.
 */
export async function readResponseTimesEach(
  tx: Reader,
  organizationId: string,
  windows: Window[],
  mostRead = MOST_READ,
): Promise<Map<number, Times>> {
  const values = slicedEachValues(organizationId, windows);
  const middles = await tx.query<Middle>({ name: 'analytics_middles', text: MIDDLES, values });
  const large = new Set(middles.filter(({ turns }) => turns > mostRead).map(({ number }) => number));
  const [placed, ...times] = await Promise.all([
    readPlaced(
      tx,
      organizationId,
      windows,
      middles.filter(({ number }) => !large.has(number)),
    ),
    ...[...large].map(async (number): Promise<[number, Times]> => [
      number,
      await readResponseTimes(tx, organizationId, windows[number]!, 'all'),
    ]),
  ]);
  return new Map([...placed, ...times]);
}

async function readPlaced(
  tx: Reader,
  organizationId: string,
  windows: Window[],
  middles: Middle[],
): Promise<Map<number, Times>> {
  const places = middles.map(placeOf);
  const ranges = middles.map(({ bucket_group }) => bucketsOf(bucket_group));
  const rows = await tx.query<{ number: number; micros: string }>({
    name: 'analytics_placed_each',
    text: PLACED,
    values: [
      organizationId,
      middles.map(({ number }) => number),
      middles.map(({ number }) => windows[number]!.start_date),
      middles.map(({ number }) => windows[number]!.end_date),
      ranges.map(([first]) => first),
      ranges.map(([, last]) => last),
      places.map(({ skipped }) => skipped),
      places.map(({ wanted }) => wanted),
    ],
  });
  const found = new Map<number, bigint[]>();
  for (const { number, micros } of rows) found.set(number, [...(found.get(number) ?? []), BigInt(micros)]);
  return new Map(
    middles.map(({ number, count }) => [number, { count, median: medianOf(found.get(number)!) }]),
  );
}

/** Which of the group's times are a middle one of the window: one or both, or each of two groups has one. */
function placeOf({ turns, before, count }: Middle): { skipped: number; wanted: number } {
  const low = Math.max(Math.ceil(count / 2) - before, 1);
  const high = Math.min(Math.floor(count / 2) + 1 - before, turns);
  return { skipped: low - 1, wanted: high - low + 1 };
}

/** Of one or two middle times in microseconds, in seconds. */
function medianOf(times: bigint[]): number {
  return Number(times[0]! + times.at(-1)!) / 2e6;
}
