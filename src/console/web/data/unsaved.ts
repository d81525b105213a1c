import { useContext, useState } from 'preact/hooks';
import { Organization } from './organization.js';
import { session } from './session.js';
import { unsavedKey, UnsavedTexts } from './unsaved-texts.js';

const texts = new UnsavedTexts(() => localStorage);
addEventListener('pagehide', () => texts.put());
// A phone ends pages that nobody sees without another word.
document.addEventListener('visibilitychange', () => texts.put());

const person = (): string => session()?.agent?.agent_id ?? session()?.key.key_id ?? 'operator';

export interface Unsaved<T> {
  /** What was being written when it was cut off; null where nothing was. */
  found: T | null;
  keep: (value: T) => void;
  /** Once it is sent or taken back. */
  drop: () => void;
}

/** Keeps what this person writes of a record of the organization, until it is sent or taken back. */
export function useUnsaved<T>(what: string): Unsaved<T> {
  const organization = useContext(Organization);
  // Whoever is signed out is somebody else, and this still theirs.
  const [key] = useState(() => unsavedKey(organization, person(), what));
  const [found] = useState(() => texts.read<T>(key));
  return { found, keep: (value) => texts.keep(key, value), drop: () => texts.drop(key) };
}

/** A text or form that is being written, begun as it was left; `isFound` until it is sent or taken back. */
export function useWritten<T>(what: string, empty: T) {
  const { found, keep, drop } = useUnsaved<T>(what);
  const [value, setValue] = useState(found ?? empty);
  const [isFound, setFound] = useState(found !== null);
  const end = (): void => {
    setValue(empty);
    setFound(false);
    drop();
  };
  const write = (next: T): void => {
    if (JSON.stringify(next) === JSON.stringify(empty)) return end();
    setValue(next);
    keep(next);
  };
  return { value, write, end, isFound };
}
