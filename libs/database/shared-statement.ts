import type { Sharing, Statement } from './statement.js';

/**
 * A named read or lock that goes together with others of its name: most of what such a statement costs is its way there and
 * back.
 */
export interface Shareable extends Statement {
  name: string;
  values: unknown[];
  share: Sharing;
}

/** Throws when it does not tell the type of each of its values. */
export function isShareable(statement: Statement): statement is Shareable {
  const { name, values, share } = statement;
  if (share === undefined) return false;
  if (share.types.length !== values?.length) throw new Error(`${name}: its values have other types`);
  return true;
}

const texts = new Map<string, string>();

/** One statement that does what all of these, which have one name, do, each as if it were alone: its result is the rows of each. */
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
 * OFFSET 0 keeps each a probe of its own, whatever the planner thinks of how many there are, with its rows in their order, and
 * has its values made of JSON once.
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
