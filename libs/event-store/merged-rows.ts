import type { Reader, Statement } from '#database/statements/statement.js';
import type { Change } from './change.js';
import type { AnyRowTable } from './rows.js';

type Table = Pick<AnyRowTable, 'table' | 'key'>;

/** The table that tells into which record of an aggregate another was merged. */
export const mergedTable = (table: string): string => `merged_${table}`;

/**
 * The statements that keep the table of merged records up with these changes: each leads to the one that is left in the end. An event
 * that ends a stream by a merger has `into` in its data, by the name that `into` gives.
 */
export function mergedRows(
  { table, key }: Table,
  into: string,
  organizationId: string,
  changes: Change[],
): Statement[] {
  const merged = new Map(
    changes.flatMap(({ streamId, state, events }) => {
      const last = events.at(-1);
      const id = state === null && last && (last.data as Record<string, unknown>)[into];
      return typeof id === 'string' ? [[streamId, id] as const] : [];
    }),
  );
  if (merged.size === 0) return [];
  const ids = [...merged.keys()];
  return [
    {
      name: `note_${mergedTable(table)}`,
      text: `WITH told AS (SELECT * FROM unnest($2::text[], $3::text[]) AS told (id, into_id)),
                  moved AS (UPDATE ${mergedTable(table)} earlier SET into_id = told.into_id FROM told
                             WHERE earlier.organization_id = $1 AND earlier.into_id = told.id)
             INSERT INTO ${mergedTable(table)} (organization_id, ${key}, into_id) SELECT $1, id, into_id FROM told`,
      values: [organizationId, ids, ids.map((id) => survivorOf(id, merged))],
    },
  ];
}

/** The record that is left in the end, where the one merged into may itself have been merged. */
export function survivorOf(id: string, into: ReadonlyMap<string, string>): string {
  let last = id;
  for (let next = into.get(last); next !== undefined; next = into.get(last)) last = next;
  return last;
}

/** The record that one was merged into; undefined for one that never was. */
export async function mergedInto(
  reader: Reader,
  { table, key }: Table,
  organizationId: string,
  id: string,
): Promise<string | undefined> {
  const [row] = await reader.query<{ into_id: string }>({
    name: `merged_into_${table}`,
    text: `SELECT into_id FROM ${mergedTable(table)} WHERE organization_id = $1 AND ${key} = $2`,
    values: [organizationId, id],
    share: { types: ['text', 'text'] },
  });
  return row?.into_id;
}
