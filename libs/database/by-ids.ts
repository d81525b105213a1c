import type { Statement } from './statements/statement.js';

/**
 * A FROM clause: the organization's ($1) rows with a `key` among the ids ($2), as `found`. Each id is one probe of the
 * index. For `key = ANY (ids)` the planner may read the whole organization, believing it small until statistics say
 * otherwise.
 */
export const foundByIds = (table: string, key: string, columns: string, where = 'true'): string =>
  `unnest($2::text[]) AS wanted (id) CROSS JOIN LATERAL
   (SELECT ${columns} FROM ${table} WHERE organization_id = $1 AND ${key} = wanted.id AND ${where} OFFSET 0) AS found`;

/**
 * Deletes the organization's rows with a `key` among the ids, each by a statement of its own: a DELETE cannot probe the index for
 * each id of a list as `foundByIds` does. Their plan is kept on the connection.
 */
export const deleteByIds = (table: string, key: string, organizationId: string, ids: string[]): Statement[] =>
  ids.map((id) => ({
    name: `delete_${table}_by_${key}`,
    text: deleteById(table, key),
    values: [organizationId, id],
  }));

/** A DELETE of the organization's ($1) rows with this `key` ($2). */
export const deleteById = (table: string, key: string): string =>
  `DELETE FROM ${table} WHERE organization_id = $1 AND ${key} = $2`;
