import type { Sharing, Statement } from './statement.js';

/**
 * A named read or lock of a transaction that may go together with others of its name: most of its cost is the way to the server
 * and back. Its first value is the organization.
 */
export interface Shareable extends Statement {
  name: string;
  values: unknown[];
  share: Sharing;
}

/** Throws when `share` does not give the type of every value. */
export function isShareable(statement: Statement): statement is Shareable {
  const { name, values, share } = statement;
  if (share === undefined) return false;
  if (share.types.length !== values?.length) throw new Error(`${name}: its values have other types`);
  return true;
}

/** Statements go together with those of the same name and organization. */
export const groupOf = ({ name, values: [organizationId] }: Shareable): string =>
  `${name} ${String(organizationId)}`;

/** A row of several statements, with the number of the one that it is for. */
export interface RowOf {
  asked_nr: number;
}

const texts = new Map<string, string>();

/** One statement in place of several of one group, each executed as if alone. */
export function together(statements: Shareable[]): Statement {
  const [{ name, text, values, share }] = statements as [Shareable];
  if (!texts.has(name)) texts.set(name, textForMany(text, share.types));
  return {
    name: `${name}_together`,
    text: texts.get(name)!,
    values: [values[0], JSON.stringify(statements.map((one) => one.values))],
  };
}

/** The rows of each of so many statements. */
export function apart(rows: RowOf[], count: number): object[][] {
  const rowsOf: object[][] = Array.from({ length: count }, () => []);
  for (const { asked_nr, ...row } of rows) rowsOf[asked_nr]!.push(row);
  return rowsOf;
}

/**
 * OFFSET 0 keeps each statement a probe of its own, with its rows in order, however many the planner expects, and has the
 * values read from JSON only once.
 */
function textForMany(text: string, types: readonly string[]): string {
  const own = text.replace(/\$(\d+)/g, (parameter, nr: string) =>
    nr === '1' ? parameter : `asked.own_${nr}`,
  );
  const values = types.slice(1).map((type, index) => `, ${valueOf(index + 1, type)} AS own_${index + 2}`);
  return `SELECT asked.nr::int - 1 AS asked_nr, found.*
            FROM (SELECT nr${values.join('')} FROM jsonb_array_elements($2) WITH ORDINALITY AS each (own, nr) OFFSET 0) asked
           CROSS JOIN LATERAL (SELECT * FROM (${own}) own OFFSET 0) found`;
}

const valueOf = (index: number, type: string): string =>
  type.endsWith('[]')
    ? `ARRAY(SELECT jsonb_array_elements_text(own -> ${index}))::${type}`
    : `(own ->> ${index})::${type}`;
