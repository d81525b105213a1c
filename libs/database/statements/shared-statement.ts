import type { Sharing, Statement } from './statement.js';

/** A named read or lock that may go together with others of its name: most of its cost is the way to the server and back. */
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

const texts = new Map<string, string>();

/** One statement in place of several with one name, each executed as if alone. The result is a list of rows for each. */
export function together(statements: Shareable[]): Statement {
  const [{ name, text, share, room }] = statements as [Shareable];
  if (!texts.has(name)) texts.set(name, textForMany(text, share.types));
  return {
    name: `${name}_together`,
    text: texts.get(name)!,
    values: [JSON.stringify(statements.map(({ values }) => values))],
    groups: statements.length,
    room,
  };
}

/**
 * OFFSET 0 keeps each statement a probe of its own, with its rows in order, however many the planner expects, and has the
 * values read from JSON only once.
 */
function textForMany(text: string, types: readonly string[]): string {
  const own = text.replace(/\$(\d+)/g, (_, nr: string) => `asked.own_${nr}`);
  const values = types.map((type, index) => `${valueOf(index, type)} AS own_${index + 1}`);
  return `SELECT asked.nr - 1 AS asked_nr, found.*
            FROM (SELECT nr, ${values.join(', ')} FROM jsonb_array_elements($1) WITH ORDINALITY AS each (own, nr) OFFSET 0) asked
           CROSS JOIN LATERAL (SELECT * FROM (${own}) own OFFSET 0) found`;
}

const valueOf = (index: number, type: string): string =>
  type.endsWith('[]')
    ? `ARRAY(SELECT jsonb_array_elements_text(own -> ${index}))::${type}`
    : `(own ->> ${index})::${type}`;
