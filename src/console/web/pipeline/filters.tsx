import { useState } from 'preact/hooks';
import { changedQuery, go, useRoute } from '../data/route.js';
import { useAgents, useTags } from '../inbox/use-conversations.js';
import { Choice, type Options } from '../parts/choice.js';
import { FiltersButton } from '../parts/filters-button.js';
import { useWide } from '../parts/use-wide.js';
import { words } from '../words/words.js';
import { CLOSINGS } from './closing.js';
import { FILTERS, SORTS } from './use-board.js';

const { pipeline: text, inbox } = words;
/** Pixels from which the filters have room, without and with a sale beside the board. */
const [WIDE, WIDE_BESIDE] = [900, 1500];

/** Owner, tag, closing and order; behind a button where there is no room. */
export function Filters({ isBeside }: { isBeside: boolean }) {
  const { query } = useRoute();
  const isWide = useWide(isBeside ? WIDE_BESIDE : WIDE);
  const [isOpen, setOpen] = useState(false);
  const agents = useAgents().map(({ agent_id, name }): Options[0] => [agent_id, name]);
  const tags = useTags().map(({ tag_id, name }): Options[0] => [tag_id, name]);
  const given = FILTERS.filter((name) => query.has(name));
  const clear = () => {
    const without = Object.fromEntries(given.map((name) => [name, null]));
    go(`${location.pathname}?${changedQuery(without).toString()}`, { replace: true });
  };
  return (
    <>
      {!isWide && <FiltersButton isOpen={isOpen} count={given.length} onToggle={() => setOpen(!isOpen)} />}
      {(isWide || isOpen) && (
        <div class={`board-filters ${isWide ? '' : 'is-below'}`}>
          <Choice bare name="owner_id" label={inbox.field.owner} options={[['', text.anyOwner], ...agents]} />
          <Choice
            bare
            name="tag_id"
            label={inbox.field.tag}
            options={[['', words.records.anyTag], ...tags]}
          />
          <Choice
            bare
            name="closing"
            label={text.closing}
            options={[['', text.anyClosing], ...CLOSINGS.map((one): Options[0] => [one, text.closings[one]])]}
          />
          <Choice
            bare
            name="sort"
            label={inbox.field.sort}
            options={SORTS.map((sort): Options[0] => [sort, text.sorts[sort]])}
          />
          {given.length > 0 && (
            <button class="button bare" onClick={clear}>
              {inbox.clear}
            </button>
          )}
        </div>
      )}
    </>
  );
}
