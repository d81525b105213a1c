import type { Page, Pagination } from './page.dto.js';

/** Writes the cursor of the page that begins behind the item at this index. */
type CursorBehind = (index: number) => string;

const CURSOR_BEHIND = Symbol('cursor behind');

/** Of a page that may end earlier. A symbol is not part of the JSON, and stays whatever becomes of the items. */
export interface Endable extends Pagination {
  [CURSOR_BEHIND]: CursorBehind;
}

/** The pagination, and what lets `firstOfPage` cut the page. */
export const endable = (pagination: Pagination, cursorBehind: CursorBehind): Endable => ({
  ...pagination,
  [CURSOR_BEHIND]: cursorBehind,
});

export const isPage = (payload: object): payload is Page<object> & { pagination: Endable } =>
  'pagination' in payload && 'data' in payload && CURSOR_BEHIND in (payload.pagination as object);

/** The page with its first items only, at least one; the next page begins behind them. */
export function firstOfPage<Item>(page: Page<Item> & { pagination: Endable }, count: number): Page<Item> {
  const { data, pagination } = page;
  if (count >= data.length) return page;
  const next_cursor = pagination[CURSOR_BEHIND](count - 1);
  return { data: data.slice(0, count), pagination: { ...pagination, next_cursor, has_more: true } };
}
