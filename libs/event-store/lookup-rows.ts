import { deleteByIds } from '#database/by-ids.js';
import type { Statement } from '#database/statements/statement.js';
import type { Change } from './change.js';

/** A table that finds records by words of their states: organization_id, the word, the record's id. */
export interface LookupTable {
  table: string;
  /** The column of the words. */
  column: string;
  /** That of the ids. */
  key: string;
}

/** The statements that keep a lookup table up with these changes of states. */
export function lookupRows<State extends object>(
  { table, column, key }: LookupTable,
  organizationId: string,
  changes: Change<State>[],
  wordsOf: (state: State) => string[],
): Statement[] {
  const words = (state: State | null) => (state ? wordsOf(state) : []);
  const changed = changes.filter(({ before, state }) => words(before).join() !== words(state).join());
  const known = changed.filter(({ before }) => words(before).length > 0).map(({ streamId }) => streamId);
  const rows = changed.flatMap(({ streamId, state }) => words(state).map((word) => ({ word, id: streamId })));
  const statements = deleteByIds(table, key, organizationId, known);
  if (rows.length > 0)
    statements.push({
      name: `note_${table}`,
      text: `INSERT INTO ${table} (organization_id, ${column}, ${key})
             SELECT $1, * FROM unnest($2::text[], $3::text[]) ON CONFLICT DO NOTHING`,
      values: [organizationId, rows.map(({ word }) => word), rows.map(({ id }) => id)],
    });
  return statements;
}
