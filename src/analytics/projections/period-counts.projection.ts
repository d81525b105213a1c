import type { Transaction } from '#database/statements/statement.js';
import type { Addition, PeriodSums, PeriodTable } from '../rollups/period-sums.js';

type AnyPeriodSums = PeriodSums | PeriodSums<bigint>;

export const PERIOD_TABLES = [
  'analytics_period',
  'analytics_response_group',
  'analytics_response_bucket',
  'analytics_agent_period',
];

/** Adds to the sums of periods, and deletes rows in which all sums become 0. */
export async function addToPeriods(
  tx: Transaction,
  organizationId: string,
  sums: AnyPeriodSums,
): Promise<void> {
  const additions = sums.additions(organizationId);
  if (additions.length === 0) return;
  const { table, counters } = sums.table;
  const key = keyOf(sums.table);
  await tx.query({
    name: `add_to_${table}`,
    text: `INSERT INTO ${table} SELECT * FROM jsonb_populate_recordset(NULL::${table}, $1)
           ON CONFLICT (${key.join(', ')})
           DO UPDATE SET ${counters.map((one) => `${one} = ${table}.${one} + excluded.${one}`).join(', ')}`,
    values: asRows(additions),
  });
  const lessened = additions.filter(({ lessens }) => lessens);
  if (lessened.length === 0) return;
  await tx.query({
    name: `forget_${table}`,
    text: `DELETE FROM ${table} p USING jsonb_populate_recordset(NULL::${table}, $1) d
            WHERE (${key.map((one) => `p.${one}`).join(', ')}) = (${key.map((one) => `d.${one}`).join(', ')})
              AND ${counters.map((one) => `p.${one} = 0`).join(' AND ')}`,
    values: asRows(lessened),
  });
}

/** The sums as new rows, for a bulk build. */
export const periodRows = (organizationId: string, sums: AnyPeriodSums) => ({
  table: sums.table.table,
  columns: [...keyOf(sums.table), ...sums.table.counters],
  rows: sums.additions(organizationId).map(({ row }) => row),
});

const keyOf = ({ key }: PeriodTable): string[] => ['organization_id', 'unit', 'at', ...key];

const asRows = (additions: Addition[]): [string] => [JSON.stringify(additions.map(({ row }) => row))];
