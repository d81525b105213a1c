import type { Transaction } from '#database/database.js';
import {
  type Addition,
  bucketAdditions,
  COUNTERS,
  type Delta,
  periodAdditions,
  type TimeDelta,
} from './period-counts.js';

export const PERIOD_TABLES = ['analytics_period', 'analytics_response_time'];

const addition = (table: string) => (column: string) => `${column} = ${table}.${column} + excluded.${column}`;

const asRows = (additions: Addition[]): [string] => [JSON.stringify(additions.map(({ row }) => row))];

/** Adds to the counters of periods; one whose counters are all 0 is as if it had never been, and goes. */
export async function addToPeriods(tx: Transaction, organizationId: string, deltas: Delta[]): Promise<void> {
  const additions = periodAdditions(organizationId, deltas);
  if (additions.length === 0) return;
  await tx.query({
    name: 'analytics_add_to_periods',
    text: `INSERT INTO analytics_period SELECT * FROM jsonb_populate_recordset(NULL::analytics_period, $1)
           ON CONFLICT (organization_id, unit, at)
           DO UPDATE SET ${COUNTERS.map(addition('analytics_period')).join(', ')}`,
    values: asRows(additions),
  });
  const lessened = additions.filter(({ lessens }) => lessens);
  if (lessened.length === 0) return;
  await tx.query({
    name: 'analytics_forget_periods',
    text: `DELETE FROM analytics_period p USING jsonb_populate_recordset(NULL::analytics_period, $1) d
            WHERE (p.organization_id, p.unit, p.at) = (d.organization_id, d.unit, d.at)
              AND ${COUNTERS.map((counter) => `p.${counter} = 0`).join(' AND ')}`,
    values: asRows(lessened),
  });
}

/** Adds to the numbers of response times by period and bucket. */
export async function addToResponseTimes(
  tx: Transaction,
  organizationId: string,
  deltas: TimeDelta[],
): Promise<void> {
  const additions = bucketAdditions(organizationId, deltas);
  if (additions.length === 0) return;
  await tx.query({
    name: 'analytics_add_to_response_times',
    text: `INSERT INTO analytics_response_time
           SELECT * FROM jsonb_populate_recordset(NULL::analytics_response_time, $1)
           ON CONFLICT (organization_id, kind, unit, at, bucket)
           DO UPDATE SET ${addition('analytics_response_time')('turns')}`,
    values: asRows(additions),
  });
  const lessened = additions.filter(({ lessens }) => lessens);
  if (lessened.length === 0) return;
  await tx.query({
    name: 'analytics_forget_response_times',
    text: `DELETE FROM analytics_response_time t
            USING jsonb_populate_recordset(NULL::analytics_response_time, $1) d
            WHERE (t.organization_id, t.kind, t.unit, t.at, t.bucket)
                  = (d.organization_id, d.kind, d.unit, d.at, d.bucket)
              AND t.turns = 0`,
    values: asRows(lessened),
  });
}
