import type { Transaction } from '#database/statement.js';
import { groupOfColumn, WHOLE } from './buckets.js';
import { sliced, slicedValues } from './sliced.queries.js';
import type { Window } from './slices.js';

/** How many times were measured, and their exact median in seconds: 0 for none. */
export interface Times {
  count: number;
  median: number;
}

/** Of all answered turns, or of those that began in business hours, in seconds of business hours. */
export type Kind = 'all' | 'business';

/** A bucket, or a group of them. */
interface Bucket {
  bucket: number;
  turns: number;
}

const COLUMNS = {
  all: { bucket: 'response_bucket', micros: 'response_us' },
  business: { bucket: 'business_bucket', micros: 'business_us' },
};

/** The response times of the turns whose inbound message is in the window. */
export async function readResponseTimes(
  tx: Transaction,
  organizationId: string,
  window: Window,
  kind: Kind,
): Promise<Times> {
  const sample = { organizationId, window, kind };
  const groups = await readBuckets(tx, sample, WHOLE);
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

/** How many times there are per group, or per bucket of this group, in their order and so that of the times. */
function readBuckets(
  tx: Transaction,
  { organizationId, window, kind }: Sample,
  partOf: number,
): Promise<Bucket[]> {
  const { bucket } = COLUMNS[kind];
  const group = groupOfColumn(bucket);
  const periods = `SELECT bucket, turns FROM analytics_response_time
                    WHERE organization_id = $1 AND kind = '${kind}' AND part_of = $16`;
  const facts = (from: string, to: string) => `
    SELECT CASE WHEN $16 = ${WHOLE} THEN ${group} ELSE ${bucket} END, 1 FROM analytics_turn
     WHERE organization_id = $1 AND inbound_at >= ${from} AND inbound_at < ${to} AND ${bucket} IS NOT NULL
       AND $16 IN (${WHOLE}, ${group})`;
  return tx.query<Bucket>({
    name: `analytics_buckets_${kind}`,
    text: `SELECT bucket, sum(turns)::int AS turns FROM (${sliced(periods, facts)}) parts (bucket, turns)
            GROUP BY bucket ORDER BY bucket`,
    values: [...slicedValues(organizationId, window), partOf],
  });
}

/** Where a time is: its bucket or group, and how many times of that are before it. */
interface Place {
  bucket: number;
  skipped: number;
}

/** The place of the time of this rank, the first being 1. */
function placeOf(buckets: Bucket[], rank: number): Place {
  let before = 0;
  for (const { bucket, turns } of buckets) {
    if (rank <= before + turns) return { bucket, skipped: rank - before - 1 };
    before += turns;
  }
  throw new RangeError(`There are fewer than ${rank} times.`);
}

/** The times at two places in groups, of which the second is not before the first; mostly they are in one bucket. */
async function readMiddle(
  tx: Transaction,
  sample: Sample,
  lowGroup: Place,
  highGroup: Place,
): Promise<[bigint, bigint]> {
  const groups = new Set([lowGroup.bucket, highGroup.bucket]);
  const buckets = await Promise.all([...groups].map((group) => readBuckets(tx, sample, group)));
  const low = placeOf(buckets[0]!, lowGroup.skipped + 1);
  const high = placeOf(buckets.at(-1)!, highGroup.skipped + 1);
  if (low.bucket === high.bucket) {
    const times = await readPlaced(tx, sample, low, high.skipped - low.skipped + 1);
    return [times[0]!, times.at(-1)!];
  }
  const [[lower], [upper]] = await Promise.all([
    readPlaced(tx, sample, low, 1),
    readPlaced(tx, sample, high, 1),
  ]);
  return [lower!, upper!];
}

/** So many times in microseconds, in their order, from a place on. */
async function readPlaced(
  tx: Transaction,
  { organizationId, window, kind }: Sample,
  { bucket, skipped }: Place,
  count: number,
): Promise<bigint[]> {
  const { bucket: column, micros } = COLUMNS[kind];
  const rows = await tx.query<{ micros: string }>({
    name: `analytics_placed_${kind}`,
    text: `SELECT ${micros} AS micros FROM analytics_turn
            WHERE organization_id = $1 AND ${column} = $4 AND ${micros} IS NOT NULL
              AND inbound_at >= $2 AND inbound_at < $3
            ORDER BY ${micros} OFFSET $5 LIMIT $6`,
    values: [organizationId, window.start_date, window.end_date, bucket, skipped, count],
  });
  return rows.map((row) => BigInt(row.micros));
}
