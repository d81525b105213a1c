/**
 * The end of the time that something may take. It goes by two clocks, whichever is further: the steady one is right when
 * the other is set back, and the other also counts while the machine is asleep.
 */
export class Deadline {
  private readonly steadyEnd: number;
  private readonly clockEnd: number;

  constructor(ms: number) {
    this.steadyEnd = performance.now() + ms;
    this.clockEnd = Date.now() + ms;
  }

  /** Whole milliseconds that are left, as timers take them; 0 or less when it is over. */
  left(): number {
    return Math.floor(Math.min(this.steadyEnd - performance.now(), this.clockEnd - Date.now()));
  }

  get isOver(): boolean {
    return this.left() <= 0;
  }
}
