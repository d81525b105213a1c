import { useEffect, useState } from 'preact/hooks';
import { ParleyError } from './api.js';
import { words } from '../words/words.js';
import { endedBy } from './session.js';

export interface Notice {
  text: string;
  /** What the person may still take back. */
  act?: { label: string; run: () => void };
}

const SHOWN_MS = 8_000;
let notices: Notice[] = [];
const listeners = new Set<() => void>();

function set(next: Notice[]): void {
  notices = next;
  listeners.forEach((tell) => tell());
}

export const dismiss = (notice: Notice): void => set(notices.filter((one) => one !== notice));

/** Says it for 8 s. */
export function notify(text: string, act?: Notice['act']): void {
  const notice = { text, act };
  set([...notices.slice(-2), notice]);
  setTimeout(() => dismiss(notice), SHOWN_MS);
}

export const reasonOf = (error: unknown): string => {
  if (!(error instanceof ParleyError)) return String(error);
  if (error.status === 0) return words.lost;
  return error.detail || error.message;
};

/** Does what was already shown; takes it back with a sentence when it is refused. */
export async function attempt(
  act: () => Promise<unknown>,
  takeBack: () => void = () => undefined,
): Promise<boolean> {
  try {
    await act();
    return true;
  } catch (error) {
    takeBack();
    if (!endedBy(error)) notify(words.refused(reasonOf(error)));
    return false;
  }
}

export function useNotices(): Notice[] {
  const [, draw] = useState({});
  useEffect(() => {
    const tell = () => draw({});
    listeners.add(tell);
    return () => void listeners.delete(tell);
  }, []);
  return notices;
}
