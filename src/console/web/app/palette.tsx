import { useEffect, useRef, useState } from 'preact/hooks';
import { useConnectionLost } from '../data/connection.js';
import { reasonOf } from '../data/notices.js';
import { useCalls } from '../data/organization.js';
import type { Found, Page } from '../data/records.js';
import { changedQuery, go, href } from '../data/route.js';
import { endedBy, isOperator } from '../data/session.js';
import { typed } from '../data/typed.js';
import { Dialog } from '../parts/dialog.js';
import { Highlighted } from '../parts/highlighted.js';
import { keysOf } from '../parts/keys.js';
import { words } from '../words/words.js';
import { placesHere } from './pages.js';

interface Choice {
  id: string;
  title: string;
  kind: string;
  hit?: string;
  run: () => void;
}

/** What is found for what was typed, or why nothing was looked for. */
interface Answer {
  q: string;
  choices: Choice[];
  refusal?: string;
}

const QUIET_MS = 120;

/** Finds records, pages and acts by a few letters. */
export function Palette({ close }: { close: () => void }) {
  const calls = useCalls();
  const [q, setQ] = useState('');
  const [found, setFound] = useState<Answer>({ q: '', choices: [] });
  const [at, setAt] = useState(0);
  const list = useRef<HTMLDivElement>(null);
  const isLost = useConnectionLost();

  useEffect(() => {
    // Operators see no records.
    if (q.trim() === '' || isOperator()) return setFound({ q, choices: [] });
    const aborter = new AbortController();
    const timer = setTimeout(() => {
      const query = { q: typed(q.trim()), limit: 30 };
      calls
        .GET<Page<Found>>('/search', { params: { query }, signal: aborter.signal })
        .then(({ data }) => setFound({ q, choices: choicesOf(data) }))
        .catch((error: unknown) => {
          if (!aborter.signal.aborted && !endedBy(error))
            setFound({ q, choices: [], refusal: reasonOf(error) });
        });
    }, QUIET_MS);
    return () => {
      clearTimeout(timer);
      aborter.abort();
    };
  }, [q, isLost]);

  const has = (text: string) => text.toLowerCase().includes(q.trim().toLowerCase());
  const acts = actsHere().filter(({ title }) => has(title));
  const choices = [...acts, ...found.choices];
  const refusal = found.q === q ? found.refusal : undefined;
  const run = (choice: Choice | undefined) => {
    if (!choice) return;
    close();
    choice.run();
  };
  const move = (step: number) => {
    const next = (at + step + choices.length) % choices.length;
    setAt(next);
    list.current?.children[next]?.scrollIntoView({ block: 'nearest' });
  };
  const walk = (event: KeyboardEvent) => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step !== undefined && choices.length > 0) move(step);
    else if (event.key === 'Enter') run(choices[at]);
    else return;
    event.preventDefault();
  };
  return (
    <Dialog label={words.palette.label} class="palette" close={close}>
      <input
        autofocus
        role="combobox"
        aria-expanded="true"
        aria-controls="palette-list"
        aria-activedescendant={choices[at] && `choice-${at}`}
        aria-label={words.palette.hint}
        placeholder={words.palette.hint}
        value={q}
        onInput={(event) => {
          setQ(event.currentTarget.value);
          setAt(0);
        }}
        onKeyDown={walk}
      />
      {choices.length > 0 && (
        <div
          class="palette-list"
          id="palette-list"
          role="listbox"
          aria-label={words.palette.label}
          ref={list}
        >
          {choices.map((choice, index) => (
            <div
              key={choice.id}
              id={`choice-${index}`}
              class="menu-item"
              role="option"
              aria-selected={index === at}
              onClick={() => run(choice)}
            >
              <span class="cut">{choice.title}</span>
              <span class="quiet small">{choice.kind}</span>
              {choice.hit && (
                <span class="hits quiet small cut">
                  <Highlighted text={choice.hit} />
                </span>
              )}
            </div>
          ))}
        </div>
      )}
      {(choices.length === 0 || refusal !== undefined) && (
        <p class="state" id={choices.length === 0 ? 'palette-list' : undefined} role="status">
          {refusal ?? (found.q === q ? words.palette.nothing(q) : words.loading)}
        </p>
      )}
    </Dialog>
  );
}

/** Pages, and the keys of what is open. */
const actsHere = (): Choice[] => [
  ...placesHere().map(({ name }) => ({
    id: name,
    title: words.places[name],
    kind: words.palette.pages,
    run: () => go(href([name], { org: changedQuery({}).get('org') })),
  })),
  ...keysOf(false).map(({ key, label, act }) => ({
    id: `key ${key}`,
    title: label,
    kind: key === 'Escape' ? 'Esc' : key,
    run: act,
  })),
];

/** Several hits of one conversation lead to one page. */
function choicesOf(found: Found[]): Choice[] {
  const seen = new Set<string>();
  return found
    .filter(({ conversation_id, id }) => {
      const target = conversation_id ?? id;
      return !seen.has(target) && seen.add(target);
    })
    .map(choiceOf)
    .filter((one) => one !== null);
}

const PAGE_OF: Record<string, string> = {
  contact: 'contacts',
  company: 'companies',
  sale: 'pipeline',
  task: 'tasks',
};

/** Where a hit leads; null for what has no page yet. */
function choiceOf({ type, id, conversation_id, title, highlights }: Found): Choice | null {
  const org = changedQuery({}).get('org');
  const to =
    conversation_id !== null
      ? href(['inbox', conversation_id], { org })
      : PAGE_OF[type] !== undefined
        ? href([PAGE_OF[type], id], { org })
        : null;
  if (to === null) return null;
  const hit = highlights.find(({ text }) => text.includes('\uE000') && text !== title)?.text;
  return {
    id,
    title: title || words.inbox.noSubject,
    kind: words.kind[type] ?? type,
    hit,
    run: () => go(to),
  };
}
