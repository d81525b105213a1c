import type { Instant } from '#kernel/instant.js';
import { deleteByIds, foundByIds } from '#database/by-ids.js';
import type { Reader, Statement } from '#database/statements/statement.js';
import type { Change, Versioned } from './change.js';

/**
 * A table with one row per stream: `organization_id`, the state's fields under their own names, `stream_version`.
 * Primary key (organization_id, key).
 */
export interface RowTable<State> extends AnyRowTable {
  key: keyof State & string;
  columns: readonly (keyof State & string)[];
}

/** A `RowTable` with a state of unknown type. */
export interface AnyRowTable {
  table: string;
  key: string;
  columns: readonly string[];
  /** Whether a column `updated_at` tells when the state last changed. */
  stamped?: true;
}

/** A state as the rows of a `stamped` table hold it. */
export type Stamped<State> = State & {
  /** When the event was recorded that last changed something shown. */
  updated_at: Instant;
};

/** A statement that writes rows of one organization. */
export interface Upsert extends Statement {
  name: string;
  table: string;
  values: [organizationId: string, rows: string];
  /** The text for rows that an SQL expression gives; $2 are those of `values`. */
  textWith: (rows: string) => string;
}

/** One statement that writes any number of rows, replacing existing ones. `key` and `columns` leave out organization_id. */
export function upsert(
  table: string,
  key: readonly string[],
  columns: readonly string[],
  organizationId: string,
  rows: object[],
): Upsert {
  const [before, after] = frameOf(table, key, columns);
  const textWith = (given: string) => before + given + after;
  const values: Upsert['values'] = [organizationId, JSON.stringify(rows)];
  return { name: `upsert_${table}`, table, text: textWith('$2'), textWith, values };
}

/** The upsert of what this SQL function makes of the organization's rows. */
export function passingThrough(sqlFunction: string, upsert: Upsert): Upsert {
  const textWith = (rows: string) => upsert.textWith(`${sqlFunction}($1, ${rows})`);
  return { ...upsert, name: `${upsert.name}_${sqlFunction}`, text: textWith('$2'), textWith };
}

type Frame = [before: string, after: string];

const frames = new Map<string, Frame>();

/** The text of a table's upsert before and after its rows; made once per table. */
function frameOf(table: string, key: readonly string[], columns: readonly string[]): Frame {
  let frame = frames.get(table);
  if (!frame) {
    const assignments = columns
      .filter((column) => !key.includes(column))
      .map((column) => `${column} = excluded.${column}`);
    const before = `INSERT INTO ${table} (organization_id, ${columns.join(', ')})
      SELECT $1, ${columns.join(', ')} FROM jsonb_populate_recordset(NULL::${table}, `;
    const replacing = assignments.length > 0 ? `UPDATE SET ${assignments.join(', ')}` : 'NOTHING';
    const after = `) ON CONFLICT (organization_id, ${key.join(', ')}) DO ${replacing}`;
    frames.set(table, (frame = [before, after]));
  }
  return frame;
}

/** Writes the rows of an organization's existing states and deletes those of states that are gone. */
export function saveRows(row: AnyRowTable, organizationId: string, changes: Change[]): Statement[] {
  const kept = changes.filter((change) => change.state !== null);
  const gone = changes.filter((change) => change.state === null).map(({ streamId }) => streamId);
  const statements: Statement[] = deleteByIds(row.table, row.key, organizationId, gone);
  if (kept.length > 0)
    statements.push(
      upsert(
        row.table,
        [row.key],
        allColumns(row),
        organizationId,
        // The new key comes first: behind a spread that begins an object it takes V8 4 us.
        kept.map(({ version, state }) => ({ stream_version: version, ...state })),
      ),
    );
  return statements;
}

/** Reads the states of these streams from their rows. */
export async function loadRows<State extends object>(
  tx: Reader,
  row: AnyRowTable,
  organizationId: string,
  ids: string[],
): Promise<Map<string, Versioned<State>>> {
  const found = await tx.query<State & { stream_version: number }>({
    name: `load_${row.table}`,
    text: `SELECT found.* FROM ${foundByIds(row.table, row.key, stateColumns(row))}`,
    values: [organizationId, ids],
    share: { types: ['text', 'text[]'] },
  });
  return new Map(
    found.map((one) => [String((one as Record<string, unknown>)[row.key]), versionedState<State>(one)]),
  );
}

/** The columns to read for a state. */
export const stateColumns = (row: AnyRowTable): string => allColumns(row).join(', ');

const allColumns = ({ columns, stamped }: AnyRowTable): string[] => [
  ...columns,
  ...(stamped ? ['updated_at'] : []),
  'stream_version',
];

/** The state that a row holds. */
export function versionedState<State>(row: { stream_version: number }): Versioned<State> {
  const { stream_version: version, ...state } = row;
  return { state: state as State, version };
}
