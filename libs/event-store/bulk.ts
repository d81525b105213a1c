import type { StoredEvent } from '#kernel/context.js';
import type { Database } from '#database/database.js';

/** Rows to write into a table of a projection. */
export interface TableRows {
  table: string;
  columns: readonly string[];
  rows: object[];
}

/**
 * How a projection is made anew from whole streams, organization by organization: nothing need be read back, nothing
 * is written twice, and the indexes come last. It gives the rows that `apply` gives; `verify` compares the two.
 */
export interface Bulk {
  /** What is read of an event, as an SQL list that names the columns of a `StoredEvent`; `data` may leave out what nobody looks at. */
  columns: string;
  begin(reader: Pick<Database, 'query'>, organizationId: string): Promise<OrganizationBulk>;
}

/** The making of one organization's rows. */
export interface OrganizationBulk {
  /** The rows of further streams, each with all of its events in order. */
  add(streams: StoredEvent[][]): TableRows[];
  /** The rows that all streams together make. */
  end(): TableRows[];
}

/** Rows of a table; `columns` leaves out organization_id. */
export const rowsFor = (table: string, columns: readonly string[], rows: object[]): TableRows => ({
  table,
  columns: ['organization_id', ...columns],
  rows,
});
