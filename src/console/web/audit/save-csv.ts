import type { Calls } from '../data/organization.js';

/** The largest page that the API gives, and the pages that are saved at most: 50,000 records. */
const PAGE = 200;
const PAGES = 250;

/**
 * The list as one CSV file, read a page at a time; `tell` hears how many pages there are so far. `isWhole` is false where it ends before
 * the list does. The row of names at the top of each page but the first is left out.
 */
export async function auditCsv(
  { calls, path }: { calls: Calls; path: string },
  filters: Record<string, string>,
  tell: (pages: number) => void,
  signal: AbortSignal,
): Promise<{ file: Blob; isWhole: boolean }> {
  const parts: string[] = [];
  let cursor: string | null = null;
  do {
    const answer: Response = await calls.answer(path, {
      params: { query: { ...filters, limit: PAGE, cursor } },
      headers: { Accept: 'text/csv' },
      signal,
    });
    const text = await answer.text();
    parts.push(parts.length === 0 ? text : text.slice(text.indexOf('\r\n') + 2));
    tell(parts.length);
    cursor = cursorOf(answer.headers.get('link'));
  } while (cursor !== null && parts.length < PAGES);
  return { file: new Blob(parts, { type: 'text/csv' }), isWhole: cursor === null };
}

/** Of `<URL>; rel="next"`; null on the last page. */
function cursorOf(link: string | null): string | null {
  const url = /^<([^>]+)>; rel="next"/.exec(link ?? '')?.[1];
  return url === undefined ? null : new URL(url, location.href).searchParams.get('cursor');
}
