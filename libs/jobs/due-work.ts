import { type BeforeApplicationShutdown, Logger } from '@nestjs/common';
import { type Database } from '#database/database.js';
import { dueKinds, type DueQuestion } from './due-work.queries.js';
import { Sweeper } from './sweeper.js';

/** Work that is due at instants which a table tells. */
export interface DueKind extends DueQuestion {
  /** What does it. */
  sweeper: Sweeper;
}

/**
 * Has work done that is due. Every `pollMs` milliseconds one statement asks for all kinds: each question about all organizations goes to
 * every shard of a cluster. What is due is swept, and once more when it no longer is, so that the sweeper sees that.
 */
export class DueWork implements BeforeApplicationShutdown {
  private readonly kinds = new Map<string, DueKind>();
  /** Names of those that were due when it asked last. */
  private due: string[] = [];
  private readonly asking = new Sweeper(new Logger('due work'), () => this.ask());

  constructor(
    private readonly database: Database,
    private readonly pollMs: number,
  ) {}

  /** Has this kind of work done from now on, by this process. */
  add(kind: DueKind): void {
    this.kinds.set(kind.name, kind);
    if (this.kinds.size === 1) this.asking.start(this.pollMs);
  }

  beforeApplicationShutdown(): Promise<void> {
    return this.asking.stop();
  }

  private async ask(): Promise<void> {
    const found = await this.database.query<{ kind: string }>(dueKinds([...this.kinds.values()]));
    const before = this.due;
    this.due = found.map(({ kind }) => kind);
    for (const name of new Set([...before, ...this.due])) this.kinds.get(name)!.sweeper.sweep();
  }
}
