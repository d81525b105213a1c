/** Requests that rest until something happens in their organization. */
export class Waiting {
  ended = false;
  private readonly resting = new Map<string, Set<() => void>>();

  /** Ends the rest of everybody in the organization. */
  wake(organizationId: string): void {
    for (const rise of this.resting.get(organizationId) ?? []) rise();
  }

  /** Ends every rest, now and from now on. */
  end(): void {
    this.ended = true;
    for (const organizationId of [...this.resting.keys()]) this.wake(organizationId);
  }

  /** Rests for so many milliseconds; gives true at once when it is woken, false when it is over or the caller is gone. */
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
