/**
 * Repeats some work regularly, never twice at a time: a round that takes longer than the pause skips the next ones. A
 * failed round is logged, and the next one does what it left.
 */
export class Sweeper {
  private timer?: NodeJS.Timeout;
  private round: Promise<void> | null = null;

  constructor(
    private readonly everyMs: number,
    private readonly log: { warn(text: string): void },
    private readonly work: () => Promise<void>,
  ) {}

  /** Begins; the first round comes after the first pause. */
  start(): void {
    this.timer = setInterval(() => this.sweep(), this.everyMs);
  }

  /** One round now, unless one is under way. */
  sweep(): void {
    this.round ??= this.work()
      .catch((error: unknown) => this.log.warn(`sweep failed: ${String(error)}`))
      .finally(() => (this.round = null));
  }

  /** Begins no more rounds; resolves when the current one has ended. */
  async stop(): Promise<void> {
    clearInterval(this.timer);
    await this.round;
  }
}
