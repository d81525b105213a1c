/**
 * A FROM clause: the organization's ($1) rows with a `key` among the ids ($2), as `found`. Each id is one probe of the
 * index. For `key = ANY (ids)` the planner may read the whole organization, believing it small until statistics say
 * otherwise.
 */
export const foundByIds = (table: string, key: string, columns: string): string =>
  `unnest($2::text[]) AS wanted (id) CROSS JOIN LATERAL
   (SELECT ${columns} FROM ${table} WHERE organization_id = $1 AND ${key} = wanted.id OFFSET 0) AS found`;

/** A DELETE of the rows that `foundByIds` finds. */
export const deleteByIds = (table: string, key: string): string =>
  `DELETE FROM ${table} WHERE ctid = ANY (ARRAY(SELECT at FROM ${foundByIds(table, key, 'ctid AS at')}))`;

/**
 * The same for ids ($2), each with its own organization ($1). Like any statement that goes by `ctid`, it would miss a row
 * that somebody changes at the same moment: the deleter must hold the rows' streams.
 */
export const deleteEach = (table: string, key: string): string =>
  `DELETE FROM ${table} WHERE ctid = ANY (ARRAY(
   SELECT at FROM unnest($1::text[], $2::text[]) AS wanted (organization_id, id) CROSS JOIN LATERAL
   (SELECT ctid AS at FROM ${table} WHERE organization_id = wanted.organization_id AND ${key} = wanted.id OFFSET 0) AS found))`;
