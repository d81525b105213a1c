import type { Replica } from './replica.js';

/** What a request reads, all of it from one server, which is chosen with the first statement. */
export class Reading {
  private chosen: Promise<Replica | null> | null = null;
  /** Whether it reads from the primary, whatever was chosen. */
  hasLeft = false;

  /** @param choose never rejects; null is the primary */
  constructor(private readonly choose: () => Promise<Replica | null>) {}

  /** The replica to read from; null for the primary. */
  get replica(): Promise<Replica | null> {
    return this.hasLeft ? ON_PRIMARY : (this.chosen ??= this.choose());
  }

  /** From now on reads from the primary: the request writes, a replica has failed it, or it is over and its work goes on. */
  leave(): void {
    this.hasLeft = true;
  }
}

const ON_PRIMARY = Promise.resolve(null);
