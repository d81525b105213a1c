/**
 * A FROM clause: the organization's ($1) rows of a table whose `key` is among the ids ($2), as `found`. Each id is a
 * probe of the index of its own. Under `key = ANY (ids)` the planner may read the whole organization instead, which it
 * takes to be small until its statistics know better.
 */
export const foundByIds = (table: string, key: string, columns: string): string =>
  `unnest($2::text[]) AS wanted (id) CROSS JOIN LATERAL
   (SELECT ${columns} FROM ${table} WHERE organization_id = $1 AND ${key} = wanted.id OFFSET 0) AS found`;

/** A DELETE of the rows that `foundByIds` finds. */
export const deleteByIds = (table: string, key: string): string =>
  `DELETE FROM ${table} WHERE ctid = ANY (ARRAY(SELECT at FROM ${foundByIds(table, key, 'ctid AS at')}))`;
