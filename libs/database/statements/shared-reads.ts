import { Batches } from '#batching/batches.js';
import { isRefusal } from '../refusal.js';
import { type Shareable, together } from './shared-statement.js';
import type { Statement } from './statement.js';

/** Statements in one at most: a page of a list can be large. */
const MOST = 16;

interface Waiting {
  statement: Shareable;
  resolve: (rows: unknown[]) => void;
  reject: (error: unknown) => void;
}

/**
 * Reads outside of transactions. Reads of one name that are asked for while others are under way go together, in a
 * statement that begins after each of them was asked for.
 */
export class SharedReads {
  /** By statement name. */
  private readonly batches = new Map<string, Batches<Waiting>>();

  constructor(private readonly run: (statement: Statement) => Promise<unknown[]>) {}

  read(statement: Shareable): Promise<unknown[]> {
    return new Promise((resolve, reject) =>
      this.batchesOf(statement.name).add({ statement, resolve, reject }),
    );
  }

  private batchesOf(name: string): Batches<Waiting> {
    let batches = this.batches.get(name);
    if (!batches) {
      batches = new Batches(
        (waiting) => ({ batch: waiting.slice(0, MOST), left: waiting.slice(MOST) }),
        (batch) => this.readTogether(batch),
      );
      this.batches.set(name, batches);
    }
    return batches;
  }

  /** Never throws: each read is told how it went. None fails because of another. */
  private async readTogether(batch: Waiting[]): Promise<void> {
    try {
      const rowsOf =
        batch.length === 1
          ? [await this.run(batch[0]!.statement)]
          : ((await this.run(together(batch.map(({ statement }) => statement)))) as unknown[][]);
      batch.forEach(({ resolve }, nr) => resolve(rowsOf[nr]!));
    } catch (error) {
      if (batch.length === 1 || !isRefusal(error)) for (const { reject } of batch) reject(error);
      else await Promise.all(batch.map((one) => this.readTogether([one])));
    }
  }
}
