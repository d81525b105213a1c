import type { Page, Pagination } from './page.dto.js';

/** Writes the cursor of the page that begins behind the item at this index. */
type CursorBehind = (index: number) => string;

/** How pages may end earlier, by their pagination, which whatever becomes of their items keeps. */
const ends = new WeakMap<Pagination, CursorBehind>();

/** Lets the page be cut by `firstOfPage`. */
export const noteEnds = (pagination: Pagination, cursorBehind: CursorBehind): void =>
  void ends.set(pagination, cursorBehind);

export const isPage = (payload: object): payload is Page<object> =>
  'pagination' in payload && 'data' in payload && ends.has(payload.pagination as Pagination);

/** The page with its first items only, at least one; the next page begins behind them. */
export function firstOfPage<Item>(page: Page<Item>, count: number): Page<Item> {
  const { data, pagination } = page;
  if (count >= data.length) return page;
  const next_cursor = ends.get(pagination)!(count - 1);
  return { data: data.slice(0, count), pagination: { ...pagination, next_cursor, has_more: true } };
}
