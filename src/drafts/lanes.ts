import { setTimeout as sleep } from 'node:timers/promises';

/** Work that an owner has to be done, and whether there may be more of it. */
export interface Taken {
  /** Each tells in the end whether as much and more of it may go on at a time. */
  work: (() => Promise<boolean>)[];
  more: boolean;
}

/** How many pieces of an owner's work are done at a time. */
export interface Width {
  first: number;
  most: number;
}

/** One call takes as much as there is room for; so what comes free is filled together with what follows within this time. */
const GATHER_MS = 10;

interface Lane {
  width: number;
  running: number;
  /** Whether more work is being taken at this moment. */
  taking: boolean;
  /** Whether there may be work that was not taken yet. */
  asked: boolean;
}

/**
 * Does the work of many owners side by side, but only so much of one owner at a time that one owner's dead server holds
 * up nobody else. It is taken when there is room for it; what waits, waits where it stands. A lane is widened by each piece
 * that went well and is as narrow as at first after one that did not (as Postfix does, SCHEDULER_README).
 */
export class Lanes {
  private readonly lanes = new Map<string, Lane>();
  private closed = false;

  /**
   * `take` brings at most `room` pieces that nobody else does; it is called for one owner once at a time, so that what
   * comes free meanwhile is filled by one more call. Neither it nor the work may reject.
   */
  constructor(
    private readonly width: Width,
    private readonly take: (owner: string, room: number) => Promise<Taken>,
  ) {}

  /** There may be work of this owner. */
  wake(owner: string): void {
    if (this.closed) return;
    const lane = this.lanes.get(owner) ?? {
      width: this.width.first,
      running: 0,
      taking: false,
      asked: false,
    };
    this.lanes.set(owner, lane);
    lane.asked = true;
    this.fill(owner, lane);
  }

  /** Takes nothing further and gives what runs at most `patienceMs` to end. */
  async close(patienceMs: number): Promise<void> {
    this.closed = true;
    const until = Date.now() + patienceMs;
    const busy = () => [...this.lanes.values()].some(({ running, taking }) => taking || running > 0);
    while (busy() && Date.now() < until) await sleep(20);
  }

  private fill(owner: string, lane: Lane): void {
    if (lane.taking || this.lanes.get(owner) !== lane) return;
    const room = lane.width - lane.running;
    if (!lane.asked && lane.running === 0) this.lanes.delete(owner);
    if (!lane.asked || room <= 0 || this.closed) return;
    lane.taking = true;
    lane.asked = false;
    void this.take(owner, room).then(({ work, more }) => {
      lane.taking = false;
      lane.asked ||= more;
      for (const one of work) this.start(owner, lane, one);
      this.fill(owner, lane);
    });
  }

  private start(owner: string, lane: Lane, work: () => Promise<boolean>): void {
    const { first, most } = this.width;
    lane.running++;
    void work().then((wentWell) => {
      lane.running--;
      lane.width = wentWell ? Math.min(lane.width + 1, most) : first;
      setTimeout(() => this.fill(owner, lane), lane.running === 0 ? 0 : GATHER_MS);
    });
  }
}
