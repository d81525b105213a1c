import { useEffect, useState } from 'preact/hooks';
import { type ParleyError } from './api.js';
import { endedBy } from './session.js';

export interface Kept<T> {
  data?: T;
  error?: ParleyError;
  isLoading: boolean;
}

const NOTHING: Kept<never> = { isLoading: true };
const kept = new Map<string, Kept<unknown>>();
const listeners = new Map<string, Set<() => void>>();
const loaders = new Map<string, () => Promise<unknown>>();
const running = new Map<string, object>();
/** Told when something has failed, or has come after that. */
const watchers = new Set<() => void>();

const tell = (key: string) => listeners.get(key)?.forEach((listener) => listener());

function put<T>(key: string, value: Kept<T>): void {
  const hadFailed = kept.get(key)?.error !== undefined;
  kept.set(key, value);
  tell(key);
  if (hadFailed || value.error) watchers.forEach((look) => look());
}

/** Asks again for what is on the page; of two under way the later one counts. What was seen stays meanwhile. */
export async function reload(key: string): Promise<void> {
  const load = loaders.get(key);
  if (!load) return;
  const turn = {};
  running.set(key, turn);
  put(key, { ...kept.get(key), isLoading: true });
  try {
    const data = await load();
    if (running.get(key) === turn) put(key, { data, isLoading: false });
  } catch (error) {
    if (endedBy(error) || running.get(key) !== turn) return;
    put(key, { ...kept.get(key), error: error as ParleyError, isLoading: false });
  }
}

/** Everything on the page whose key begins so. */
export const reloadAll = (prefix = ''): Promise<unknown> => reloadWhere((key) => key.startsWith(prefix));

export const reloadWhere = (isWanted: (key: string) => boolean): Promise<unknown> =>
  Promise.all([...loaders.keys()].filter(isWanted).map(reload));

/** Shows a change before the API has it; gives what takes it back. */
export function patch<T>(key: string, change: (data: T) => T): () => void {
  const before = kept.get(key) as Kept<T> | undefined;
  if (before?.data === undefined) return () => undefined;
  // An answer that is under way was made before the change.
  running.delete(key);
  put(key, { data: change(before.data), isLoading: false });
  return () => put(key, { data: before.data, isLoading: false });
}

/** The same for all that begins so. */
export function patchAll<T>(prefix: string, change: (data: T) => T): () => void {
  const undo = [...kept.keys()].filter((key) => key.startsWith(prefix)).map((key) => patch(key, change));
  return () => undo.forEach((takeBack) => takeBack());
}

/** Whether something on the page whose key begins so has not come yet. */
export const isAwaited = (prefix: string): boolean =>
  [...loaders.keys()].some((key) => key.startsWith(prefix) && kept.get(key)?.data === undefined);

export const seen = <T>(key: string): T | undefined => (kept.get(key) as Kept<T> | undefined)?.data;

export const forgetAll = (): void => kept.clear();

/** Why something on the page could not be asked for again, and may be old. What is gone, and a lost connection, are told elsewhere. */
export function useStale(): ParleyError | undefined {
  const [, draw] = useState({});
  useEffect(() => {
    const look = () => draw({});
    watchers.add(look);
    return () => void watchers.delete(look);
  }, []);
  return [...loaders.keys()]
    .map((key) => kept.get(key))
    .find((one) => one?.data !== undefined && one.error && ![0, 404].includes(one.error.status))?.error;
}

/** What `load` gives, from memory while it is asked for again. A null key asks for nothing. */
export function useKept<T>(key: string | null, load: () => Promise<T>): Kept<T> {
  const [, draw] = useState({});
  useEffect(() => {
    if (key === null) return;
    const listener = () => draw({});
    const of = listeners.get(key) ?? new Set();
    // What another part of the page shows is there, or on its way.
    const isAsked = of.size > 0 && kept.get(key)?.error === undefined;
    listeners.set(key, of.add(listener));
    loaders.set(key, load);
    if (!isAsked) void reload(key);
    return () => {
      of.delete(listener);
      if (of.size > 0) return;
      loaders.delete(key);
      running.delete(key);
      if (kept.get(key)?.error) watchers.forEach((look) => look());
    };
  }, [key]);
  return (key === null ? NOTHING : (kept.get(key) ?? NOTHING)) as Kept<T>;
}

/** True once waiting has lasted 200 ms: what comes sooner needs no skeleton. */
export function useSlow(isWaiting: boolean): boolean {
  const [isSlow, setSlow] = useState(false);
  useEffect(() => {
    setSlow(false);
    if (!isWaiting) return;
    const timer = setTimeout(() => setSlow(true), 200);
    return () => clearTimeout(timer);
  }, [isWaiting]);
  return isWaiting && isSlow;
}
