import type { Sharing, Statement } from './statement.js';

/**
 * A named read or lock that goes together with others of its name and first value which a transaction is asked for in the
 * same turn: most of what such a statement costs is its way there and back.
 */
export interface Shareable extends Statement {
  name: string;
  values: [common: unknown, ...own: unknown[]];
  share: Sharing;
}

export const isShareable = (statement: Statement): statement is Shareable => statement.share !== undefined;

/** What goes together has this in common. */
export const groupOf = ({ name, values }: Shareable): string => `${name}/${String(values[0])}`;

const texts = new Map<string, string>();

/** One statement that does what all of these do, each as if it were alone. Its rows are told apart by `rowsOfEach`. */
export function together(statements: Shareable[]): Statement {
  const [{ name, text, values, share }] = statements as [Shareable];
  if (!texts.has(name)) texts.set(name, textForMany(text, share.types));
  const asked = statements.map((one, nr) => ({
    nr,
    ...Object.fromEntries(one.values.slice(1).map((value, index) => [ownName(index), value])),
  }));
  return { name: `${name}_together`, text: texts.get(name)!, values: [values[0], JSON.stringify(asked)] };
}

const ownName = (index: number): string => `own_${index}`;

/** OFFSET 0 keeps each a probe of its own, whatever the planner thinks of how many there are. */
function textForMany(text: string, types: readonly string[]): string {
  const own = text.replace(/\$(\d+)/g, (parameter, nr: string) =>
    nr === '1' ? parameter : `asked.${ownName(Number(nr) - 2)}`,
  );
  const columns = types.map((type, index) => `${ownName(index)} ${type}`);
  return `SELECT asked.nr AS asked_nr, found.*
            FROM jsonb_to_recordset($2) AS asked (nr int, ${columns.join(', ')})
           CROSS JOIN LATERAL (SELECT * FROM (${own}) own OFFSET 0) found`;
}

/** The rows of each of the statements that went together, as it would have had them alone. */
export function rowsOfEach(rows: { asked_nr: number }[], count: number): object[][] {
  const rowsOf = Array.from({ length: count }, (): object[] => []);
  for (const { asked_nr, ...row } of rows) rowsOf[asked_nr]!.push(row);
  return rowsOf;
}
