import { useState } from 'preact/hooks';
import type { Page } from './records.js';
import { joined, refreshed, type Rows } from './rows.js';
import { type ParleyError } from './api.js';
import { endedBy } from './session.js';
import { type Kept, patch, seen, useKept } from './store.js';

/** Has the next page read. */
export type More = () => Promise<ParleyError | undefined>;

/**
 * A list that grows a page at a time. Its first page is asked for again while it is shown; the later ones stay as they were read.
 * `more` gives why a further page has not come.
 */
export function usePages<Row>(
  key: string | null,
  load: (cursor: string | null) => Promise<Page<Row>>,
  idOf: (row: Row) => string,
): Kept<Rows<Row>> & { more: More } {
  const [asked, setAsked] = useState<string | null>(null);
  const kept = useKept<Rows<Row>>(key, async () => refreshed(await load(null), seen<Rows<Row>>(key!), idOf));
  const more = async () => {
    const cursor = kept.data?.next ?? null;
    if (cursor === null || cursor === asked) return;
    setAsked(cursor);
    try {
      const { data, pagination } = await load(cursor);
      patch<Rows<Row>>(key!, ({ rows }) => ({
        rows: joined(rows, data, idOf),
        next: pagination.next_cursor,
      }));
    } catch (error) {
      setAsked(null);
      return endedBy(error) ? undefined : (error as ParleyError);
    }
  };
  return { ...kept, more };
}
