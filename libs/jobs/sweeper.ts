/**
 * Repeats some work, never twice at a time: regularly, where a round that takes longer than the pause skips the next ones, or when it is
 * told to. A failed round is logged, and the next one does what it left.
 */
export class Sweeper {
  private timer?: NodeJS.Timeout;
  private round: Promise<void> | null = null;
  private ended = false;

  constructor(
    private readonly log: { warn(text: string): void },
    private readonly work: () => Promise<void>,
  ) {}

  /** Begins; the first round comes after the first pause. */
  start(everyMs: number): void {
    this.timer = setInterval(() => this.sweep(), everyMs);
  }

  /** One round now, unless one is under way. */
  sweep(): void {
    if (this.ended) return;
    this.round ??= this.work()
      .catch((error: unknown) => this.log.warn(`sweep failed: ${String(error)}`))
      .finally(() => (this.round = null));
  }

  /** Begins no more rounds; resolves when the current one has ended. */
  async stop(): Promise<void> {
    this.ended = true;
    clearInterval(this.timer);
    await this.round;
  }
}
