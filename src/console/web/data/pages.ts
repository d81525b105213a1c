import { useState } from 'preact/hooks';
import type { Page } from './records.js';
import { joined, refreshed, type Rows } from './rows.js';
import { type Kept, patch, seen, useKept } from './store.js';

/**
 * A list that grows a page at a time. Its first page is asked for again while it is shown; the later ones stay as they were read.
 */
export function usePages<Row>(
  key: string | null,
  load: (cursor: string | null) => Promise<Page<Row>>,
  idOf: (row: Row) => string,
): Kept<Rows<Row>> & { more: () => void } {
  const [asked, setAsked] = useState<string | null>(null);
  const kept = useKept<Rows<Row>>(key, async () => refreshed(await load(null), seen<Rows<Row>>(key!), idOf));
  const more = () => {
    const cursor = kept.data?.next ?? null;
    if (cursor === null || cursor === asked) return;
    setAsked(cursor);
    load(cursor).then(
      ({ data, pagination }) =>
        patch<Rows<Row>>(key!, ({ rows }) => ({
          rows: joined(rows, data, idOf),
          next: pagination.next_cursor,
        })),
      () => setAsked(null),
    );
  };
  return { ...kept, more };
}
