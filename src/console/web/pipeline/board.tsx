import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import type { Sale, Stage } from '../data/records.js';
import { changedQuery, href, useRoute } from '../data/route.js';
import { useKeys } from '../parts/keys.js';
import { Empty } from '../parts/states.js';
import { words } from '../words/words.js';
import { BoardColumn } from './board-column.js';
import { FILTERS, useColumns } from './use-board.js';
import { nameOfSale } from './use-move.js';

const { pipeline: text } = words;

export type MoveSale = (sale: Sale, to: Stage, etag?: string) => void;

interface Props {
  stages: Stage[];
  filters: Record<string, string>;
  /** The sale beside the board. */
  open: string | null;
  /** Left out where the key may not write. */
  move?: MoveSale;
}

const cardOf = (id: string | undefined) => document.querySelector<HTMLElement>(`[data-sale="${id ?? ''}"]`);

function focusOn(card: HTMLElement | null): void {
  card?.focus();
  card?.scrollIntoView({ block: 'nearest', inline: 'nearest' });
}

/** Of a card that is not there before its column has been scrolled. */
function focusSoon(id: string, frames = 10): void {
  const card = cardOf(id);
  if (card) focusOn(card);
  else if (frames > 0) requestAnimationFrame(() => focusSoon(id, frames - 1));
}

/** A column for each stage; cards are moved by drag, by their menus, and by the keys [ and ]. */
export function Board({ stages, filters, open, move }: Props) {
  const { query } = useRoute();
  const columns = useColumns(stages, filters);
  const [told, setTold] = useState<{ id: string; text: string } | null>(null);
  /** What keeps the focus, wherever it is moved to or taken back. */
  const followed = useRef<{ id: string; isNew: boolean } | null>(null);
  useLayoutEffect(() => {
    if (followed.current === null) return;
    const { id, isNew } = followed.current;
    const active = document.activeElement;
    if (isNew || active === document.body) focusSoon(id);
    else if (active !== cardOf(id)) followed.current = null;
    if (followed.current) followed.current.isNew = false;
  });
  const hasOpen = columns.some(({ rows }) => rows?.some(({ sale_id }) => sale_id === open));
  useLayoutEffect(() => {
    if (open !== null) cardOf(open)?.scrollIntoView({ block: 'nearest', inline: 'nearest' });
  }, [open, hasOpen]);

  const go = (sale: Sale, to: Stage | undefined) => {
    if (!move || !to) return;
    followed.current = { id: sale.sale_id, isNew: true };
    move(sale, to);
    setTold({ id: sale.sale_id, text: text.moved(nameOfSale(sale), to.label) });
  };
  /** The place of the card that has the focus, or of the sale beside the board. */
  const placeOf = (id: string | null): { column: number; row: number } | null => {
    for (const [column, { rows = [] }] of columns.entries()) {
      const row = rows.findIndex(({ sale_id }) => sale_id === id);
      if (row >= 0) return { column, row };
    }
    return null;
  };
  const here = () => placeOf((document.activeElement as HTMLElement | null)?.dataset['sale'] ?? open);
  const walk = (by: number) => {
    const place = here();
    if (place) focusOn(cardOf(columns[place.column]?.rows?.[place.row + by]?.sale_id));
    else focusOn(cardOf(columns.find(({ rows }) => rows && rows.length > 0)?.rows?.[0]?.sale_id));
  };
  const cross = (by: number) => {
    const place = here();
    if (!place) return walk(0);
    const { top } = document.activeElement!.getBoundingClientRect();
    for (let next = place.column + by; columns[next]; next += by) {
      const cards = [...document.querySelectorAll<HTMLElement>(`[data-stage="${next}"] [data-sale]`)];
      const away = (card: HTMLElement) => Math.abs(card.getBoundingClientRect().top - top);
      const nearest = cards.sort((one, other) => away(one) - away(other))[0];
      if (nearest) return nearest.focus();
    }
  };
  const shift = (by: number) => {
    const place = here();
    const sale = place && columns[place.column]!.rows![place.row];
    if (sale) go(sale, stages[place.column + by]);
  };
  useKeys([
    { key: 'j', label: text.key.next, act: () => walk(1) },
    { key: 'k', label: text.key.previous, act: () => walk(-1) },
    { key: 'l', label: text.key.right, act: () => cross(1) },
    { key: 'h', label: text.key.left, act: () => cross(-1) },
    ...(move
      ? [
          { key: ']', label: text.key.forward, act: () => shift(1) },
          { key: '[', label: text.key.back, act: () => shift(-1) },
        ]
      : []),
  ]);

  const isEmpty = columns.every(({ rows, hasMore }) => rows?.length === 0 && !hasMore);
  const isFiltered = FILTERS.some((name) => name !== 'sort' && query.has(name));
  if (isEmpty)
    return isFiltered ? (
      <Empty title={words.records.nothingMatches}>
        <a href={href(['pipeline'], { org: query.get('org') })}>{words.inbox.clear}</a>
      </Empty>
    ) : (
      <Empty title={text.noneYet}>
        <p>{text.noneYetHint}</p>
      </Empty>
    );
  return (
    <div class="board">
      <div class="only-read" role="status">
        {told?.text}
      </div>
      {columns.map((column, nr) => (
        <BoardColumn
          key={column.stage.status_id}
          nr={nr}
          column={column}
          stages={stages}
          open={open}
          followed={told?.id ?? null}
          drop={(id) => {
            const place = placeOf(id);
            if (place) go(columns[place.column]!.rows![place.row]!, column.stage);
          }}
          {...(move && { move: go })}
          linkOf={({ sale_id }) => href(['pipeline', sale_id], changedQuery({}))}
        />
      ))}
    </div>
  );
}
