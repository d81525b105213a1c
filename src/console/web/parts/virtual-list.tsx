import type { ComponentChildren } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';

interface Props<Row> {
  label: string;
  rows: Row[];
  /** Of each row, in pixels. */
  height: number;
  keyOf: (row: Row) => string;
  draw: (row: Row) => ComponentChildren;
  chosen: string | null;
  hasMore: boolean;
  more: () => void;
  foot?: ComponentChildren;
}

/** Above this, only the rows that are seen are in the page; each still says its place to a reader. */
const WHOLE_UP_TO = 200;
const AROUND = 10;

/** A list of links that asks for more as its end comes near. */
export function VirtualList<Row>({
  label,
  rows,
  height,
  keyOf,
  draw,
  chosen,
  hasMore,
  more,
  foot,
}: Props<Row>) {
  const box = useRef<HTMLDivElement>(null);
  const [top, setTop] = useState(0);
  const seen = Math.ceil((box.current?.clientHeight ?? 1000) / height);
  const first = rows.length <= WHOLE_UP_TO ? 0 : Math.max(0, Math.floor(top / height) - AROUND);
  const last = rows.length <= WHOLE_UP_TO ? rows.length : Math.min(rows.length, first + seen + 2 * AROUND);
  const nearEnd = hasMore && top / height + seen + AROUND >= rows.length;
  useEffect(() => {
    if (nearEnd) more();
  }, [nearEnd, rows.length]);
  useEffect(() => {
    const at = rows.findIndex((row) => keyOf(row) === chosen);
    if (at < 0 || !box.current) return;
    const { scrollTop, clientHeight } = box.current;
    if (at * height < scrollTop) box.current.scrollTop = at * height;
    else if ((at + 1) * height > scrollTop + clientHeight)
      box.current.scrollTop = (at + 1) * height - clientHeight;
  }, [chosen]);
  return (
    <div class="rows" ref={box} onScroll={(event) => setTop(event.currentTarget.scrollTop)}>
      <ul
        aria-label={label}
        style={{ paddingTop: `${first * height}px`, paddingBottom: `${(rows.length - last) * height}px` }}
      >
        {rows.slice(first, last).map((row, index) => (
          <li key={keyOf(row)} aria-setsize={hasMore ? -1 : rows.length} aria-posinset={first + index + 1}>
            {draw(row)}
          </li>
        ))}
      </ul>
      {foot}
    </div>
  );
}
