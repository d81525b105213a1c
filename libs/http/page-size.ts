import { roughSize } from '#kernel/size.js';

/** Characters that a page holds, about: pages of long texts end before their limit, so that one reader cannot take all memory. */
const LARGEST_PAGE = 16 * 1024 * 1024;

/** How many of these rows, from the first on, make a page; one at least. */
export function fitting(rows: readonly object[]): number {
  let left = LARGEST_PAGE;
  const tooMany = rows.findIndex((row) => (left -= roughSize(row)) < 0);
  return tooMany === -1 ? rows.length : Math.max(tooMany, 1);
}
