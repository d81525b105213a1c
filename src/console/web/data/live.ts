import { useContext, useEffect, useState } from 'preact/hooks';
import { useConnectionLost } from './connection.js';
import { type Calls, Organization, useCalls } from './organization.js';
import { endedBy } from './session.js';
import { reloadWhere } from './store.js';
import { isTouched, type Of } from './touched.js';
import { isWriting } from './watched-fetch.js';

/** What happens together is asked for together. */
const SOON_MS = 300;
/** Between two looks at the same page: so long at least, and so many times what the last one took. */
const PAUSE_MS = 1_500;
const PAUSES = 4;
/** Between two looks where no events come. */
const LOOK_EVERY_MS = 60_000;
/** The same for operators, whom no stream tells what happens. */
const OPERATOR_LOOKS_EVERY_MS = 10_000;

/** Follows what happens in the organization, and asks again for what it touches, as long as somebody looks at the page. */
export function useLive(): void {
  const organization = useContext(Organization);
  const calls = useCalls();
  const isLost = useConnectionLost();
  const isSeen = useSeen();
  useEffect(() => {
    if (isLost || !isSeen) return;
    const fresh = new Refresh();
    if (organization === '') {
      fresh.touch();
      const looking = setInterval(() => fresh.touch(), OPERATOR_LOOKS_EVERY_MS);
      return () => {
        clearInterval(looking);
        fresh.stop();
      };
    }
    const stop = new AbortController();
    let isUp = false;
    fresh.touch();
    void follow(calls, stop.signal, fresh, (now) => (isUp = now));
    const looking = setInterval(() => !isUp && fresh.touch(), LOOK_EVERY_MS);
    return () => {
      stop.abort();
      clearInterval(looking);
      fresh.stop();
    };
  }, [isLost, isSeen]);
}

async function follow(
  calls: Calls,
  signal: AbortSignal,
  fresh: Refresh,
  tell: (isUp: boolean) => void,
): Promise<void> {
  const onConnection = (isUp: boolean) => {
    tell(isUp);
    // What was asked for before may have changed meanwhile.
    if (isUp) fresh.touch();
  };
  try {
    for await (const { stream } of calls.events({ after: 'latest', signal, onConnection }))
      fresh.touch(stream);
  } catch (error) {
    endedBy(error);
  }
}

/** Asks again for what was touched: soon, together, and not too often. */
class Refresh {
  private readonly touched = new Map<string, Of>();
  private isAll = false;
  private isUnderWay = false;
  private isOver = false;
  private notBefore = 0;
  private timer: ReturnType<typeof setTimeout> | undefined;

  /** Without a record, everything is. */
  touch(of?: Of): void {
    if (of) this.touched.set(of.id, of);
    else this.isAll = true;
    this.plan();
  }

  stop(): void {
    clearTimeout(this.timer);
    this.isOver = true;
  }

  private plan(): void {
    if (this.timer !== undefined || this.isUnderWay || this.isOver) return;
    const wait = Math.max(SOON_MS, this.notBefore - performance.now());
    this.timer = setTimeout(() => void this.run(), wait);
  }

  private async run(): Promise<void> {
    this.timer = undefined;
    // An answer from before the change would take back what is shown of it.
    if (isWriting()) return this.plan();
    const all = [...this.touched.values()];
    const { isAll } = this;
    this.touched.clear();
    this.isAll = false;
    const begun = performance.now();
    this.isUnderWay = true;
    await reloadWhere((key) => isAll || all.some((of) => isTouched(key, of)));
    this.isUnderWay = false;
    this.notBefore = performance.now() + Math.max(PAUSE_MS, PAUSES * (performance.now() - begun));
    if (this.isAll || this.touched.size > 0) this.plan();
  }
}

const isSeenNow = () => document.visibilityState === 'visible';

/** Whether somebody can see the page. */
function useSeen(): boolean {
  const [isSeen, setSeen] = useState(isSeenNow);
  useEffect(() => {
    const look = () => setSeen(isSeenNow());
    document.addEventListener('visibilitychange', look);
    return () => document.removeEventListener('visibilitychange', look);
  }, []);
  return isSeen;
}
