import type { Reader } from '#database/statements/statement.js';
import { bucketsOf, groupOfColumn } from '../facts/response-time-buckets.js';
import { arrayOf, byCuts, byCutsValues } from '../figures/by-cuts.queries.js';
import type { CutParts } from '../figures/cut-parts.js';
import { readResponseTimes, type Times } from '../figures/response-times.queries.js';
import type { Window } from '../figures/window-slices.js';

/** The most turns of a bucket's middle group whose times are read; of more, their buckets are counted first. */
const MOST_READ = 2_000;

/** A group of times with a middle one of a bucket: the group's turns, those before it, and all of the bucket. */
interface Middle {
  number: number;
  bucket_group: number;
  turns: number;
  before: number;
  count: number;
}

/** The groups of each bucket and their turns, as two lists in one order: a row for each group would cost twice as much. */
const GROUPS = `
  SELECT number, array_agg(bucket_group)::text AS groups, array_agg(turns)::text AS turns
    FROM (SELECT number, bucket_group, sum(sign * turns)::int AS turns
            FROM (${byCuts({
              columns: 'bucket_group, turns',
              periods: `analytics_response_group WHERE organization_id = $1 AND kind = 'all'`,
              facts: (from, to) => `SELECT ${groupOfColumn('response_bucket')}, 1 FROM analytics_turn
                 WHERE organization_id = $1 AND inbound_at >= ${from} AND inbound_at < ${to}`,
            })}) parts (number, sign, bucket_group, turns)
           GROUP BY number, bucket_group HAVING sum(sign * turns) > 0) grouped
   GROUP BY number`;

const [FIRST_OF_GROUP, LAST_OF_GROUP] = bucketsOf(0);
const BUCKETS = Array.from({ length: LAST_OF_GROUP - FIRST_OF_GROUP + 1 }, (_, nr) => `middle.first + ${nr}`);

const PLACED = `
  SELECT middle.number, placed.micros
    FROM unnest($2::int[], $3::timestamptz[], $4::timestamptz[], $5::int[], $6::int[], $7::int[])
           AS middle (number, begins, ends, first, skipped, wanted)
   CROSS JOIN LATERAL (
         SELECT response_us AS micros FROM analytics_turn
          WHERE organization_id = $1 AND response_bucket = ANY (ARRAY[${BUCKETS.join(', ')}])
            AND inbound_at >= middle.begins AND inbound_at < middle.ends
          ORDER BY micros OFFSET middle.skipped LIMIT middle.wanted) placed`;

/**
 * The response times of each bucket, where there are any. As `readResponseTimes`, but the times of a bucket's middle group are
 * read at once, since most have few.
 */
export async function readResponseTimesEach(
  tx: Reader,
  organizationId: string,
  windows: Window[],
  parts: CutParts,
  mostRead = MOST_READ,
): Promise<Map<number, Times>> {
  const values = byCutsValues(organizationId, parts);
  const rows = await tx.query<{ number: number; groups: string; turns: string }>({
    name: 'analytics_groups_each',
    text: GROUPS,
    values,
  });
  const middles = rows.flatMap(({ number, groups, turns }) =>
    middlesOf(number, listOf(groups), listOf(turns)),
  );
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

const listOf = (array: string): number[] => JSON.parse(`[${array.slice(1, -1)}]`) as number[];

/** The one or two groups in which a bucket's middle times are. */
function middlesOf(number: number, groups: number[], turns: number[]): Middle[] {
  const ofGroup = new Map(groups.map((group, nr) => [group, turns[nr]!]));
  const count = turns.reduce((sum, one) => sum + one, 0);
  const middles: Middle[] = [];
  let before = 0;
  for (const bucket_group of groups.sort((one, other) => one - other)) {
    const own = ofGroup.get(bucket_group)!;
    if (before <= count / 2 && before + own >= Math.ceil(count / 2))
      middles.push({ number, bucket_group, turns: own, before, count });
    before += own;
  }
  return middles;
}

async function readPlaced(
  tx: Reader,
  organizationId: string,
  windows: Window[],
  middles: Middle[],
): Promise<Map<number, Times>> {
  const places = middles.map(placeOf);
  const rows = await tx.query<{ number: number; micros: string }>({
    name: 'analytics_placed_each',
    text: PLACED,
    values: [
      organizationId,
      ...[
        middles.map(({ number }) => number),
        middles.map(({ number }) => windows[number]!.start_date),
        middles.map(({ number }) => windows[number]!.end_date),
        middles.map(({ bucket_group }) => bucketsOf(bucket_group)[0]),
        places.map(({ skipped }) => skipped),
        places.map(({ wanted }) => wanted),
      ].map(arrayOf),
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
