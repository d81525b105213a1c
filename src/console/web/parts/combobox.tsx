import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';
import { useConnectionLost } from '../data/connection.js';
import { reasonOf } from '../data/notices.js';
import { endedBy } from '../data/session.js';
import { words } from '../words/words.js';

export interface Option {
  id: string;
  title: string;
  hint?: string;
}

interface Props {
  label: string;
  hint?: string;
  /** What is found for what is typed; for nothing typed, what comes first. */
  find: (q: string, signal: AbortSignal) => Promise<Option[]>;
  choose: (option: Option) => void;
  leave?: () => void;
}

/** What is found for what was typed, or why nothing was looked for. */
interface Answer {
  q: string;
  options: Option[];
  refusal?: string;
}

const QUIET_MS = 150;
let count = 0;

/** A field that offers what is found for what is typed; arrows go through it, Enter takes one. */
export function Combobox({ label, hint, find, choose, leave }: Props) {
  const [id] = useState(() => `found-${count++}`);
  const [q, setQ] = useState('');
  const [found, setFound] = useState<Answer | null>(null);
  const [at, setAt] = useState(0);
  const list = useRef<HTMLDivElement>(null);
  const isLost = useConnectionLost();
  /** Enter came before what is found: the first of that is taken. */
  const isEntered = useRef(false);
  const field = useRef<HTMLInputElement>(null);
  useLayoutEffect(() => field.current?.focus(), []);
  useEffect(() => {
    const aborter = new AbortController();
    const ask = () =>
      find(q.trim(), aborter.signal)
        .then((options) => {
          setFound({ q, options });
          if (isEntered.current && options[0]) choose(options[0]);
        })
        .catch((error: unknown) => {
          if (!aborter.signal.aborted && !endedBy(error))
            setFound({ q, options: [], refusal: reasonOf(error) });
        });
    const timer = setTimeout(() => void ask(), found === null ? 0 : QUIET_MS);
    return () => {
      clearTimeout(timer);
      aborter.abort();
    };
  }, [q, isLost]);
  const options = found?.options ?? [];
  const walk = (event: KeyboardEvent) => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (event.key === 'Escape' && leave) leave();
    else if (event.key === 'Enter') {
      if (found?.q !== q) isEntered.current = true;
      else if (options[at]) choose(options[at]);
    } else if (step !== undefined && options.length > 0) {
      const next = (at + step + options.length) % options.length;
      setAt(next);
      list.current?.children[next]?.scrollIntoView({ block: 'nearest' });
    } else return;
    event.preventDefault();
  };
  return (
    <div class="combobox">
      <input
        ref={field}
        class="field"
        role="combobox"
        aria-expanded="true"
        aria-controls={id}
        aria-activedescendant={options[at] && `${id}-${at}`}
        aria-label={label}
        placeholder={hint ?? label}
        value={q}
        onInput={(event) => {
          isEntered.current = false;
          setQ(event.currentTarget.value);
          setAt(0);
        }}
        onKeyDown={walk}
      />
      {options.length > 0 ? (
        <div class="combobox-list" id={id} role="listbox" aria-label={label} ref={list}>
          {options.map((option, index) => (
            <div
              key={option.id}
              id={`${id}-${index}`}
              class="menu-item"
              role="option"
              aria-selected={index === at}
              onClick={() => choose(option)}
            >
              <span class="cut" dir="auto">
                {option.title}
              </span>
              {option.hint && <span class="quiet small cut">{option.hint}</span>}
            </div>
          ))}
        </div>
      ) : (
        <p class="quiet small" id={id} role="status">
          {found?.q === q ? (found.refusal ?? words.palette.nothing(q)) : words.loading}
        </p>
      )}
    </div>
  );
}
