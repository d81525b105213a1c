import { useEffect, useRef, useState } from 'preact/hooks';
import { root } from '../root.js';
import { reloadAll } from './store.js';
import { watch } from './watched-fetch.js';

const RETRY_MS = 2_000;

let isLost = false;
/** How far the clock of the service is ahead of this one, in milliseconds. */
let ahead = 0;
const listeners = new Set<(lost: boolean) => void>();

watch.answered = (response) => {
  const date = Date.parse(response.headers.get('date') ?? '');
  if (!Number.isNaN(date)) ahead = date - new Date().getTime();
  // A proxy answers for a service that is away.
  if (response.status === 502 || response.status === 504) watch.lost();
};
/** Does it once the connection, which is lost, is back. */
export function useBack(act: () => void): void {
  const isGone = useConnectionLost();
  const wasGone = useRef(isGone);
  useEffect(() => {
    if (wasGone.current && !isGone) act();
    wasGone.current = isGone;
  }, [isGone]);
}

watch.lost = () => {
  if (isLost) return;
  set(true);
  setTimeout(() => void lookAgain(), RETRY_MS);
};

/** Whether the service answers. */
async function isThere(): Promise<boolean> {
  const answer = await fetch(`${root.api}health/live`, { cache: 'no-store' }).catch(() => null);
  return answer?.ok ?? false;
}

/** Looks whether it is the connection because of which something has not come. */
export async function lookWhetherLost(): Promise<void> {
  if (!(await isThere())) watch.lost();
}

async function lookAgain(): Promise<void> {
  if (!(await isThere())) return void setTimeout(() => void lookAgain(), RETRY_MS);
  set(false);
  void reloadAll();
}

function set(lost: boolean): void {
  isLost = lost;
  listeners.forEach((tell) => tell(lost));
}

/** The time of the service. */
export const serviceTime = (): number => new Date().getTime() + ahead;

export function useConnectionLost(): boolean {
  const [lost, setLost] = useState(isLost);
  useEffect(() => {
    listeners.add(setLost);
    return () => void listeners.delete(setLost);
  }, []);
  return lost;
}
