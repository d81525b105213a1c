import { useEffect, useRef } from 'preact/hooks';
import { useRoute } from '../data/route.js';
import { setFilter } from './choice.js';
import { Icon } from './icon.js';

const QUIET_MS = 150;

/** Searches as one types: `q` in the address. */
export function Search({ id, label, hint }: { id: string; label: string; hint: string }) {
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  const field = useRef<HTMLInputElement>(null);
  const { query } = useRoute();
  const q = query.get('q') ?? '';
  // Back and forward show what was searched for; what is being typed stays as it is.
  useEffect(() => {
    if (field.current && document.activeElement !== field.current) field.current.value = q;
  }, [q]);
  const search = (text: string) => {
    clearTimeout(timer.current);
    timer.current = setTimeout(() => setFilter('q', text.trim()), QUIET_MS);
  };
  return (
    <div class="search">
      <Icon name="find" />
      <input
        ref={field}
        id={id}
        class="field"
        type="search"
        aria-label={label}
        placeholder={hint}
        defaultValue={q}
        onInput={(event) => search(event.currentTarget.value)}
      />
    </div>
  );
}
