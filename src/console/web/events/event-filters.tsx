import { changedQuery, go, href, useRoute } from '../data/route.js';
import { Icon } from '../parts/icon.js';
import { Menu } from '../parts/menu.js';
import { useFinished } from '../parts/use-finished.js';
import { words } from '../words/words.js';
import { TYPES, typesIn } from './types.js';

const { events: text } = words;

/** Other filters begin at the top, with no event chosen. */
const set = (changes: Record<string, string | null>) =>
  go(href(['events'], changedQuery({ of: null, before: null, ...changes })), { replace: true });

export function EventFilters({ isPaused, pause }: { isPaused: boolean; pause: () => void }) {
  const { query } = useRoute();
  const isPast = query.has('before');
  const record = useFinished(query.get('record_id') ?? '', (value) => set({ record_id: value.trim() }));
  return (
    <div class="event-head">
      <h1>{words.places.events}</h1>
      <Types />
      <label class="event-record">
        <span class="only-read">{text.record}</span>
        <input {...record} class="field" type="search" placeholder={text.record} spellcheck={false} />
      </label>
      {isPast ? (
        <a class="button" href={href(['events'], changedQuery({ before: null, of: null }))}>
          <Icon name="back" />
          {text.latest}
        </a>
      ) : (
        <>
          <button class="button" aria-pressed={isPaused} onClick={pause} title={text.key.pause}>
            <Icon name={isPaused ? 'clock' : 'events'} />
            {text.pause}
          </button>
          <span class="quiet small" role="status">
            {isPaused ? text.paused : text.live}
          </span>
        </>
      )}
      {isPast && <span class="quiet small">{text.past}</span>}
    </div>
  );
}

function Types() {
  const { query } = useRoute();
  const chosen = typesIn(query.get('types'));
  const toggle = (types: readonly string[]) => {
    const others = chosen.filter((type) => !types.includes(type));
    const hasAll = types.every((type) => chosen.includes(type));
    set({ types: [...others, ...(hasAll ? [] : types)].join() });
  };
  return (
    <Menu
      label={
        <>
          <Icon name="filter" /> {chosen.length === 0 ? text.allTypes : text.types(chosen.length)}
        </>
      }
      place="event-types"
    >
      {() => (
        <>
          <button class="menu-item" aria-pressed={chosen.length === 0} onClick={() => set({ types: null })}>
            {text.allTypes}
            {chosen.length === 0 && <Icon name="check" />}
          </button>
          {Object.entries(TYPES).map(([kind, types]) => (
            <div key={kind} role="group" aria-label={text.kind[kind]}>
              <Toggle label={text.allOf(text.kind[kind]!)} types={types} chosen={chosen} toggle={toggle} />
              {types.map((type) => (
                <Toggle key={type} label={type} types={[type]} chosen={chosen} toggle={toggle} />
              ))}
            </div>
          ))}
        </>
      )}
    </Menu>
  );
}

interface ToggleProps {
  label: string;
  types: readonly string[];
  chosen: string[];
  toggle: (types: readonly string[]) => void;
}

function Toggle({ label, types, chosen, toggle }: ToggleProps) {
  const isOn = types.every((type) => chosen.includes(type));
  return (
    <button class="menu-item" aria-pressed={isOn} onClick={() => toggle(types)}>
      <span>{label}</span>
      {isOn && <Icon name="check" />}
    </button>
  );
}
