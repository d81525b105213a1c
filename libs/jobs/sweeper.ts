/**
 * Does something every so often for as long as a process lives, never twice at a time: a round that takes longer than
 * the pause has the next ones left out. One that fails is told of, and what it left is for the next.
 */
export class Sweeper {
  private timer?: NodeJS.Timeout;
  private round: Promise<void> | null = null;

  constructor(
    private readonly everyMs: number,
    private readonly log: { warn(text: string): void },
    private readonly work: () => Promise<void>,
  ) {}

  /** The first round is after the first pause. */
  start(): void {
    this.timer = setInterval(() => this.sweep(), this.everyMs);
  }

  /** One round now, unless one is under way. */
  sweep(): void {
    this.round ??= this.work()
      .catch((error: unknown) => this.log.warn(`sweep failed: ${String(error)}`))
      .finally(() => (this.round = null));
  }

  /** Begins no further round; resolves when the one under way has ended. */
  async stop(): Promise<void> {
    clearInterval(this.timer);
    await this.round;
  }
}
