import type { Database } from '#database/database.js';
import { distributedAs } from '#database/distribute.js';
import type { Transaction } from '#database/statements/statement.js';
import type { Projection } from './projection.js';

/** The schema for a projection's new tables; one per projection, so that two may be rebuilt at once. */
export const shadowOf = ({ name }: Projection): string => `rebuild_${name}`;

export const shadowTables = (projection: Projection): string[] =>
  projection.tables.map((table) => `${shadowOf(projection)}.${table}`);

/** Creates a projection's tables empty, with the indexes of the live ones; drops what an earlier run left. */
export async function createShadow(
  tx: Transaction,
  projection: Projection,
  { isDistributed }: Pick<Database, 'isDistributed'>,
): Promise<void> {
  const shadow = shadowOf(projection);
  await tx.query({ text: `DROP SCHEMA IF EXISTS ${shadow} CASCADE` });
  await tx.query({ text: `CREATE SCHEMA ${shadow}` });
  for (const table of projection.tables)
    await tx.query({
      text: `CREATE TABLE ${shadow}.${table} (LIKE public.${table} INCLUDING ALL EXCLUDING INDEXES)`,
    });
  for (const index of await liveIndexes(tx, projection)) await copyIndex(tx, projection, index);
  if (!isDistributed) return;
  for (const table of projection.tables)
    await tx.query(distributedAs(`public.${table}`, `${shadow}.${table}`));
}

export const dropShadow = (by: Database | Transaction, projection: Projection): Promise<unknown> =>
  by.query({ text: `DROP SCHEMA IF EXISTS ${shadowOf(projection)} CASCADE` });

/** An index of a live table. */
interface Index {
  name: string;
  table: string;
  definition: string;
  isPrimary: boolean;
}

/** The indexes of the live tables. */
function liveIndexes(tx: Transaction, { tables }: Projection): Promise<Index[]> {
  return tx.query<Index>({
    text: `SELECT index.relname AS name, live.relname AS table, pg_get_indexdef(indexrelid) AS definition,
                  indisprimary AS "isPrimary"
             FROM pg_index JOIN pg_class index ON index.oid = indexrelid JOIN pg_class live ON live.oid = indrelid
            WHERE live.relnamespace = 'public'::regnamespace AND live.relname = ANY ($1)
            ORDER BY array_position($1, live.relname::text), index.relname`,
    values: [tables],
  });
}

/** Gives a shadow table an index of the live table under the same name, as it will replace that table. */
async function copyIndex(
  tx: Transaction,
  projection: Projection,
  { name, table, definition, isPrimary }: Index,
): Promise<void> {
  const shadow = shadowOf(projection);
  const text = definition.replace(
    `INDEX ${name} ON public.${table} `,
    `INDEX ${name} ON ${shadow}.${table} `,
  );
  await tx.query({ text });
  if (isPrimary)
    await tx.query({ text: `ALTER TABLE ${shadow}.${table} ADD PRIMARY KEY USING INDEX ${name}` });
}

/** Replaces the live tables, which the caller has locked, by the new ones. */
export async function replaceLive(tx: Transaction, projection: Projection): Promise<void> {
  const shadow = shadowOf(projection);
  for (const table of projection.tables) {
    await tx.query({ text: `DROP TABLE public.${table}` });
    await tx.query({ text: `ALTER TABLE ${shadow}.${table} SET SCHEMA public` });
  }
  await dropShadow(tx, projection);
}
