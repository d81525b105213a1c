import type { ComponentChildren } from 'preact';
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';
import { type ParleyError } from '../data/api.js';
import { reasonOf } from '../data/notices.js';
import { words } from '../words/words.js';

interface Props<Row> {
  label: string;
  rows: Row[];
  /** Of each row, in pixels. */
  height: number;
  keyOf: (row: Row) => string;
  draw: (row: Row) => ComponentChildren;
  chosen: string | null;
  hasMore: boolean;
  /** Gives why the next rows have not come. */
  more: () => Promise<ParleyError | undefined> | void;
  foot?: ComponentChildren;
  /** Whether rows that come above are shown at once; when left out, they are to whoever is at the top. */
  follow?: boolean;
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
  follow,
}: Props<Row>) {
  const box = useRef<HTMLDivElement>(null);
  const reading = useRef<{ at: number; keys: string[] }>({ at: 0, keys: [] });
  const [top, setTop] = useState(0);
  const seen = Math.ceil((box.current?.clientHeight ?? 1000) / height);
  const first = rows.length <= WHOLE_UP_TO ? 0 : Math.max(0, Math.floor(top / height) - AROUND);
  const last = rows.length <= WHOLE_UP_TO ? rows.length : Math.min(rows.length, first + seen + 2 * AROUND);
  const nearEnd = hasMore && top / height + seen + AROUND >= rows.length;
  const [failure, setFailure] = useState<ParleyError>();
  const ask = () => {
    setFailure(undefined);
    void Promise.resolve(more()).then((error) => error && setFailure(error));
  };
  useEffect(() => {
    if (nearEnd) ask();
  }, [nearEnd, rows.length]);
  const note = ({ scrollTop }: HTMLDivElement) => {
    const at = Math.floor(scrollTop / height);
    reading.current = { at, keys: rows.slice(at, at + seen).map(keyOf) };
  };
  // What is read stays where it is, whatever comes above it.
  useLayoutEffect(() => {
    if (!box.current) return;
    if (follow) box.current.scrollTop = 0;
    else if (follow === false || box.current.scrollTop > 0)
      box.current.scrollTop += moved(reading.current, rows.map(keyOf)) * height;
    note(box.current);
  }, [rows, follow]);
  useEffect(() => {
    const at = rows.findIndex((row) => keyOf(row) === chosen);
    if (at < 0 || !box.current) return;
    const { scrollTop, clientHeight } = box.current;
    if (at * height < scrollTop) box.current.scrollTop = at * height;
    else if ((at + 1) * height > scrollTop + clientHeight)
      box.current.scrollTop = (at + 1) * height - clientHeight;
  }, [chosen]);
  return (
    <div
      class="rows"
      ref={box}
      onScroll={({ currentTarget }) => {
        note(currentTarget);
        setTop(currentTarget.scrollTop);
      }}
    >
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
      {failure && (
        <div class="rows-failed" role="alert">
          <span>{reasonOf(failure)}</span>
          <button class="button slim" onClick={ask}>
            {words.failed.again}
          </button>
        </div>
      )}
      {foot}
    </div>
  );
}

/** By how many places most of the rows have moved; a single one may have gone anywhere. */
function moved({ at, keys }: { at: number; keys: string[] }, rows: string[]): number {
  const places = new Map(rows.map((key, place) => [key, place]));
  const steps = keys.flatMap((key, index) => {
    const place = places.get(key);
    return place === undefined ? [] : [place - at - index];
  });
  return steps.sort((one, other) => one - other)[Math.floor(steps.length / 2)] ?? 0;
}
