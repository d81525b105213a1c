import type { Page } from '../data/records.js';

/** A list, the latest first. */
export type Source<Row> = (cursor: string | null) => Promise<Page<Row>>;

/** How far a list was read: its page, and how many rows of that; null at its end. */
type Place = { cursor: string | null; skip: number } | null;

/**
 * A page of several lists as one, the latest first. Shown is what no list can still bring something before; each page reads at least
 * one list's page to its end. The cursor tells how far each list was read, so nothing is kept in between.
 */
export async function mergedPage<Row>(
  sources: Source<Row>[],
  cursor: string | null,
  instantOf: (row: Row) => string,
): Promise<Page<Row>> {
  const places: Place[] =
    cursor === null ? sources.map(() => ({ cursor: null, skip: 0 })) : (JSON.parse(cursor) as Place[]);
  const pages = await Promise.all(
    sources.map((load, nr) => (places[nr] ? load(places[nr].cursor) : Promise.resolve(undefined))),
  );
  // What a list brings next is at most as late as the last row of its page.
  const since = pages
    .flatMap((page) => (page?.pagination.next_cursor && page.data.length > 0 ? page.data.slice(-1) : []))
    .map(instantOf)
    .reduce((latest, instant) => (instant > latest ? instant : latest), '');
  const next = pages.map((page, nr): Place => {
    const place = places[nr]!;
    if (!page || !place) return null;
    const shown = page.data.filter((row) => instantOf(row) >= since).length;
    if (shown < page.data.length) return { cursor: place.cursor, skip: Math.max(shown, place.skip) };
    const { next_cursor } = page.pagination;
    return next_cursor === null ? null : { cursor: next_cursor, skip: 0 };
  });
  const data = pages
    .flatMap((page, nr) => page?.data.slice(places[nr]!.skip).filter((row) => instantOf(row) >= since) ?? [])
    .sort((one, other) => (instantOf(one) < instantOf(other) ? 1 : -1));
  const has_more = next.some((place) => place !== null);
  return { data, pagination: { has_more, next_cursor: has_more ? JSON.stringify(next) : null } };
}
