import type { StoredEvent } from '#kernel/context.js';
import type { Reader } from '#database/statement.js';

/** Rows to write into a table of a projection. */
export interface TableRows {
  table: string;
  columns: readonly string[];
  rows: object[];
}

/** A row read of an event. */
export type EventRow = Omit<StoredEvent, 'data'> & { data: object | null };

/**
 * How a projection is made anew from whole streams, organization by organization: nothing need be read back, and nothing
 * is written twice. It gives the rows that `apply` gives; `verify` compares the two.
 */
export interface Bulk {
  /**
   * What is read of the events: a SELECT ... FROM es_event without conditions that names the columns of a `StoredEvent`
   * which somebody looks at, upcasters included.
   */
  select: string;
  /** The event that a row so read tells of; the row itself when left out. */
  eventOf?(row: EventRow): StoredEvent;
  begin(reader: Reader, organizationId: string): Promise<OrganizationBulk>;
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
