import type { Transaction } from '#database/database.js';
import type { Decimal } from '#kernel/money.js';
import type { StageRow } from '../workspace/workspace.contract.js';
import type { Window } from './slices.js';

/** The column that says when a sale was first accepted: by the tag of the stage, or its label where none is tagged. */
export const acceptedColumn = (stages: StageRow[]): string =>
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

/** Sales that were in each stage for some of the window, by the stage's id; `ownerId`: only an agent's. */
export async function readPipeline(
  tx: Transaction,
  organizationId: string,
  window: Window,
  ownerId: string | null,
): Promise<Map<string, StageFigures>> {
  const rows = await tx.query<StageRowOfWindow>({
    name: ownerId === null ? 'analytics_pipeline' : 'analytics_pipeline_of_agent',
    text: `SELECT status_id, currency, grouping(currency) AS is_total, count(*)::int AS volume,
                  coalesce(sum(total_price), 0)::text AS value
             FROM analytics_stay
            WHERE organization_id = $1 AND entered_at < $3 AND (left_at IS NULL OR left_at > $2)
              ${ownerId === null ? '' : 'AND owner_id = $4'}
            GROUP BY GROUPING SETS ((status_id), (status_id, currency))
            ORDER BY currency`,
    values: [organizationId, window.start_date, window.end_date, ...(ownerId === null ? [] : [ownerId])],
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
  tx: Transaction,
  organizationId: string,
  window: Window,
  acceptedAt: string,
  ownerId: string | null,
): Promise<{ created: number; accepted: number }> {
  const [row] = await tx.query<{ created: number; accepted: number }>({
    name: `analytics_created_sales_${acceptedAt}${ownerId === null ? '' : '_of_agent'}`,
    text: `SELECT count(*)::int AS created, count(${acceptedAt})::int AS accepted
             FROM analytics_sale WHERE organization_id = $1 AND created_at >= $2 AND created_at < $3
              ${ownerId === null ? '' : 'AND owner_id = $4'}`,
    values: [organizationId, window.start_date, window.end_date, ...(ownerId === null ? [] : [ownerId])],
  });
  return row!;
}
