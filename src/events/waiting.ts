/** Of one organization: when something happens, all of them read it at once. Further ones are answered without a wait. */
const MOST = 100;

/** Requests that wait until something happens in their organization. */
export class Waiting {
  private ended = false;
  private readonly resting = new Map<string, Set<() => void>>();

  /** Whether another request may wait. */
  hasRoom(organizationId: string): boolean {
    return !this.ended && (this.resting.get(organizationId)?.size ?? 0) < MOST;
  }

  /** Wakes all requests of the organization. */
  wake(organizationId: string): void {
    for (const rise of this.resting.get(organizationId) ?? []) rise();
  }

  /** Ends all waits, present and future. */
  end(): void {
    this.ended = true;
    for (const organizationId of [...this.resting.keys()]) this.wake(organizationId);
  }

  /**
   * Waits for that many milliseconds. Gives true as soon as it is woken, false when the time is over or the caller is gone.
   */
  rest(organizationId: string, milliseconds: number, gone: AbortSignal): Promise<boolean> {
    return new Promise((resolve) => {
      const others = this.resting.get(organizationId) ?? new Set();
      this.resting.set(organizationId, others);
      const rise = (woken: boolean) => {
        clearTimeout(timer);
        gone.removeEventListener('abort', leave);
        others.delete(wake);
        if (others.size === 0) this.resting.delete(organizationId);
        resolve(woken);
      };
      const wake = () => rise(true);
      const leave = () => rise(false);
      const timer = setTimeout(leave, milliseconds);
      gone.addEventListener('abort', leave);
      others.add(wake);
    });
  }
}
