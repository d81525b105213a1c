import { useState } from 'preact/hooks';
import type { Sale, Stage } from '../data/records.js';
import { reloadAll } from '../data/store.js';
import { money, number } from '../format.js';
import { Failed, Skeleton } from '../parts/states.js';
import { VirtualList } from '../parts/virtual-list.js';
import { words } from '../words/words.js';
import { isSaleDragged, SaleCard } from './sale-card.js';
import { type Column, keyOfStage } from './use-board.js';
import type { Sum } from './sums.js';

const { pipeline: text } = words;
/** A card with the space below it, in pixels; as in pipeline.css. */
const CARD = 104;

interface Props {
  nr: number;
  column: Column;
  stages: Stage[];
  open: string | null;
  /** What was moved last. */
  followed: string | null;
  linkOf: (sale: Sale) => string;
  drop: (id: string) => void;
  move?: (sale: Sale, to: Stage) => void;
}

/** The sales of a stage; those that are dragged here move into it. */
export function BoardColumn({ nr, column, stages, open, followed, linkOf, drop, move }: Props) {
  const { stage, rows, error, hasMore, more, sum } = column;
  const [isAimedAt, setAimedAt] = useState(false);
  const aim = (event: DragEvent) => {
    if (!move || !isSaleDragged(event)) return;
    event.preventDefault();
    setAimedAt(true);
  };
  return (
    <section
      class={`column ${isAimedAt ? 'is-aimed-at' : ''}`}
      aria-label={stage.label}
      data-stage={nr}
      onDragEnter={aim}
      onDragOver={aim}
      onDragLeave={({ currentTarget, relatedTarget }) => {
        if (!currentTarget.contains(relatedTarget as Node | null)) setAimedAt(false);
      }}
      onDrop={(event) => {
        setAimedAt(false);
        if (!move || !isSaleDragged(event)) return;
        event.preventDefault();
        drop(event.dataTransfer!.getData('text/plain'));
      }}
    >
      <header class="column-head">
        <h2 class="cut" dir="auto">
          {stage.label}
        </h2>
        <Sums of={sum} />
      </header>
      {!rows && error && <Failed error={error} again={() => void reloadAll(keyOfStage(stage.status_id))} />}
      {!rows && !error && <Skeleton rows={3} height={CARD} />}
      {rows?.length === 0 && <p class="quiet small column-none">{text.noneHere}</p>}
      {rows && rows.length > 0 && (
        <VirtualList
          label={text.salesIn(stage.label)}
          rows={rows}
          height={CARD}
          keyOf={({ sale_id }) => sale_id}
          chosen={rows.some(({ sale_id }) => sale_id === followed) ? followed : open}
          hasMore={hasMore}
          more={more}
          draw={(sale) => (
            <SaleCard
              sale={sale}
              link={linkOf(sale)}
              isOpen={sale.sale_id === open}
              stages={stages}
              {...(move && { move })}
            />
          )}
        />
      )}
    </section>
  );
}

const Sums = ({ of }: { of: Sum | null }) => (
  <>
    <span class="small quiet">
      {of && (of.isPart ? text.first(number(of.count)) : text.count(of.count, number(of.count)))}
    </span>
    <p class="small quiet column-sums">
      {of?.amounts.map(([currency, amount]) => (
        <span key={currency}>{money(amount, currency)}</span>
      ))}
    </p>
  </>
);
