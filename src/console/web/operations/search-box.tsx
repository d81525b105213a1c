import { go } from '../data/route.js';
import { Icon } from '../parts/icon.js';
import { words } from '../words/words.js';
import { type Tab, to, usePlace } from './address.js';

/** Narrows a list by a part of a name; kept in the address. */
export function SearchBox({ tab, label }: { tab: Tab; label: string }) {
  const { id, query } = usePlace();
  return (
    <div class="search">
      <Icon name="find" />
      <input
        class="field"
        type="search"
        aria-label={label}
        placeholder={words.operations.byName}
        value={query.get('q') ?? ''}
        onInput={(event) => go(to(tab, id, { q: event.currentTarget.value }), { replace: true })}
      />
    </div>
  );
}

/** Whether one of these texts has what is searched for. */
export const matches = (q: string | null, ...texts: string[]): boolean =>
  q === null || texts.some((one) => one.toLowerCase().includes(q.trim().toLowerCase()));
