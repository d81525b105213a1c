import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import { changesIn, edit, editListed, type Seen } from '../data/edit.js';
import { attempt, notify } from '../data/notices.js';
import { MetAnother } from '../parts/met-another.js';
import { words } from '../words/words.js';
import type { KeptForm } from './kept-form.js';

interface Props<T> {
  /** What is written, with the record as the list showed it when one began. */
  kept: KeptForm<T>;
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
export function useEdit<T extends object>({ kept, labels, read, write, done }: Props<T>) {
  const listed = kept.base;
  const [found, setFound] = useState<{ now: Seen<T>; changes: object } | null>(null);
  const giveUp = (): Promise<void> => {
    kept.drop();
    return done();
  };
  const end = async (outcome: { done: Seen<T> } | { met: Seen<T> }, changes: object): Promise<boolean> => {
    if ('met' in outcome) {
      setFound({ now: outcome.met, changes });
      return false;
    }
    notify(words.operations.changed);
    await giveUp();
    return true;
  };
  /** Gives whether it is saved, or nothing was to be. */
  const save = async (body: object): Promise<boolean> => {
    const changes = changesIn(listed, body);
    if (Object.keys(changes).length === 0) return giveUp().then(() => true);
    const outcome = await editListed<T>({
      listed,
      changes,
      read,
      write: (headers) => write(changes, headers),
    });
    return end(outcome, changes);
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
      take={() => void giveUp()}
    />
  );
  return { save, met };
}

const shown = (value: unknown): ComponentChildren =>
  Array.isArray(value) ? value.join(', ') : (value as string | null);
