import type { Reader } from '#database/statements/statement.js';
import { bucketsOf, groupOfColumn } from '../facts/response-time-buckets.js';
import { sliced, slicedValues } from './sliced.queries.js';
import { slice, type Window } from './window-slices.js';

/** How many times were measured, and their exact median in seconds: 0 for none. */
export interface Times {
  count: number;
  median: number;
}

/** `all` answered turns; or `business`, those that began in business hours, measured in seconds of business hours. */
export type Kind = 'all' | 'business';

/** A bucket, or a group of them, and the turns in it. */
interface Counted {
  number: number;
  turns: number;
}

const COLUMNS = {
  all: { bucket: 'response_bucket', micros: 'response_us' },
  business: { bucket: 'business_bucket', micros: 'business_us' },
};

/** The response times of the turns whose inbound message is in the window. */
export async function readResponseTimes(
  tx: Reader,
  organizationId: string,
  window: Window,
  kind: Kind,
): Promise<Times> {
  const sample = { organizationId, window, kind };
  const groups = await readGroups(tx, sample);
  const count = groups.reduce((sum, { turns }) => sum + turns, 0);
  if (count === 0) return { count, median: 0 };
  const [low, high] = await readMiddle(
    tx,
    sample,
    placeOf(groups, Math.ceil(count / 2)),
    placeOf(groups, Math.floor(count / 2) + 1),
  );
  return { count, median: Number(low + high) / 2e6 };
}

interface Sample {
  organizationId: string;
  window: Window;
  kind: Kind;
}

/** The number of times per group of buckets, in the order of the times. */
function readGroups(tx: Reader, { organizationId, window, kind }: Sample): Promise<Counted[]> {
  const { bucket } = COLUMNS[kind];
  const periods = `SELECT bucket_group, turns FROM analytics_response_group WHERE organization_id = $1 AND kind = '${kind}'`;
  const facts = (from: string, to: string) => `
    SELECT ${groupOfColumn(bucket)}, 1 FROM analytics_turn
     WHERE organization_id = $1 AND inbound_at >= ${from} AND inbound_at < ${to} AND ${bucket} IS NOT NULL`;
  return tx.query<Counted>({
    name: `analytics_groups_${kind}`,
    text: `SELECT number, sum(turns)::int AS turns FROM (${sliced(periods, facts)}) parts (number, turns)
            GROUP BY number ORDER BY number`,
    values: slicedValues(organizationId, window),
  });
}

/** The number of times per bucket of a group, in order. In parts of a day each bucket is counted separately. */
function readBuckets(
  tx: Reader,
  { organizationId, window, kind }: Sample,
  group: number,
): Promise<Counted[]> {
  const { bucket, micros } = COLUMNS[kind];
  const { start_date, end_date } = window;
  const [[days, months], [monthsEnd, daysEnd]] = slice(window).days;
  const facts = (from: string, to: string) => `
    SELECT series.bucket, turns FROM generate_series($8::int, $9::int) AS series (bucket), LATERAL (
           SELECT count(*) AS turns FROM analytics_turn
            WHERE organization_id = $1 AND ${bucket} = series.bucket AND ${micros} IS NOT NULL
              AND inbound_at >= ${from} AND inbound_at < ${to}) counted`;
  const periods = `SELECT bucket, turns FROM analytics_response_bucket
                    WHERE organization_id = $1 AND kind = '${kind}' AND bucket_group = $10`;
  return tx.query<Counted>({
    name: `analytics_buckets_${kind}`,
    text: `SELECT number, sum(turns)::int AS turns
             FROM (${[
               facts('$2', '$3'),
               facts('$6', '$7'),
               `${periods} AND unit = 'day' AND at >= $3 AND at < $4`,
               `${periods} AND unit = 'day' AND at >= $5 AND at < $6`,
               `${periods} AND unit = 'month' AND at >= $4 AND at < $5`,
             ].join(' UNION ALL ')}) parts (number, turns)
            GROUP BY number ORDER BY number`,
    values: [
      organizationId,
      start_date,
      days,
      months,
      monthsEnd,
      daysEnd,
      end_date,
      ...bucketsOf(group),
      group,
    ],
  });
}

/** Where a time is: the number of its bucket or group, and how many times in it come before. */
interface Place {
  number: number;
  skipped: number;
}

/** The place of the time with this rank, counted from 1. */
function placeOf(counted: Counted[], rank: number): Place {
  let before = 0;
  for (const { number, turns } of counted) {
    if (rank <= before + turns) return { number, skipped: rank - before - 1 };
    before += turns;
  }
  throw new RangeError(`There are fewer than ${rank} times.`);
}

/** The times at two places in groups, the second not before the first. Mostly both are in one bucket. */
async function readMiddle(
  tx: Reader,
  sample: Sample,
  lowGroup: Place,
  highGroup: Place,
): Promise<[bigint, bigint]> {
  const groups = new Set([lowGroup.number, highGroup.number]);
  const buckets = await Promise.all([...groups].map((group) => readBuckets(tx, sample, group)));
  const low = placeOf(buckets[0]!, lowGroup.skipped + 1);
  const high = placeOf(buckets.at(-1)!, highGroup.skipped + 1);
  if (low.number === high.number) {
    const times = await readPlaced(tx, sample, low, high.skipped - low.skipped + 1);
    return [times[0]!, times.at(-1)!];
  }
  const [[lower], [upper]] = await Promise.all([
    readPlaced(tx, sample, low, 1),
    readPlaced(tx, sample, high, 1),
  ]);
  return [lower!, upper!];
}

/** `count` times in microseconds, in order, from a place on. */
async function readPlaced(
  tx: Reader,
  { organizationId, window, kind }: Sample,
  { number, skipped }: Place,
  count: number,
): Promise<bigint[]> {
  const { bucket: column, micros } = COLUMNS[kind];
  const rows = await tx.query<{ micros: string }>({
    name: `analytics_placed_${kind}`,
    text: `SELECT ${micros} AS micros FROM analytics_turn
            WHERE organization_id = $1 AND ${column} = $4 AND ${micros} IS NOT NULL
              AND inbound_at >= $2 AND inbound_at < $3
            ORDER BY ${micros} OFFSET $5 LIMIT $6`,
    values: [organizationId, window.start_date, window.end_date, number, skipped, count],
  });
  return rows.map((row) => BigInt(row.micros));
}
