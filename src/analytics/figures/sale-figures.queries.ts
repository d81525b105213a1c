import { groupBy } from '#event-store/group-by.js';
import type { Reader } from '#database/statements/statement.js';
import type { Instant } from '#kernel/instant.js';
import type { Decimal } from '#kernel/money.js';
import type { StageRow } from '../../workspace/workspace.contract.js';
import { EVERYBODY } from '../rollups/sale-counts.js';
import { byNumber } from './conversation-figures.queries.js';
import { AFTER_CUTS, byCuts, byCutsValues, type Counted } from './by-cuts.queries.js';
import type { CutParts } from './cut-parts.js';
import { ofEach, sliced, slicedValues } from './sliced.queries.js';
import { beginningOf, type Window } from './window-slices.js';

export type AcceptedColumn = 'accepted_at' | 'labelled_accepted_at';

/** The counter for sales that have this instant. */
export const ACCEPTED_COUNTER = {
  accepted_at: 'accepted',
  labelled_accepted_at: 'labelled_accepted',
} as const;

/** The column with the first acceptance of a sale: by the stage's tag, or by its label where no stage has the tag. */
export const acceptedColumn = (stages: StageRow[]): AcceptedColumn =>
  stages.some(({ status }) => status === 'accepted') ? 'accepted_at' : 'labelled_accepted_at';

export interface StageFigures {
  volume: number;
  /** The sum of the quotes in all currencies. */
  value: Decimal;
  /** The sums by currency. */
  values: { currency: string; value: Decimal }[];
}

interface StageRowOfWindow {
  status_id: string;
  currency: string | null;
  is_total: number;
  volume: number;
  value: Decimal;
}

/**
 * What is counted before the hour of the instant $n, from whole months, days and hours. Parameters $n + 1 to $n + 3 are the
 * beginnings of the instant's hour, day and month.
 */
const whole = (columns: string, n: number, owner: string): string =>
  [
    `unit = 'month' AND at < $${n + 3}`,
    `unit = 'day' AND at >= $${n + 3} AND at < $${n + 2}`,
    `unit = 'hour' AND at >= $${n + 2} AND at < $${n + 1}`,
  ]
    .map(
      (periods) => `
    SELECT status_id, currency, decimals, ${columns} FROM analytics_stay_period
     WHERE organization_id = $1 AND owner_id = ${owner} AND ${periods}`,
    )
    .join(' UNION ALL ');

/** Counts single stays, of the owner or, with null, of all. */
const single = (sign: string, owner: string | null, within: string): string => `
    SELECT status_id, coalesce(currency, ''), coalesce(scale(total_price), 0), ${sign}1, ${sign}coalesce(total_price * 10000, 0)
      FROM analytics_stay WHERE organization_id = $1 ${owner === null ? '' : `AND owner_id = ${owner}`} AND ${within}`;

/**
 * The number of stays that overlap the window: those begun before its end, less those ended by its beginning. That is all,
 * as no stay ends before it begins. So two sums from the first day on give it, however long the window is.
 */
const pipelineOf = (owner: string | null): string => `
  SELECT status_id, currency, grouping(currency) AS is_total, sum(stays)::int AS volume, coalesce(sum(value), 0)::text AS value
    FROM (SELECT status_id, nullif(currency, '') AS currency, sum(stays) AS stays,
                 CASE WHEN currency <> '' THEN round(sum(units) * 0.0001, decimals) END AS value
            FROM (${[
              whole('begun AS stays, begun_units AS units', 7, owner ?? '$2'),
              single('', owner, 'entered_at >= $8 AND entered_at < $7'),
              whole('-ended, -ended_units', 3, owner ?? '$2'),
              single('-', owner, 'left_at >= $4 AND left_at <= $3'),
            ].join(' UNION ALL ')}) parts (status_id, currency, decimals, stays, units)
           GROUP BY parts.status_id, parts.currency, decimals HAVING sum(stays) > 0) present
   GROUP BY GROUPING SETS ((status_id), (status_id, currency))
   ORDER BY currency`;

const PIPELINE = pipelineOf(null);
const PIPELINE_OF_OWNER = pipelineOf('$2');
const PIPELINES = ofEach('$2', pipelineOf('agent.id'));

/** The instant, then the beginnings of its hour, day and month. */
const withPeriods = (instant: Instant): Instant[] => [
  instant,
  ...(['hour', 'day', 'month'] as const).map((unit) => beginningOf(unit, instant)),
];

/** The sales in each stage for some part of the window, by stage id; with `ownerId` only that agent's. */
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
  return figuresOf(rows);
}

/** The same for each of these agents who has any, by the agent's id. */
export async function readPipelines(
  tx: Reader,
  organizationId: string,
  { start_date, end_date }: Window,
  ownerIds: string[],
): Promise<Map<string, Map<string, StageFigures>>> {
  const rows = await tx.query<StageRowOfWindow & { id: string }>({
    name: 'analytics_pipelines_of_agents',
    text: PIPELINES,
    values: [organizationId, ownerIds, ...withPeriods(start_date), ...withPeriods(end_date)],
  });
  return new Map(groupBy(rows, ({ id }) => id).map(([id, own]) => [id, figuresOf(own)]));
}

function figuresOf(rows: StageRowOfWindow[]): Map<string, StageFigures> {
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

/** Sales that were created, and how many of them were ever accepted. */
export interface CreatedSales {
  created: number;
  accepted: number;
}

const countCreated = ({ columns, periods, facts }: Counted): string => `
  SELECT coalesce(sum(created), 0)::int AS created, coalesce(sum(accepted), 0)::int AS accepted
    FROM (${sliced(`SELECT ${columns} FROM ${periods}`, facts)}) parts (created, accepted)`;

/** What to count of an owner, an SQL expression; `ofOwner`: it is an agent, and not everybody. */
const createdSales = (acceptedAt: AcceptedColumn, owner: string, ofOwner: boolean): Counted => ({
  columns: `created, ${ACCEPTED_COUNTER[acceptedAt]}`,
  periods: `analytics_sale_period WHERE organization_id = $1 AND owner_id = ${owner}`,
  facts: (from: string, to: string) => `
    SELECT count(*), count(${acceptedAt}) FROM analytics_sale
     WHERE organization_id = $1 AND created_at >= ${from} AND created_at < ${to} ${ofOwner ? `AND owner_id = ${owner}` : ''}`,
});

/** The sales created in the window, and how many of them were ever accepted; with `ownerId` only that agent's. */
export async function readCreatedSales(
  tx: Reader,
  organizationId: string,
  window: Window,
  acceptedAt: AcceptedColumn,
  ownerId: string | null,
): Promise<CreatedSales> {
  const created = createdSales(acceptedAt, '$16', ownerId !== null);
  const [row] = await tx.query<CreatedSales>({
    name: `analytics_created_sales_${acceptedAt}${ownerId === null ? '' : '_of_agent'}`,
    text: countCreated(created),
    values: [...slicedValues(organizationId, window), ownerId ?? EVERYBODY],
  });
  return row!;
}

/** The same for each of these agents, by id. */
export async function readCreatedSalesOfAgents(
  tx: Reader,
  organizationId: string,
  window: Window,
  acceptedAt: AcceptedColumn,
  ownerIds: string[],
): Promise<Map<string, CreatedSales>> {
  const rows = await tx.query<CreatedSales & { id: string }>({
    name: `analytics_created_sales_${acceptedAt}_of_agents`,
    text: ofEach('$16', countCreated(createdSales(acceptedAt, 'agent.id', true))),
    values: [...slicedValues(organizationId, window), ownerIds],
  });
  return new Map(rows.map((row) => [row.id, row]));
}

/** The sales created in each bucket, where there are any. */
export async function readCreatedSalesEach(
  tx: Reader,
  organizationId: string,
  parts: CutParts,
  acceptedAt: AcceptedColumn,
): Promise<Map<number, CreatedSales>> {
  const created = byCuts(createdSales(acceptedAt, AFTER_CUTS, false));
  const rows = await tx.query<CreatedSales & { number: number }>({
    name: `analytics_created_sales_each_${acceptedAt}`,
    text: `SELECT number, sum(sign * created)::int AS created, sum(sign * accepted)::int AS accepted
             FROM (${created}) parts (number, sign, created, accepted) GROUP BY number`,
    values: [...byCutsValues(organizationId, parts), EVERYBODY],
  });
  return byNumber(rows);
}
