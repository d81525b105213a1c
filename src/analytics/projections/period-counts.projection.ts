import type { Transaction } from '#database/statements/statement.js';
import type { PeriodSums, PeriodTable } from '../rollups/period-sums.js';

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
  const columns = [...key, ...counters].join(', ');
  await tx.query({
    name: `add_to_${table}`,
    text: `INSERT INTO ${table} (organization_id, ${columns})
           SELECT $1, ${columns} FROM jsonb_populate_recordset(NULL::${table}, $2)
           ON CONFLICT (organization_id, ${key.join(', ')})
           DO UPDATE SET ${counters.map((one) => `${one} = ${table}.${one} + excluded.${one}`).join(', ')}`,
    values: [organizationId, JSON.stringify(additions.map(({ row }) => row))],
  });
  const lessened = additions.filter(({ lessens }) => lessens);
  const empty = counters.map((one) => `${one} = 0`).join(' AND ');
  await Promise.all(
    lessened.map(({ row }) =>
      tx.query({
        name: `forget_${table}`,
        text: `DELETE FROM ${table} WHERE organization_id = $1
                AND ${key.map((one, index) => `${one} = $${index + 2}`).join(' AND ')} AND ${empty}`,
        values: [organizationId, ...key.map((one) => (row as Record<string, unknown>)[one])],
      }),
    ),
  );
}

/** The sums as new rows, for a bulk build. */
export const periodRows = (organizationId: string, sums: AnyPeriodSums) => ({
  table: sums.table.table,
  columns: ['organization_id', ...keyOf(sums.table), ...sums.table.counters],
  rows: sums.additions(organizationId).map(({ row }) => row),
});

/** Beside the organization. */
const keyOf = ({ key }: PeriodTable): string[] => ['unit', 'at', ...key];
