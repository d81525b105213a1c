import { setTimeout as sleep } from 'node:timers/promises';

/** Pieces of an owner's work, and whether there may be more. */
export interface Taken {
  /** Each resolves to whether it went well, so that the lane may widen. */
  work: (() => Promise<boolean>)[];
  more: boolean;
}

/** How many pieces of an owner's work are done at a time. */
export interface Width {
  first: number;
  most: number;
}

/** One `take` fills all the room, so room that becomes free within this time is filled together. */
const GATHER_MS = 10;

interface Lane {
  width: number;
  running: number;
  /** Whether `take` is under way. */
  taking: boolean;
  /** Whether there may be work left to take. */
  asked: boolean;
}

/**
 * Works for many owners side by side, with a limit for each, so that one owner's dead server holds up nobody else. Work is
 * taken only when there is room; until then it waits where it is stored. Each piece that goes well widens its lane by one,
 * one that does not sets it back to the first width (as Postfix does, SCHEDULER_README).
 */
export class Lanes {
  private readonly lanes = new Map<string, Lane>();
  private closed = false;

  /**
   * `take` brings at most `room` pieces that nobody else works on. For one owner it never runs twice at a time: room that
   * becomes free meanwhile is filled by the next call. Neither `take` nor the work may reject.
   */
  constructor(
    private readonly width: Width,
    private readonly take: (owner: string, room: number) => Promise<Taken>,
  ) {}

  /** Says that there may be work of this owner. */
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

  /** Takes no more work, and waits at most `patienceMs` for running work to end. */
  async close(patienceMs: number): Promise<void> {
    this.closed = true;
    const until = performance.now() + patienceMs;
    const busy = () => [...this.lanes.values()].some(({ running, taking }) => taking || running > 0);
    while (busy() && performance.now() < until) await sleep(20);
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
