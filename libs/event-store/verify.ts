import { withShadow } from './with-shadow.js';

/** A row in which the live table and the events differ. */
export interface Difference {
  table: string;
  /** `live`: only the live table has the row; `events`: only the events give it. */
  only_in: 'live' | 'events';
  row: Record<string, unknown>;
}

const SHOWN = 20;

/**
 * Folds all events again and compares every row with the live tables, in one snapshot. Gives no difference when all is
 * well.
 */
export function verify(job: Parameters<typeof withShadow>[0]): Promise<Difference[]> {
  return withShadow(job, async (tx, shadow) => {
    const differences: Difference[] = [];
    for (const table of job.projection.tables)
      for (const [only_in, one, other] of [
        ['live', 'public', shadow],
        ['events', shadow, 'public'],
      ] as const) {
        const rows = await tx.query<{ row: Record<string, unknown> }>({
          text: `SELECT to_jsonb(d) AS row FROM (SELECT * FROM ${one}.${table} EXCEPT SELECT * FROM ${other}.${table}) d LIMIT ${SHOWN}`,
        });
        differences.push(...rows.map(({ row }) => ({ table, only_in, row })));
      }
    return differences;
  });
}
