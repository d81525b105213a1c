import { setTimeout as sleep } from 'node:timers/promises';

type Work = () => Promise<void>;

interface Lane {
  running: Set<string>;
  waiting: Map<string, Work>;
}

/**
 * Runs work of many owners side by side, but only a few of one owner at a time, so that one owner's dead server holds
 * up nobody else. What does not fit is dropped: it must be brought again by whoever knows what is to be done.
 */
export class Lanes {
  private readonly lanes = new Map<string, Lane>();
  private closed = false;

  /** `width` of an owner run at a time, `depth` more wait. */
  constructor(
    private readonly width: number,
    private readonly depth: number,
  ) {}

  /** Runs `work`, which must not reject, now or when its turn comes. The same id is not taken twice at a time. */
  run(owner: string, id: string, work: Work): void {
    if (this.closed) return;
    const lane = this.lanes.get(owner) ?? { running: new Set(), waiting: new Map<string, Work>() };
    this.lanes.set(owner, lane);
    if (lane.running.has(id)) return;
    if (lane.running.size < this.width) this.start(owner, lane, id, work);
    else if (lane.waiting.size < this.depth) lane.waiting.set(id, work);
  }

  /** Takes nothing further, drops what waits, and gives what runs at most `patienceMs` to end. */
  async close(patienceMs: number): Promise<void> {
    this.closed = true;
    for (const { waiting } of this.lanes.values()) waiting.clear();
    const until = Date.now() + patienceMs;
    while (this.lanes.size > 0 && Date.now() < until) await sleep(20);
  }

  private start(owner: string, lane: Lane, id: string, work: Work): void {
    lane.running.add(id);
    void work().finally(() => {
      lane.running.delete(id);
      const [next] = lane.waiting;
      if (next) {
        lane.waiting.delete(next[0]);
        this.start(owner, lane, ...next);
      } else if (lane.running.size === 0) this.lanes.delete(owner);
    });
  }
}
