import { useState } from 'preact/hooks';
import type { Page } from './records.js';
import { type Kept, patch, seen, useKept } from './store.js';

export interface Rows<Row> {
  rows: Row[];
  next: string | null;
}

/**
 * A list that grows a page at a time. Its first page is asked for again while it is shown; the later ones stay as they were read.
 */
export function usePages<Row>(
  key: string | null,
  load: (cursor: string | null) => Promise<Page<Row>>,
  idOf: (row: Row) => string,
): Kept<Rows<Row>> & { more: () => void } {
  const [asked, setAsked] = useState<string | null>(null);
  const kept = useKept<Rows<Row>>(key, async () => {
    const { data, pagination } = await load(null);
    const before = seen<Rows<Row>>(key!);
    if (!before || before.rows.length <= data.length) return { rows: data, next: pagination.next_cursor };
    return { rows: joined(data, before.rows.slice(data.length), idOf), next: before.next };
  });
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

function joined<Row>(first: Row[], then: Row[], idOf: (row: Row) => string): Row[] {
  const ids = new Set(first.map(idOf));
  return [...first, ...then.filter((row) => !ids.has(idOf(row)))];
}
