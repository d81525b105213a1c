import type { Database } from '#database/database.js';
import type { Statement } from '#database/statements/statement.js';

/** A node of a plan that ran (EXPLAIN ANALYZE). */
export interface Node {
  'Node Type': string;
  'Relation Name'?: string;
  'Index Name'?: string;
  'Actual Rows': number;
  'Actual Loops': number;
  'Rows Removed by Filter'?: number;
  'Rows Removed by Index Recheck'?: number;
  'Shared Hit Blocks'?: number;
  'Shared Read Blocks'?: number;
  Plans?: Node[];
}

/** The database, which runs each statement as its plan and gives no rows; `onPlan` is told of the plans. */
export function explaining(database: Database, onPlan: (plan: Node) => void): Database {
  const query = async ({ text, values }: Statement) => {
    const [row] = await database.query<{ 'QUERY PLAN': { Plan: Node }[] }>({
      text: `EXPLAIN (ANALYZE, BUFFERS, FORMAT JSON) ${text}`,
      values,
    });
    onPlan(row!['QUERY PLAN'][0]!.Plan);
    return [];
  };
  return Object.assign(Object.create(database) as Database, {
    query,
    queryOn: (_replica: unknown, statement: Statement) => query(statement),
  });
}

/** The rows that a node looked at, those included that it threw away. */
const rowsRead = (node: Node): number =>
  (node['Actual Rows'] +
    (node['Rows Removed by Filter'] ?? 0) +
    (node['Rows Removed by Index Recheck'] ?? 0)) *
  node['Actual Loops'];

/** A bitmap is made of entries that lie packed in the index, a hundred to a page of rows: even so many cost less than one row. */
const ENTRIES_A_ROW = 2;

/** What is wrong with a plan: a table of more than `small` rows read whole, or more rows looked at than `most`. */
export function faultsOf(node: Node, limits: { most: number; small: number }): string[] {
  const read = rowsRead(node);
  const named = `${node['Node Type']} ${node['Relation Name'] ?? ''}`;
  return [
    ...(node['Node Type'] === 'Seq Scan' && read > limits.small ? [`${named} reads all`] : []),
    ...(read > limits.most * (node['Node Type'] === 'Bitmap Index Scan' ? ENTRIES_A_ROW : 1)
      ? [`${named} reads ${read} rows`]
      : []),
    ...(node.Plans ?? []).flatMap((plan) => faultsOf(plan, limits)),
  ];
}
