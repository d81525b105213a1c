import { useState } from 'preact/hooks';
import { words } from '../words/words.js';
import type { Named } from './mentions.js';

const MOST = 8;
const ID = 'mention-offered';

/** What the list below a field offers while one types into it: arrows go through it, Enter or Tab takes one, Escape none. */
export function useOffered(all: Named[], take: (one: Named) => void, leave: () => void) {
  const [at, setAt] = useState(0);
  const names = all.slice(0, MOST);
  const here = Math.min(at, names.length - 1);
  const choose = (one: Named) => {
    setAt(0);
    take(one);
  };
  return {
    names,
    here,
    choose,
    field: {
      'aria-autocomplete': 'list' as const,
      ...(names.length > 0 && { 'aria-controls': ID, 'aria-activedescendant': `${ID}-${here}` }),
    },
    /** Whether the key was for the list. */
    takes: (event: KeyboardEvent): boolean => {
      if (names.length === 0 || event.ctrlKey || event.metaKey) return false;
      const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
      if (step !== undefined) setAt((here + step + names.length) % names.length);
      else if (event.key === 'Enter' || event.key === 'Tab') choose(names[here]!);
      else if (event.key === 'Escape') leave();
      else return false;
      event.preventDefault();
      return true;
    },
  };
}

export const Offered = ({ names, here, choose }: ReturnType<typeof useOffered>) =>
  names.length === 0 ? null : (
    <div class="combobox-list" id={ID} role="listbox" aria-label={words.composer.mention}>
      {names.map((one, index) => (
        <div
          key={one.agent_id}
          id={`${ID}-${index}`}
          class="menu-item"
          role="option"
          aria-selected={index === here}
          // The field keeps the cursor.
          onMouseDown={(event) => event.preventDefault()}
          onClick={() => choose(one)}
        >
          <span class="cut">{one.name}</span>
        </div>
      ))}
    </div>
  );
