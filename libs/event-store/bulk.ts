import type { StoredEvent } from '#kernel/context.js';
import type { Reader } from '#database/statements/statement.js';

/** Rows to write into a table of a projection. */
export interface TableRows {
  table: string;
  columns: readonly string[];
  rows: object[];
}

/** A row read of an event. */
export type EventRow = Omit<StoredEvent, 'data'> & { data: object | null };

/**
 * Rebuilds a projection from whole streams, organization by organization: nothing is read back, and nothing is written
 * twice. It must give the same rows as `apply`; `verify` compares the two.
 */
export interface Bulk {
  /**
   * Reads the events: a SELECT ... FROM es_event without conditions, with the columns of a `StoredEvent` that anything
   * uses, including upcasters.
   */
  select: string;
  /** Makes the event from a row of `select`; the row itself when left out. */
  eventOf?(row: EventRow): StoredEvent;
  begin(reader: Reader, organizationId: string): Promise<OrganizationBulk>;
}

/** Builds one organization's rows. */
export interface OrganizationBulk {
  /** The rows for further streams, each given with all its events in order. */
  add(streams: StoredEvent[][]): TableRows[];
  /** The rows that depend on all streams together. */
  end(): TableRows[];
}

/** Rows of a table; `columns` leaves out organization_id. */
export const rowsFor = (table: string, columns: readonly string[], rows: object[]): TableRows => ({
  table,
  columns: ['organization_id', ...columns],
  rows,
});
