import type { Page } from './records.js';

/** What is read of a list that comes in pages. */
export interface Rows<Row> {
  rows: Row[];
  next: string | null;
}

/** Rows and those that follow, each once. */
export function joined<Row>(first: Row[], then: Row[], idOf: (row: Row) => string): Row[] {
  const ids = new Set(first.map(idOf));
  return [...first, ...then.filter((row) => !ids.has(idOf(row)))];
}

/**
 * The first page as it is now, and the later ones as they were read. Where so much is new that the two do not meet, what is between
 * them is not known, and the list begins anew. A page may be empty with more to come.
 */
export function refreshed<Row>(
  { data, pagination: { next_cursor } }: Page<Row>,
  before: Rows<Row> | undefined,
  idOf: (row: Row) => string,
): Rows<Row> {
  const last = data.at(-1);
  if (last === undefined && next_cursor !== null && before) return before;
  const rows = before?.rows ?? [];
  const at = last === undefined ? -1 : rows.findIndex((row) => idOf(row) === idOf(last));
  const later = rows.slice(at + 1);
  if (next_cursor === null || at < 0 || later.length === 0) return { rows: data, next: next_cursor };
  return { rows: joined(data, later, idOf), next: before!.next };
}
