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
  textWith: (rows: string, source?: Source) => string;
  /** Whether a function of ours makes the rows. */
  passesThrough?: true;
}

export const isUpsert = (statement: Statement): statement is Upsert => 'textWith' in statement;

/** SQL: the organization of the rows, and what it is selected from beside them. */
interface Source {
  organization: string;
  from: string;
}

const PLAIN: Source = { organization: '$1', from: '' };

const OF_NODE: Source = {
  organization: 'node.organization_id',
  from: '((SELECT organization_id FROM es_line WHERE organization_id = $1 LIMIT 0) UNION ALL SELECT $1) AS node (organization_id), ',
};

/** One statement that writes any number of rows, replacing existing ones. `key` and `columns` leave out organization_id. */
export function upsert(
  table: string,
  key: readonly string[],
  columns: readonly string[],
  organizationId: string,
  rows: object[],
): Upsert {
  const { names, replacing } = partsOf(table, key, columns);
  const textWith = (given: string, { organization, from } = PLAIN) =>
    `INSERT INTO ${table} (organization_id, ${names})
      SELECT ${organization}, ${names} FROM ${from}jsonb_populate_recordset(NULL::${table}, ${given}) ${replacing}`;
  const values: Upsert['values'] = [organizationId, JSON.stringify(rows)];
  return { name: `upsert_${table}`, table, text: textWith('$2'), textWith, values };
}

/** The upsert of what this SQL function makes of the organization's rows. */
export function passingThrough(sqlFunction: string, upsert: Upsert): Upsert {
  const textWith = (rows: string) => upsert.textWith(`${sqlFunction}($1, ${rows})`);
  const name = `${upsert.name}_${sqlFunction}`;
  return { ...upsert, name, text: textWith('$2'), textWith, passesThrough: true };
}

/**
 * The upsert as a cluster hands it to the node of the organization, which it does with what selects from a distributed table. Any other
 * one it runs itself: it copies the rows to the node, and has them go from there to the table (docs/adr/0027-citus.md).
 */
export const onNode = (upsert: Upsert): Statement => ({
  ...upsert,
  name: `${upsert.name}_on_node`,
  text: upsert.textWith('$2', OF_NODE),
});

interface Parts {
  names: string;
  replacing: string;
}

const parts = new Map<string, Parts>();

/** Parts of the text of a table's upsert; made once per table. */
function partsOf(table: string, key: readonly string[], columns: readonly string[]): Parts {
  let known = parts.get(table);
  if (!known) {
    const assignments = columns
      .filter((column) => !key.includes(column))
      .map((column) => `${column} = excluded.${column}`);
    const action = assignments.length > 0 ? `UPDATE SET ${assignments.join(', ')}` : 'NOTHING';
    const replacing = `ON CONFLICT (organization_id, ${key.join(', ')}) DO ${action}`;
    parts.set(table, (known = { names: columns.join(', '), replacing }));
  }
  return known;
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
