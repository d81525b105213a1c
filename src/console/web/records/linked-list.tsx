import type { ComponentChildren } from 'preact';
import { usePages } from '../data/pages.js';
import type { Page } from '../data/records.js';
import { reload } from '../data/store.js';
import { Empty, Failed, Skeleton } from '../parts/states.js';
import { VirtualList } from '../parts/virtual-list.js';

interface Props<Row> {
  /** Under which it is kept. */
  of: string;
  label: string;
  load: (cursor: string | null) => Promise<Page<Row>>;
  idOf: (row: Row) => string;
  draw: (row: Row) => ComponentChildren;
  none: string;
  foot?: ComponentChildren;
}

/** Of a row in pixels. */
const LINKED_ROW = 56;

/** Records around another, a page at a time. */
export function LinkedList<Row>({ of, label, load, idOf, draw, none, foot }: Props<Row>) {
  const { data, error, more } = usePages<Row>(of, load, idOf);
  if (!data && error) return <Failed error={error} again={() => void reload(of)} />;
  if (!data) return <Skeleton rows={4} height={LINKED_ROW} />;
  if (data.rows.length === 0) return <Empty title={none} />;
  return (
    <VirtualList
      label={label}
      rows={data.rows}
      height={LINKED_ROW}
      keyOf={idOf}
      chosen={null}
      hasMore={data.next !== null}
      more={more}
      draw={draw}
      foot={foot}
    />
  );
}
