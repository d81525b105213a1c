import type { ComponentChildren } from 'preact';
import { go } from '../data/route.js';
import type { Kept } from '../data/store.js';
import { Icon } from '../parts/icon.js';
import { useKeys } from '../parts/keys.js';
import { Empty, Failed, Skeleton } from '../parts/states.js';
import { VirtualList } from '../parts/virtual-list.js';
import { words } from '../words/words.js';
import { type Tab, to, usePlace } from './address.js';

const { operations: text } = words;
const ROW = 64;

interface Props<Row> {
  tab: Tab;
  /** What the list is called. */
  label: string;
  kept: Kept<unknown>;
  rows: Row[] | undefined;
  again: () => void;
  idOf: (row: Row) => string;
  draw: (row: Row) => ComponentChildren;
  /** Above the list. */
  head?: ComponentChildren;
  /** In place of a list without rows. */
  empty: ComponentChildren;
  /** What a link to the form for another one says; left out where none is made here. */
  make?: string;
  /** Beside the list: the record, or for `new` its form. */
  detail: (id: string) => ComponentChildren;
}

/** A list with what is chosen in it beside it, or, on a small screen, in its place. */
export function Split<Row>(props: Props<Row>) {
  const { tab, label, kept, rows, again, idOf, draw, head, empty, make, detail } = props;
  const { id } = usePlace();
  const ids = rows?.map(idOf) ?? [];
  const step = (by: number) => {
    const next = ids[id === null || !ids.includes(id) ? 0 : ids.indexOf(id) + by];
    if (next !== undefined) go(to(tab, next, queryHere()));
  };
  useKeys([
    { key: 'j', label: text.key.next, act: () => step(1) },
    { key: 'k', label: text.key.previous, act: () => step(-1) },
    { key: 'Escape', label: words.key.leave, act: () => go(to(tab, null, queryHere())) },
    ...(make === undefined ? [] : [{ key: 'n', label: make, act: () => go(to(tab, 'new', queryHere())) }]),
  ]);
  return (
    <div class={`ops-split ${id === null ? '' : 'has-detail'}`}>
      <section class="list" aria-label={label}>
        {(head !== undefined || make !== undefined) && (
          <div class="list-head">
            {head}
            {make !== undefined && (
              <a class="button" href={to(tab, 'new', queryHere())}>
                {make}
              </a>
            )}
          </div>
        )}
        {!rows && kept.error && <Failed error={kept.error} again={again} />}
        {!rows && !kept.error && <Skeleton rows={5} height={ROW} />}
        {rows?.length === 0 && empty}
        {rows && rows.length > 0 && (
          <VirtualList
            label={label}
            rows={rows}
            height={ROW}
            keyOf={idOf}
            chosen={id}
            hasMore={false}
            more={() => undefined}
            draw={(row) => (
              <a
                class="row"
                href={to(tab, idOf(row), queryHere())}
                aria-current={idOf(row) === id ? 'true' : undefined}
              >
                {draw(row)}
              </a>
            )}
          />
        )}
      </section>
      {id === null ? (
        <Empty title={text.choose}>
          <p>{text.chooseHint}</p>
        </Empty>
      ) : (
        <section class="ops-detail" key={id}>
          <a class="button bare back" href={to(tab, null, queryHere())} aria-label={words.inbox.backToList}>
            <Icon name="back" />
          </a>
          {detail(id)}
        </section>
      )}
    </div>
  );
}

/** The filters of the list stay as one goes through it. */
const queryHere = (): Record<string, string | null> => {
  const query = new URLSearchParams(location.search);
  return { status: query.get('status'), q: query.get('q') };
};

/** A record that is not in the list it was looked for in. */
export const Missing = ({ kept }: { kept: Kept<unknown> }) =>
  kept.data === undefined ? (
    <Skeleton rows={2} height={ROW} />
  ) : (
    <Empty title={text.missing}>
      <p>{text.missingHint}</p>
    </Empty>
  );

/** Facts about a record; those without a value are left out. */
export const Facts = ({ facts }: { facts: [name: string, value: ComponentChildren][] }) => (
  <dl class="facts">
    {facts
      .filter(([, value]) => value !== null && value !== undefined && value !== '')
      .map(([name, value]) => (
        <>
          <dt class="quiet">{name}</dt>
          <dd>{value}</dd>
        </>
      ))}
  </dl>
);
