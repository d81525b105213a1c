import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import { changesIn, edit, editListed, type Seen } from '../data/edit.js';
import { attempt, notify } from '../data/notices.js';
import { MetAnother } from '../parts/met-another.js';
import { words } from '../words/words.js';

interface Props<T> {
  /** As the list showed it when the form was opened. */
  listed: T;
  labels: Record<string, string>;
  read: () => Promise<T>;
  write: (body: object, headers: Record<string, string>) => Promise<T>;
  /** What comes after the edit, and after one's own is given up. */
  done: () => Promise<void>;
}

/**
 * Saves what is different in a form. What another has changed meanwhile in the same fields is shown in its place (`met`), for the
 * person to choose. `save` throws what the API refuses.
 */
export function useEdit<T extends object>({ listed, labels, read, write, done }: Props<T>) {
  const [found, setFound] = useState<{ now: Seen<T>; changes: object } | null>(null);
  const end = async (outcome: { done: Seen<T> } | { met: Seen<T> }, changes: object): Promise<void> => {
    if ('met' in outcome) return setFound({ now: outcome.met, changes });
    notify(words.operations.changed);
    await done();
  };
  const save = async (body: object): Promise<void> => {
    const changes = changesIn(listed, body);
    if (Object.keys(changes).length === 0) return done();
    const outcome = await editListed<T>({
      listed,
      changes,
      read,
      write: (headers) => write(changes, headers),
    });
    await end(outcome, changes);
  };
  const keep = ({ now: base, changes }: { now: Seen<T>; changes: object }) =>
    attempt(async () =>
      end(await edit<T>({ base, changes, read, write: (headers) => write(changes, headers) }), changes),
    );
  const met = found && (
    <MetAnother
      fields={Object.entries(changesIn(found.now.record, found.changes)).map(([name, mine]) => ({
        label: labels[name] ?? name,
        mine: shown(mine),
        theirs: shown((found.now.record as Record<string, unknown>)[name]),
      }))}
      keep={() => void keep(found)}
      take={() => void done()}
    />
  );
  return { save, met };
}

const shown = (value: unknown): ComponentChildren =>
  Array.isArray(value) ? value.join(', ') : (value as string | null);
