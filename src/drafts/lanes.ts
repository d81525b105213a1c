import { setTimeout as sleep } from 'node:timers/promises';

type Work = () => Promise<void>;

interface Lane {
  running: Set<string>;
  waiting: Map<string, Work>;
  /** Whether something did not fit since the owner was last asked for more. */
  dropped: boolean;
}

/**
 * Runs work of many owners side by side, but only a few of one owner at a time, so that one owner's dead server holds
 * up nobody else. What does not fit is dropped, and asked for again when there is room: whoever knows what is to be
 * done brings it.
 */
export class Lanes {
  private readonly lanes = new Map<string, Lane>();
  private closed = false;

  /** `width` of an owner run at a time, `depth` more wait. `onRoom` is told of owners of whom something was dropped. */
  constructor(
    private readonly width: number,
    private readonly depth: number,
    private readonly onRoom: (owner: string) => void = () => {},
  ) {}

  /** Runs `work`, which must not reject, now or when its turn comes. The same id is not taken twice at a time. */
  run(owner: string, id: string, work: Work): void {
    if (this.closed) return;
    const lane = this.lanes.get(owner) ?? {
      running: new Set(),
      waiting: new Map<string, Work>(),
      dropped: false,
    };
    this.lanes.set(owner, lane);
    if (lane.running.has(id)) return;
    if (lane.running.size < this.width) this.start(owner, lane, id, work);
    else if (lane.waiting.size < this.depth) lane.waiting.set(id, work);
    else lane.dropped = true;
  }

  /** Whether work of this id runs or waits. */
  holds(owner: string, id: string): boolean {
    const lane = this.lanes.get(owner);
    return lane !== undefined && (lane.running.has(id) || lane.waiting.has(id));
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
      if (!lane.dropped || lane.waiting.size > this.depth / 2 || this.closed) return;
      lane.dropped = false;
      this.onRoom(owner);
    });
  }
}
