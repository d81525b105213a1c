import { AsyncLocalStorage } from 'node:async_hooks';
import { Semaphore } from 'async-mutex';

/**
 * Lets so many pieces of work of each owner go on at once; further ones wait in their order. Work that is begun within other work does
 * not wait, as that would wait for it.
 */
export class Shares {
  private readonly owners = new Map<string, Semaphore>();
  private readonly within = new AsyncLocalStorage<true>();

  constructor(private readonly most: number) {}

  async run<Result>(owner: string, work: () => Promise<Result>): Promise<Result> {
    if (this.within.getStore()) return work();
    const share = this.owners.get(owner) ?? new Semaphore(this.most);
    this.owners.set(owner, share);
    try {
      return await share.runExclusive(() => this.within.run(true, work));
    } finally {
      if (share.getValue() === this.most) this.owners.delete(owner);
    }
  }
}
