import { useMaking } from '../data/making.js';
import type { Stage } from '../data/records.js';
import { changedQuery, go, href, useRoute } from '../data/route.js';
import { may } from '../data/session.js';
import { reload } from '../data/store.js';
import { useKeys } from '../parts/keys.js';
import { Failed, Skeleton } from '../parts/states.js';
import { useTitle } from '../parts/title.js';
import { words } from '../words/words.js';
import { Board } from './board.js';
import { Filters } from './filters.js';
import { MoveMet } from './move-met.js';
import { NewSale } from './new-sale.js';
import { SalePanel } from './sale-panel.js';
import { filtersOf, useStages } from './use-board.js';
import { useMove } from './use-move.js';

const { pipeline: text } = words;

/** The sales by their stages, and one of them beside the board. */
export default function Pipeline() {
  const { path, query } = useRoute();
  const id = path[1] ?? null;
  const { stages, error } = useStages();
  useTitle(words.places.pipeline);
  if (stages) return <Stages id={id} stages={stages} query={query} />;
  return (
    <main class="page">
      <h1 class="only-read">{words.places.pipeline}</h1>
      {error ? (
        <Failed error={error} again={() => void reload('stages')} />
      ) : (
        <Skeleton rows={4} height={92} />
      )}
    </main>
  );
}

function Stages({ id, stages, query }: { id: string | null; stages: Stage[]; query: URLSearchParams }) {
  const [isMaking, setMaking] = useMaking();
  const filters = filtersOf(query);
  const { move, met, settle } = useMove(filters['sort']);
  const back = href(['pipeline'], changedQuery({ tab: null }));
  const mayWrite = may('write');
  useKeys([
    ...(mayWrite ? [{ key: 'n', label: text.add, act: () => setMaking(true) }] : []),
    ...(id === null ? [] : [{ key: 'Escape', label: text.key.close, act: () => go(back) }]),
  ]);
  return (
    <main class={`page pipeline ${id === null ? '' : 'has-sale'}`}>
      <section class="board-side">
        <header class="board-head">
          <h1>{words.places.pipeline}</h1>
          <Filters isBeside={id !== null} />
          {mayWrite && (
            <button class="button main" onClick={() => setMaking(true)}>
              {text.add}
            </button>
          )}
        </header>
        <Board
          key={stages.map(({ status_id }) => status_id).join()}
          stages={stages}
          filters={filters}
          open={id}
          {...(mayWrite && { move })}
        />
      </section>
      {id !== null && <SalePanel key={id} id={id} stages={stages} back={back} {...(mayWrite && { move })} />}
      {met && <MoveMet met={met} settle={settle} />}
      {isMaking && mayWrite && <NewSale stages={stages} close={() => setMaking(false)} />}
    </main>
  );
}
