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

/**
 * The same for ids ($2) each of an organization of its own ($1). A row that somebody changes at the same moment would be
 * missed, as by any statement that goes by `ctid`: the deleter holds the streams that the rows belong to.
 */
export const deleteEach = (table: string, key: string): string =>
  `DELETE FROM ${table} WHERE ctid = ANY (ARRAY(
   SELECT at FROM unnest($1::text[], $2::text[]) AS wanted (organization_id, id) CROSS JOIN LATERAL
   (SELECT ctid AS at FROM ${table} WHERE organization_id = wanted.organization_id AND ${key} = wanted.id OFFSET 0) AS found))`;
