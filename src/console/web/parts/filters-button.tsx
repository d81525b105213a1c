import { words } from '../words/words.js';
import { Icon } from './icon.js';

/** Opens and closes the filters for which there is no room. `count`: how many of them are set. */
export function FiltersButton(props: { isOpen: boolean; count?: number; onToggle: () => void }) {
  const { isOpen, count = 0, onToggle } = props;
  const { filters } = words.inbox;
  return (
    <button
      class="button"
      aria-expanded={isOpen}
      // Whoever speaks to the page says what is seen on the button.
      aria-label={count > 0 ? `${filters}: ${count}` : filters}
      title={filters}
      onClick={onToggle}
    >
      <Icon name="filter" />
      {count > 0 && count}
    </button>
  );
}
