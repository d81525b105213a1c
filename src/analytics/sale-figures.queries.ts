import type { Reader } from '#database/statement.js';
import type { Instant } from '#kernel/instant.js';
import type { Decimal } from '#kernel/money.js';
import type { StageRow } from '../workspace/workspace.contract.js';
import { EVERYBODY } from './sale-counts.js';
import { sliced, slicedValues } from './sliced.queries.js';
import { beginningOf, type Window } from './slices.js';

export type AcceptedColumn = 'accepted_at' | 'labelled_accepted_at';

/** Where sales are counted that have such an instant. */
export const ACCEPTED_COUNTER = {
  accepted_at: 'accepted',
  labelled_accepted_at: 'labelled_accepted',
} as const;

/** The column that says when a sale was first accepted: by the tag of the stage, or its label where none is tagged. */
export const acceptedColumn = (stages: StageRow[]): AcceptedColumn =>
  stages.some(({ status }) => status === 'accepted') ? 'accepted_at' : 'labelled_accepted_at';

export interface StageFigures {
  volume: number;
  /** Of the quotes in all currencies. */
  value: Decimal;
  /** By currency, of the quotes there are. */
  values: { currency: string; value: Decimal }[];
}

interface StageRowOfWindow {
  status_id: string;
  currency: string | null;
  is_total: number;
  volume: number;
  value: Decimal;
}

/** What is counted before the hour of the instant $n, by whole months, days and hours; $n + 1 to $n + 3 are the beginnings of its hour, day and month. */
const whole = (columns: string, n: number): string =>
  [
    `unit = 'month' AND at < $${n + 3}`,
    `unit = 'day' AND at >= $${n + 3} AND at < $${n + 2}`,
    `unit = 'hour' AND at >= $${n + 2} AND at < $${n + 1}`,
  ]
    .map(
      (periods) => `
    SELECT status_id, currency, decimals, ${columns} FROM analytics_stay_period
     WHERE organization_id = $1 AND owner_id = $2 AND ${periods}`,
    )
    .join(' UNION ALL ');

/** Stays one by one, of the owner $2 or of all. */
const single = (sign: string, ofOwner: boolean, within: string): string => `
    SELECT status_id, coalesce(currency, ''), coalesce(scale(total_price), 0), ${sign}1, ${sign}coalesce(total_price * 10000, 0)
      FROM analytics_stay WHERE organization_id = $1 ${ofOwner ? 'AND owner_id = $2' : ''} AND ${within}`;

/**
 * A stay overlaps the window when it has begun before the window's end and has not ended by its beginning. No stay ends
 * before it begins, so those are all that have begun before the end, less all that have ended by the beginning: two
 * sums from the first day on, whatever the length of the window.
 */
const pipelineOf = (ofOwner: boolean): string => `
  SELECT status_id, currency, grouping(currency) AS is_total, sum(stays)::int AS volume, coalesce(sum(value), 0)::text AS value
    FROM (SELECT status_id, nullif(currency, '') AS currency, sum(stays) AS stays,
                 CASE WHEN currency <> '' THEN round(sum(units) * 0.0001, decimals) END AS value
            FROM (${[
              whole('begun AS stays, begun_units AS units', 7),
              single('', ofOwner, 'entered_at >= $8 AND entered_at < $7'),
              whole('-ended, -ended_units', 3),
              single('-', ofOwner, 'left_at >= $4 AND left_at <= $3'),
            ].join(' UNION ALL ')}) parts (status_id, currency, decimals, stays, units)
           GROUP BY parts.status_id, parts.currency, decimals HAVING sum(stays) > 0) present
   GROUP BY GROUPING SETS ((status_id), (status_id, currency))
   ORDER BY currency`;

const PIPELINE = pipelineOf(false);
const PIPELINE_OF_OWNER = pipelineOf(true);

/** An instant and the beginnings of its hour, day and month. */
const withPeriods = (instant: Instant): Instant[] => [
  instant,
  ...(['hour', 'day', 'month'] as const).map((unit) => beginningOf(unit, instant)),
];

/** Sales that were in each stage for some of the window, by the stage's id; `ownerId`: only an agent's. */
export async function readPipeline(
  tx: Reader,
  organizationId: string,
  { start_date, end_date }: Window,
  ownerId: string | null,
): Promise<Map<string, StageFigures>> {
  const rows = await tx.query<StageRowOfWindow>({
    name: ownerId === null ? 'analytics_pipeline' : 'analytics_pipeline_of_agent',
    text: ownerId === null ? PIPELINE : PIPELINE_OF_OWNER,
    values: [organizationId, ownerId ?? EVERYBODY, ...withPeriods(start_date), ...withPeriods(end_date)],
  });
  const totals = rows.filter(({ is_total }) => is_total === 1);
  return new Map(
    totals.map(({ status_id, volume, value }) => {
      const ofStage = rows.filter((row) => row.status_id === status_id && row.currency !== null);
      return [
        status_id,
        { volume, value, values: ofStage.map((row) => ({ currency: row.currency!, value: row.value })) },
      ];
    }),
  );
}

/** Sales created in the window, and how many of them were ever accepted; `ownerId`: only an agent's. */
export async function readCreatedSales(
  tx: Reader,
  organizationId: string,
  window: Window,
  acceptedAt: AcceptedColumn,
  ownerId: string | null,
): Promise<{ created: number; accepted: number }> {
  const ofOwner = ownerId === null ? '' : 'AND owner_id = $16';
  const periods = `SELECT created, ${ACCEPTED_COUNTER[acceptedAt]} FROM analytics_sale_period
                    WHERE organization_id = $1 AND owner_id = $16`;
  const facts = (from: string, to: string) => `
    SELECT count(*), count(${acceptedAt}) FROM analytics_sale
     WHERE organization_id = $1 AND created_at >= ${from} AND created_at < ${to} ${ofOwner}`;
  const [row] = await tx.query<{ created: number; accepted: number }>({
    name: `analytics_created_sales_${acceptedAt}${ownerId === null ? '' : '_of_agent'}`,
    text: `SELECT coalesce(sum(created), 0)::int AS created, coalesce(sum(accepted), 0)::int AS accepted
             FROM (${sliced(periods, facts)}) parts (created, accepted)`,
    values: [...slicedValues(organizationId, window), ownerId ?? EVERYBODY],
  });
  return row!;
}
